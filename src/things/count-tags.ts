import type { View } from '../store/store.ts'

/** How many things, archived ones too, carry each tag (tags/get: contract, the other operations). */
export interface TagCounts {
  readonly position: number
  /** All favorites, also those that no thing carries. */
  readonly favorite: ReadonlyMap<string, number>
  /** The other tags that things carry. */
  readonly other: ReadonlyMap<string, number>
}

/** Counts all tags, or none when `from` is the account's position, because then nothing has changed. */
export const countTags = async (view: View, from?: number): Promise<TagCounts> => {
  const favorite = new Map<string, number>()
  if (from === view.position) return { position: view.position, favorite, other: new Map() }

  // There may be millions: they are not gone through once more.
  const other = await view.countTags()
  for (const [name, settings] of await view.listTags(0)) {
    if (!settings.favorite) continue
    favorite.set(name, other.get(name) ?? 0)
    other.delete(name)
  }
  return { position: view.position, favorite, other }
}
