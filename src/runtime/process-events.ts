import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { isConnectionError } from '../http/connections.ts'

/** The interval between checks of the parent process. */
const parentCheckMilliseconds = 500

/**
 * Maximum signals of one Ctrl-C, or of one stop of a process group, under npm: the server gets the signal, and npm gets
 * it and forwards it. Signals are counted and not timed, because npm may forward late.
 */
const maxSignalsPerStopUnderNpm = 2

/** Why a server stops. */
type StopReason = NodeJS.Signals | 'npm ended'

/** The requests that signals send to a server. */
export interface StopSignals {
  /**
   * Resolves when the process must stop in an orderly way: at the first SIGTERM, SIGINT or SIGHUP (the terminal was
   * closed). It also resolves when `npm start` started the process and npm has ended, because npm forwards only two
   * signals and none that kills it. A second SIGTERM or SIGINT, under npm a third, ends the process at once. The exit
   * code is then 128 and the number of the signal, as in shells.
   */
  readonly stopRequested: Promise<StopReason>
  /** Makes SIGHUP call `reload` instead, if the process has no terminal that a user could close. */
  readonly reloadOnHangUp: (reload: () => void) => void
}

/** Starts to listen for signals. */
export function watchSignals(environment: NodeJS.ProcessEnv): StopSignals {
  const maxSignalsPerStop = environment.npm_lifecycle_event === undefined ? 1 : maxSignalsPerStopUnderNpm
  let count = 0
  let reload: (() => void) | undefined
  const stopRequested = new Promise((stop: (reason: StopReason) => void) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        count += 1
        if (count > maxSignalsPerStop) process.exit(128 + constants.signals[signal])
        stop(signal)
      })
    }
    // The system and the shell may each send one.
    process.on('SIGHUP', () => (reload === undefined ? stop('SIGHUP') : reload()))
    if (environment.npm_lifecycle_event === 'start') watchParent(() => stop('npm ended'))
  })
  return {
    stopRequested,
    reloadOnHangUp: (work) => {
      if (!hasTerminal()) reload = work
    },
  }
}

/** Returns true when standard input or standard output of this process is a terminal. */
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

/** Maximum time of an orderly end after a fault; then the process exits. */
const endMilliseconds = 30_000

/**
 * The code on which the data in memory, and the lock on the data, depend: folders of the sources, and in the bundle the
 * chunks that `scripts/bundle.mjs` makes of them. A stack names sources there when Node runs with `--enable-source-maps`.
 */
const dataModules = (
  import.meta.url.endsWith('.ts')
    ? ['../store/', '../folder/']
    : ['data.js', 'postgres.js', '../src/store/', '../src/folder/']
).map((path) => new URL(path, import.meta.url))

/**
 * Decides what to do about an uncaught error or an unhandled rejection:
 * - `connection`: a connection broke; do nothing.
 * - `goOn`: its stack passes only through code that forgets a request after its response.
 * - `end`: its stack passes through the modules of the data, or there is no stack. The data in memory may then differ
 *   from the data on disk, or wait for an event that never comes.
 */
export const classifyFault = (error: unknown): 'connection' | 'goOn' | 'end' => {
  if (isConnectionError(error)) return 'connection'
  const frames = (error instanceof Error ? (error.stack ?? '') : '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line) && !/\(?node:internal\//.test(line))
  const concernsData = frames.some((frame) =>
    dataModules.some((folder) => frame.includes(folder.href) || frame.includes(fileURLToPath(folder))),
  )
  return frames.length === 0 || concernsData ? 'end' : 'goOn'
}

/** Says whether a fault must end the server. */
interface ProcessGuard {
  /** Resolves, with a word for the log, when the server must stop; the next start reads the data again from disk. */
  readonly endRequested: Promise<string>
  readonly hasRequestedEnd: () => boolean
}

/** Logs every uncaught error, and keeps it from ending the process in the middle of its work. */
export const guardProcess = (log: Logger): ProcessGuard => {
  let hasRequested = false
  const endRequested = new Promise<string>((resolve) => {
    const handleFault = (error: unknown): void => {
      const action = classifyFault(error)
      if (action === 'connection') log.debug({ err: error }, 'a connection broke')
      else if (action === 'goOn') log.error({ err: error }, 'an uncaught error; the server continues')
      else {
        log.fatal({ err: error }, 'an uncaught error in the store; the server ends; start it again')
        hasRequested = true
        setTimeout(() => process.exit(1), endMilliseconds).unref()
        resolve('an internal error')
      }
    }
    process.on('uncaughtException', handleFault).on('unhandledRejection', handleFault)
  })
  return { endRequested, hasRequestedEnd: () => hasRequested }
}
