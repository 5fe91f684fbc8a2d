import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { isConnectionError } from '../http/connections.ts'

/** How often it is looked whether the parent is still there. */
const parentCheckMilliseconds = 500

/**
 * What one Ctrl-C, or one stop of a whole group of processes, may come to under npm: the server gets the signal, and so
 * does npm, which forwards it. Counted and not timed, because nothing says how late npm forwards.
 */
const mostOfOneStopUnderNpm = 2

/** Why a server is told to stop. */
type StopReason = NodeJS.Signals | 'npm ended'

/** What signals ask of a server. */
export interface StopSignals {
  /**
   * Resolves when the process is to come to an orderly end: at the first SIGTERM, SIGINT or SIGHUP (the terminal was
   * closed), and when it was started by `npm start` and npm is gone, which forwards only two signals and none that it
   * dies of. A second SIGTERM or SIGINT, under npm a third, ends the process at once, with the exit code that shells give
   * to a signal (128 and its number).
   */
  readonly stopAsked: Promise<StopReason>
  /** From now on a SIGHUP to a process without a terminal, which none can have closed, does this instead. */
  readonly reloadOnHangUp: (reload: () => void) => void
}

/** Listens for signals from now on. */
export function watchSignals(environment: NodeJS.ProcessEnv): StopSignals {
  const mostOfOneStop = environment.npm_lifecycle_event === undefined ? 1 : mostOfOneStopUnderNpm
  let count = 0
  let reload: (() => void) | undefined
  const stopAsked = new Promise((stop: (reason: StopReason) => void) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        count += 1
        if (count > mostOfOneStop) process.exit(128 + constants.signals[signal])
        stop(signal)
      })
    }
    // The system and the shell may each send one.
    process.on('SIGHUP', () => (reload === undefined ? stop('SIGHUP') : reload()))
    if (environment.npm_lifecycle_event === 'start') watchParent(() => stop('npm ended'))
  })
  return {
    stopAsked,
    reloadOnHangUp: (work) => {
      if (!hasTerminal()) reload = work
    },
  }
}

/** True when somebody's terminal is where this process reads or writes. */
export const hasTerminal = (): boolean => process.stdin.isTTY === true || process.stdout.isTTY === true

function watchParent(onEnd: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    onEnd()
  }, parentCheckMilliseconds)
  timer.unref()
}

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
