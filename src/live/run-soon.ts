/** Runs things soon, each once however often it was asked for meanwhile. */
export type RunSoon = (run: () => void) => void

/**
 * What is asked for in one turn of the event loop runs together at its end: many changes that become visible with one
 * commit wake each listener once.
 */
export const createRunSoon = (): RunSoon => {
  const waiting = new Set<() => void>()
  const runAll = (): void => {
    const runs = [...waiting]
    waiting.clear()
    for (const run of runs) run()
  }
  return (run) => {
    if (waiting.size === 0) setImmediate(runAll)
    waiting.add(run)
  }
}
