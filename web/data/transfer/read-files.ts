import { guessFormat, readFormats } from '../../../src/transfer/formats.ts'
import type { ReadFormat, ReadItem } from '../../../src/transfer/transfer.ts'

/** Files to be read; `format` is what a person chose, and is guessed for each file otherwise. */
export interface FilesToRead {
  readonly files: readonly File[]
  readonly format?: string
}

/** What a reading tells. `file` is the place of the file among all. */
export type ReadingMessage =
  | { readonly kind: 'file'; readonly file: number; readonly format?: string; readonly keepsRepetitions: boolean }
  /** Some items of a file, and the bytes of all files that were read so far. */
  | { readonly kind: 'items'; readonly file: number; readonly items: readonly ReadItem[]; readonly bytes: number }
  | { readonly kind: 'failed'; readonly file: number; readonly reason: string }
  | { readonly kind: 'end' }

const itemsPerMessage = 500
const charactersOfHead = 4096

const openText = (file: File) => {
  // What is no text is recognised by the reader, not by the decoder.
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader()
  const held: string[] = []
  const pull = async (): Promise<string | undefined> => {
    const { done, value } = await reader.read()
    return done ? undefined : value
  }
  return {
    head: async (): Promise<string> => {
      let head = ''
      while (head.length < charactersOfHead) {
        const chunk = await pull()
        if (chunk === undefined) break
        held.push(chunk)
        head += chunk
      }
      return head.slice(0, charactersOfHead)
    },
    async *chunks(tell: (characters: number) => void): AsyncGenerator<string, void, undefined> {
      for (;;) {
        const chunk = held.shift() ?? (await pull())
        if (chunk === undefined) return
        tell(chunk.length)
        yield chunk
      }
    },
    close: () => reader.cancel(),
  }
}

/** NUL stands in no text, and in nearly every picture, archive and program. */
const isText = (head: string): boolean => !head.includes('\0')

const findFormat = (head: string, name: string, chosen: string | undefined): ReadFormat | undefined => {
  if (!isText(head)) return undefined
  return chosen === undefined ? guessFormat(head, name) : readFormats.find((format) => format.name === chosen)
}

/** Reads files and tells what is in them, some hundred items at a time; a file that cannot be read ends no other. */
export const readFiles = async (
  { files, format: chosen }: FilesToRead,
  tell: (message: ReadingMessage) => void,
): Promise<void> => {
  let bytesBefore = 0
  for (const [place, file] of files.entries()) {
    const text = openText(file)
    try {
      const format = findFormat(await text.head(), file.name, chosen)
      const named = format === undefined ? {} : { format: format.name }
      tell({ kind: 'file', file: place, ...named, keepsRepetitions: format?.keepsRepetitions ?? false })
      if (format !== undefined) {
        let characters = 0
        let items: ReadItem[] = []
        const flush = () => {
          // Characters are not bytes, but near enough for a progress bar.
          tell({ kind: 'items', file: place, items, bytes: bytesBefore + Math.min(characters, file.size) })
          items = []
        }
        const count = (more: number) => {
          characters += more
        }
        for await (const item of format.read(text.chunks(count))) {
          if (items.push(item) === itemsPerMessage) flush()
        }
        flush()
      }
    } catch (fault) {
      tell({ kind: 'failed', file: place, reason: fault instanceof Error ? fault.message : String(fault) })
    } finally {
      await text.close()
    }
    bytesBefore += file.size
  }
  tell({ kind: 'end' })
}
