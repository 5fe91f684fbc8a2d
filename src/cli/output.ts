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
