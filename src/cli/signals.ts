import { constants } from 'node:os'

/**
 * Resolves at the first SIGTERM or SIGINT, for an orderly end; the second one ends the process at once, with the exit
 * code that shells give to a signal (128 and its number).
 */
export function awaitStopSignal(): Promise<NodeJS.Signals> {
  let isFirst = true
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (!isFirst) process.exit(128 + constants.signals[signal])
        isFirst = false
        resolve(signal)
      })
    }
  })
}
