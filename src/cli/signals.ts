import { constants } from 'node:os'

/** How often it is looked whether the parent is still there. */
const parentCheckMilliseconds = 500

/** Why a server is told to stop. */
export type StopReason = NodeJS.Signals | 'npm ended'

/**
 * Resolves when the process is to come to an orderly end: at the first SIGTERM, SIGINT or SIGHUP (the terminal was
 * closed), and when it was started by `npm start` and npm is gone, which forwards only two signals and none that it dies
 * of. A second SIGTERM or SIGINT ends the process at once, with the exit code that shells give to a signal (128 and its
 * number).
 */
export function awaitStop(environment: NodeJS.ProcessEnv): Promise<StopReason> {
  let isFirst = true
  return new Promise((resolve) => {
    const stop = (reason: StopReason) => {
      isFirst = false
      resolve(reason)
    }
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (!isFirst) process.exit(128 + constants.signals[signal])
        stop(signal)
      })
    }
    // The system and the shell may each send one.
    process.on('SIGHUP', () => stop('SIGHUP'))
    if (environment.npm_lifecycle_event === 'start') watchParent(() => stop('npm ended'))
  })
}

function watchParent(onEnd: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    onEnd()
  }, parentCheckMilliseconds)
  timer.unref()
}
