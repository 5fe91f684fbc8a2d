import { open } from 'node:fs/promises'
import { CommandFailed } from '../runtime/command-failed.ts'
import { decodeText, EncodingWrong } from '../transfer/decode-text.ts'

// Texts of more than 128 KB are kept apart by V8, until it cleans up everything.
const chunkBytes = 64 * 1024

/** A file as text in chunks, or standard input for `-`, in the encoding that `decodeText` finds. @throws CommandFailed */
export async function* readTextFile(path: string): AsyncGenerator<string, void, undefined> {
  try {
    yield* decodeText(readBytes(path))
  } catch (error) {
    if (error instanceof EncodingWrong)
      throw new CommandFailed(`${path === '-' ? 'standard input' : path}: ${error.message}`)
    throw error
  }
}

/** Reads a file to its end, to see that all of it is text. @throws CommandFailed */
export async function checkTextFile(path: string): Promise<void> {
  const chunks = readTextFile(path)
  while (!(await chunks.next()).done);
}

async function* readBytes(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  if (path === '-') {
    yield* process.stdin
    return
  }
  try {
    yield* readFileBytes(path)
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error
    throw new CommandFailed(
      error.code === 'ENOENT' ? `there is no file ${path}` : `${path} cannot be read (${error.code})`,
    )
  }
}

async function* readFileBytes(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  const file = await open(path)
  try {
    // One buffer for all of it: those of a stream pile up until the collector runs.
    const buffer = Buffer.allocUnsafe(chunkBytes)
    const { size } = await file.stat()
    for (let read = 0; ; ) {
      const { bytesRead } = await file.read(buffer, 0, chunkBytes)
      if (bytesRead === 0 && read < size)
        throw new CommandFailed(`${path} became shorter while it was read; import it again when it is whole`)
      if (bytesRead === 0) return
      read += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}
