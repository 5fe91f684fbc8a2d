import type { Replica, ReplicaThing } from '../../client/src/index.ts'
import type { TransferThing } from '../../src/transfer/transfer.ts'
import { splitTags } from '../data/item-parts.ts'
import { createSearchIndex } from '../search/search-index.ts'

/** Some of the things, and the tags that they carry. */
interface FoundThings {
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

/** What is to be exported. */
interface ExportOptions {
  readonly replica: Pick<Replica, 'listThings' | 'listTags'>
  /** The name of a format. */
  readonly format: string
  /** The things that are wanted; all when it is left out. */
  readonly only?: FoundThings
  readonly signal: AbortSignal
  /** Told now and then how many things were written. */
  readonly onProgress: (count: number) => void
}

/** A file that was made. */
export interface ExportedFile {
  readonly name: string
  readonly blob: Blob
  readonly count: number
}

const thingsPerPart = 1_000

/** Makes a file of things from the replica; undefined when it was stopped. `today` is a date for its name. */
export const exportThings = async (options: ExportOptions, today: string): Promise<ExportedFile | undefined> => {
  const { replica, only, signal, onProgress } = options
  // What writes is more than all of its screen, and loaded when it is wanted.
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
  let told = 0
  for await (const piece of format.write({ tags, things: list() })) {
    text += piece
    if (count - told < thingsPerPart) continue
    // Blobs are kept outside of the memory of scripts.
    parts.push(new Blob([text]))
    text = ''
    told = count
    onProgress(count)
    await new Promise((resolve) => setTimeout(resolve))
  }
  if (signal.aborted) return undefined
  const blob = new Blob([...parts, text], { type: format.mediaType })
  return { name: `thingsync-${today}.${format.extension}`, blob, count }
}
