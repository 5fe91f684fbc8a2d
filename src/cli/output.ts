import { open } from 'node:fs/promises'
import { CommandFailed } from '../runtime/command-errors.ts'
import { decodeText, EncodingError } from '../transfer/decode-text.ts'

/**
 * Lets a command end in peace when nobody reads what it writes: the reader left early (`| head`), or the terminal was
 * closed. Any other failure of standard output is said in a sentence, and the exit code is 1.
 */
export function endQuietlyWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (isReaderGone(error)) return
      process.exitCode = 1
      if (stream === process.stdout) {
        process.stderr.write(`thingsync: standard output cannot be written (${error.code ?? error.message})\n`)
      }
    })
  }
}

/** True for the error of writing to a pipe or a terminal whose other end is closed. */
export const isReaderGone = ({ code }: NodeJS.ErrnoException): boolean => code === 'EPIPE' || code === 'EIO'

/** Rows as lines of aligned columns under a heading; every row has the same names. */
export function printTable(rows: readonly Readonly<Record<string, string>>[]): string {
  const names = Object.keys(rows[0] ?? {})
  const heading = Object.fromEntries(names.map((name) => [name, name.replaceAll('_', ' ')]))
  const widths = names.map((name) => Math.max(...[heading, ...rows].map((row) => (row[name] ?? '').length)))
  const line = (row: Readonly<Record<string, string>>) =>
    names
      .map((name, column) => (row[name] ?? '').padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [heading, ...rows].map((row) => `${line(row)}\n`).join('')
}

/** Unix time in seconds as a person reads it, in UTC. */
export const showDate = (unixSeconds: number): string =>
  new Date(unixSeconds * 1000).toISOString().replace(/\.000Z$/, 'Z')

// Texts of more than 128 KB are kept apart by V8, until it cleans up everything.
const chunkBytes = 64 * 1024

/** A file as text in chunks, or standard input for `-`, in the encoding that `decodeText` finds. @throws CommandFailed */
export async function* readTextFile(path: string): AsyncGenerator<string, void, undefined> {
  try {
    yield* decodeText(readBytes(path))
  } catch (error) {
    if (error instanceof EncodingError)
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
