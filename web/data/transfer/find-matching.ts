import type { Replica, ReplicaThing } from '../../../client/src/index.ts'
import { splitTags } from '../rows.ts'
import { createSearchIndex } from '../search/search-index.ts'

/** Some of the things, and the tags that they carry. */
export interface FoundThings {
  readonly ids: ReadonlySet<string>
  readonly tags: ReadonlySet<string>
}

const thingsPerStep = 500

/**
 * All things that meet a query as the search understands it, in slices that let the screen be drawn; undefined when it was
 * stopped. The search itself gives up what it looks for as soon as another screen asks, and a file must be whole.
 */
export const findMatching = async (
  replica: Pick<Replica, 'listThings'>,
  query: string,
  signal: AbortSignal,
): Promise<FoundThings | undefined> => {
  const ids = new Set<string>()
  const tags = new Set<string>()
  const take = async (things: readonly ReplicaThing[]) => {
    const index = createSearchIndex()
    index.put(things.map((thing, number) => ({ ...thing, number })))
    for (const number of index.search(query)) {
      const thing = things[number]
      if (thing === undefined) continue
      ids.add(thing.id)
      for (const tag of splitTags(thing.tags)) tags.add(tag)
    }
    await new Promise((resolve) => setTimeout(resolve))
  }
  let batch: ReplicaThing[] = []
  for await (const thing of replica.listThings()) {
    if (batch.push(thing) < thingsPerStep) continue
    await take(batch)
    batch = []
    if (signal.aborted) return undefined
  }
  await take(batch)
  return signal.aborted ? undefined : { ids, tags }
}
