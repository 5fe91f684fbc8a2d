import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { isConnectionError } from '../http/connection-error.ts'

/** How long an orderly end may take after a fault; then the process ends as it is. */
const endMilliseconds = 30_000

/** The code that what is in memory of the data, and the lock on it, depend on. */
const backends = ['../store/', '../folder/'].map((path) => new URL(path, import.meta.url))

/**
 * What is done about an error that nobody caught, thrown in a listener or a timer, or a rejection that nobody awaits:
 * nothing (`connection`) when a connection broke; `goOn` when its stack shows that it passed only through code that
 * forgets a request with its answer; `end` when it passed through what keeps the data, which may then be in memory what
 * it is not on the disk, or wait for something that never comes, and when nothing says where it comes from.
 */
export const judgeFault = (error: unknown): 'connection' | 'goOn' | 'end' => {
  if (isConnectionError(error)) return 'connection'
  const frames = (error instanceof Error ? (error.stack ?? '') : '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line) && !/\(?node:internal\//.test(line))
  const isBackends = frames.some((frame) =>
    backends.some((room) => frame.includes(room.href) || frame.includes(fileURLToPath(room))),
  )
  return frames.length === 0 || isBackends ? 'end' : 'goOn'
}

/** What became of faults. */
interface ProcessGuard {
  /** Resolves, with a word for the log, when the server has to come to an orderly end; a start reads the data anew. */
  readonly endAsked: Promise<string>
  readonly hasAskedForEnd: () => boolean
}

/** Keeps a fault that nobody caught from ending the process in the middle of its work, and logs every one of them. */
export const guardProcess = (log: Logger): ProcessGuard => {
  let hasAsked = false
  const endAsked = new Promise<string>((resolve) => {
    const judge = (error: unknown): void => {
      const verdict = judgeFault(error)
      if (verdict === 'connection') log.debug({ err: error }, 'a connection broke')
      else if (verdict === 'goOn') log.error({ err: error }, 'a fault that nobody caught; the server goes on')
      else {
        log.fatal({ err: error }, 'a fault in what keeps the data; the server ends and can be started again')
        hasAsked = true
        setTimeout(() => process.exit(1), endMilliseconds).unref()
        resolve('a fault')
      }
    }
    process.on('uncaughtException', judge).on('unhandledRejection', judge)
  })
  return { endAsked, hasAskedForEnd: () => hasAsked }
}
