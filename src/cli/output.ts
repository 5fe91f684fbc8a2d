import { open } from 'node:fs/promises'
import { CommandFailed } from '../runtime/command-errors.ts'

/**
 * Ends a command without an error when its reader has ended: it stopped early (`| head`), or the terminal was closed.
 * Prints a sentence for any other failure of standard output, and sets the exit code 1.
 */
export function endQuietlyWithReader(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (isReaderClosed(error)) return
      process.exitCode = 1
      if (stream === process.stdout) {
        process.stderr.write(`thingsync: standard output cannot be written (${error.code ?? error.message})\n`)
      }
    })
  }
}

/** Returns true for the error of a write to a pipe or a terminal whose other end is closed. */
export const isReaderClosed = ({ code }: NodeJS.ErrnoException): boolean => code === 'EPIPE' || code === 'EIO'

/** Formats rows as lines of aligned columns under a heading. Every row has the same names. */
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

/** Formats Unix time in seconds as a date and time in UTC. */
export const showDate = (unixSeconds: number): string =>
  new Date(unixSeconds * 1000).toISOString().replace(/\.000Z$/, 'Z')

// V8 keeps texts of more than 128 KB in a separate space, and frees them only in a full garbage collection.
const chunkBytes = 64 * 1024

/**
 * Reads a file, or standard input for `-`, as text in chunks, in the encoding that `decodeText` finds.
 * @throws CommandFailed when it cannot be read or is not text
 */
export async function* readTextFile(path: string): AsyncGenerator<string, void, undefined> {
  // Loaded here only: every command loads this file, and few read text.
  const { decodeText, EncodingError } = await import('../transfer/decode-text.ts')
  try {
    yield* decodeText(readBytes(path))
  } catch (error) {
    if (error instanceof EncodingError)
      throw new CommandFailed(`${path === '-' ? 'standard input' : path}: ${error.message}`)
    throw error
  }
}

/** Checks that all of a file is text. @throws CommandFailed when it cannot be read or is not text */
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
      error.code === 'ENOENT' ? `the file ${path} does not exist` : `${path} cannot be read (${error.code})`,
    )
  }
}

async function* readFileBytes(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  const file = await open(path)
  try {
    // One buffer for the whole file: the buffers of a stream pile up until the garbage collector runs.
    const buffer = Buffer.allocUnsafe(chunkBytes)
    const { size } = await file.stat()
    for (let read = 0; ; ) {
      const { bytesRead } = await file.read(buffer, 0, chunkBytes)
      if (bytesRead === 0 && read < size)
        throw new CommandFailed(`${path} became shorter while it was read; import it again when it is complete`)
      if (bytesRead === 0) return
      read += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}
