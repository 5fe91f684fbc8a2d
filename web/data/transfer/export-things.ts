import type { Replica } from '../../../client/src/index.ts'
import type { TransferThing } from '../../../src/transfer/transfer.ts'
import type { FoundThings } from './find-matching.ts'

/** What is to be exported. */
export interface ExportOptions {
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
  const { writeFormats } = await import('../../../src/transfer/write-formats.ts')
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
