import { decodeText, findEncoding, headBytes } from '../../src/transfer/decode-text.ts'
import { guessFormat, readFormats } from '../../src/transfer/formats.ts'
import type { ReadFormat, ReadItem } from '../../src/transfer/transfer.ts'

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

async function* readBytes(file: File): AsyncGenerator<Uint8Array, void, undefined> {
  // Not every browser has streams that can be iterated over.
  const reader = file.stream().getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel()
  }
}

const openText = (file: File) => {
  const text = decodeText(readBytes(file))
  const held: string[] = []
  const pull = async (): Promise<string | undefined> => (await text.next()).value ?? undefined
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
    close: () => text.return(),
  }
}

/** NUL stands in no text, and in nearly every picture, archive and program. */
const isText = async (file: File): Promise<boolean> => {
  const head = new Uint8Array(await file.slice(0, headBytes).arrayBuffer())
  return !new TextDecoder(findEncoding(head)).decode(head).includes('\0')
}

/** Reads a file to its end, so that nothing is taken from one that is in another encoding. @throws EncodingError */
const checkText = async (file: File): Promise<void> => {
  const text = decodeText(readBytes(file))
  while (!(await text.next()).done);
}

const findFormat = (head: string, name: string, chosen: string | undefined): ReadFormat | undefined =>
  chosen === undefined ? guessFormat(head, name) : readFormats.find((format) => format.name === chosen)

/** Reads files and tells what is in them, some hundred items at a time; a file that cannot be read ends no other. */
export const readFiles = async (
  { files, format: chosen }: FilesToRead,
  tell: (message: ReadingMessage) => void,
): Promise<void> => {
  let bytesBefore = 0
  for (const [place, file] of files.entries()) {
    const text = openText(file)
    try {
      const isRead = await isText(file)
      if (isRead) await checkText(file)
      const format = isRead ? findFormat(await text.head(), file.name, chosen) : undefined
      const named = format === undefined ? {} : { format: format.name }
      tell({ kind: 'file', file: place, ...named, keepsRepetitions: format?.allowsDuplicates ?? false })
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
