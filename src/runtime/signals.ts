import { constants } from 'node:os'

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
