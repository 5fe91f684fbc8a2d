import type { Body } from './test-request.ts'

type Fields = Readonly<Record<string, unknown>>

/** What a device knows of the account, by `_id` and by tag name. */
export interface Replica {
  readonly things: Map<string, Fields>
  readonly tags: Map<string, Fields>
  /** Applies what a sync response lists (interface 4.3, rules 3 and 4). */
  readonly fold: (response: Body) => void
  /** Everything that a full sync would list, in an order of its own, to be compared. */
  readonly content: () => object
}

/** A replica that knows nothing. */
export const createReplica = (): Replica => {
  const things = new Map<string, Fields>()
  const tags = new Map<string, Fields>()

  const fold = ({ things: listed, tags: settings }: Body): void => {
    for (const thing of (listed?.changed ?? []) as unknown as ({ _id: string } & Fields)[]) things.set(thing._id, thing)
    for (const id of (listed?.deleted ?? []) as unknown as string[]) things.delete(id)
    for (const [name, one] of Object.entries(settings ?? {})) tags.set(name, one)
  }
  const content = () => ({
    // Whether a thing shows its todoStatus changes with its tags' settings, without a change of the thing.
    things: Object.fromEntries([...things].sort(byName).map(([id, { todoStatus: _, ...thing }]) => [id, thing])),
    tags: Object.fromEntries(
      [...tags].sort(byName).filter(([, { favorite, color, todo }]) => favorite || color || todo),
    ),
  })
  return { things, tags, fold, content }
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : 1)
