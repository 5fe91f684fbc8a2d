import { open } from 'node:fs/promises'
import { CommandFailed } from './command-failed.ts'

const chunkBytes = 256 * 1024

/** A file as text in chunks, or standard input for `-`: UTF-8, or UTF-16 where a byte order mark says so. */
export async function* readTextFile(path: string): AsyncGenerator<string, void, undefined> {
  let decoder: TextDecoder | undefined
  for await (const bytes of readBytes(path)) {
    decoder ??= new TextDecoder(findEncoding(bytes))
    yield decoder.decode(bytes, { stream: true })
  }
  const rest = decoder?.decode() ?? ''
  if (rest !== '') yield rest
}

const findEncoding = ([first, second]: Uint8Array): string => {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}

async function* readBytes(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  if (path === '-') {
    yield* process.stdin
    return
  }
  try {
    const file = await open(path)
    yield* file.createReadStream({ highWaterMark: chunkBytes })
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error
    throw new CommandFailed(
      error.code === 'ENOENT' ? `there is no file ${path}` : `${path} cannot be read (${error.code})`,
    )
  }
}
