import { decodeText, findEncoding, headBytes } from '../../src/transfer/decode-text.ts'
import { guessFormat, readFormats } from '../../src/transfer/formats.ts'
import type { ReadFormat, ReadItem } from '../../src/transfer/transfer.ts'

/** The files to read. `format` is the user's choice; without it, the format of each file is guessed. */
export interface FilesToRead {
  readonly files: readonly File[]
  readonly format?: string
}

/** A message about the progress of reading. `file` is the index of the file. */
export type ReadingMessage =
  | { readonly kind: 'file'; readonly file: number; readonly format?: string; readonly allowsDuplicates: boolean }
  /** Items of a file, and the number of bytes read so far of all files. */
  | { readonly kind: 'items'; readonly file: number; readonly items: readonly ReadItem[]; readonly bytes: number }
  | { readonly kind: 'failed'; readonly file: number; readonly reason: string }
  | { readonly kind: 'end' }

const itemsPerMessage = 500
const headCharacters = 4096

async function* readBytes(file: File): AsyncGenerator<Uint8Array, void, undefined> {
  // Not every browser supports async iteration of streams.
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
      while (head.length < headCharacters) {
        const chunk = await pull()
        if (chunk === undefined) break
        held.push(chunk)
        head += chunk
      }
      return head.slice(0, headCharacters)
    },
    async *chunks(onChunk: (characters: number) => void): AsyncGenerator<string, void, undefined> {
      for (;;) {
        const chunk = held.shift() ?? (await pull())
        if (chunk === undefined) return
        onChunk(chunk.length)
        yield chunk
      }
    },
    close: () => text.return(),
  }
}

/** Checks the head of a file for NUL, which no text contains, but nearly every image, archive and program. */
const isText = async (file: File): Promise<boolean> => {
  const head = new Uint8Array(await file.slice(0, headBytes).arrayBuffer())
  return !new TextDecoder(findEncoding(head)).decode(head).includes('\0')
}

/** Decodes a file to its end, so that no items come from a file in another encoding. @throws EncodingError */
const checkText = async (file: File): Promise<void> => {
  const text = decodeText(readBytes(file))
  while (!(await text.next()).done);
}

const findFormat = (head: string, name: string, chosen: string | undefined): ReadFormat | undefined =>
  chosen === undefined ? guessFormat(head, name) : readFormats.find((format) => format.name === chosen)

/** Reads files and posts their items in batches. An unreadable file does not stop the others. */
export const readFiles = async (
  { files, format: chosen }: FilesToRead,
  post: (message: ReadingMessage) => void,
): Promise<void> => {
  let bytesBefore = 0
  for (const [index, file] of files.entries()) {
    const text = openText(file)
    try {
      const isRead = await isText(file)
      if (isRead) await checkText(file)
      const format = isRead ? findFormat(await text.head(), file.name, chosen) : undefined
      const named = format === undefined ? {} : { format: format.name }
      post({ kind: 'file', file: index, ...named, allowsDuplicates: format?.allowsDuplicates ?? false })
      if (format !== undefined) {
        let characters = 0
        let items: ReadItem[] = []
        const flush = () => {
          // Characters are not bytes, but accurate enough for a progress bar.
          post({ kind: 'items', file: index, items, bytes: bytesBefore + Math.min(characters, file.size) })
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
      post({ kind: 'failed', file: index, reason: fault instanceof Error ? fault.message : String(fault) })
    } finally {
      await text.close()
    }
    bytesBefore += file.size
  }
  post({ kind: 'end' })
}
