import type { Replica, ReplicaThing } from '../../client/src/index.ts'
import type { TransferThing } from '../../src/transfer/transfer.ts'
import { splitTags } from '../data/item-parts.ts'
import { createSearchIndex } from '../search/search-index.ts'

/** The IDs of found items, and their tags. */
interface FoundThings {
  readonly ids: ReadonlySet<string>
  readonly tags: ReadonlySet<string>
}

const thingsPerStep = 500

/**
 * Finds all items that match a query, in slices that let the browser paint; undefined if it was aborted. It does not
 * use the search worker, because another search would end its call, and an export must be complete.
 */
export const findMatching = async (
  replica: Pick<Replica, 'listThings'>,
  query: string,
  signal: AbortSignal,
): Promise<FoundThings | undefined> => {
  const ids = new Set<string>()
  const tags = new Set<string>()
  const searchBatch = async (things: readonly ReplicaThing[]) => {
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
    await searchBatch(batch)
    batch = []
    if (signal.aborted) return undefined
  }
  await searchBatch(batch)
  return signal.aborted ? undefined : { ids, tags }
}

/** Options of `exportThings`. */
interface ExportOptions {
  readonly replica: Pick<Replica, 'listThings' | 'listTags'>
  /** The name of a format. */
  readonly format: string
  /** The items to export; all items by default. */
  readonly only?: FoundThings
  readonly signal: AbortSignal
  /** Receives the number of written items from time to time. */
  readonly onProgress: (count: number) => void
}

/** A finished export. */
export interface ExportedFile {
  readonly name: string
  readonly blob: Blob
  /** The number of items in the file. */
  readonly count: number
}

const thingsPerPart = 1_000

/** Exports items of the replica to a file; undefined if it was aborted. `today` is the date in the name of the file. */
export const exportThings = async (options: ExportOptions, today: string): Promise<ExportedFile | undefined> => {
  const { replica, only, signal, onProgress } = options
  // The writers are larger than the whole screen, so they are loaded on demand.
  const { writeFormats } = await import('../../src/transfer/formats.ts')
  const format = writeFormats.find(({ name }) => name === options.format)
  if (format === undefined) throw new Error(`there is no format ${options.format}`)
  let count = 0
  const list = async function* () {
    for await (const { isPending, ...thing } of replica.listThings()) {
      if (signal.aborted) return
      if (only?.ids.has(thing.id) === false) continue
      count++
      yield thing satisfies TransferThing
    }
  }
  const tags = new Map([...(await replica.listTags())].filter(([name]) => only?.tags.has(name) !== false))
  const parts: BlobPart[] = []
  let text = ''
  let reported = 0
  for await (const piece of format.write({ tags, things: list() })) {
    text += piece
    if (count - reported < thingsPerPart) continue
    // The browser stores blobs outside the JavaScript heap.
    parts.push(new Blob([text]))
    text = ''
    reported = count
    onProgress(count)
    await new Promise((resolve) => setTimeout(resolve))
  }
  if (signal.aborted) return undefined
  const blob = new Blob([...parts, text], { type: format.mediaType })
  return { name: `thingsync-${today}.${format.extension}`, blob, count }
}
