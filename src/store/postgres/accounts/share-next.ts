/**
 * Runs work for all who ask while it waits to begin: whoever asks is served by a run that began afterwards. One run goes
 * on at a time.
 */
export const shareNext = (work: () => Promise<void>): (() => Promise<void>) => {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  const run = (): Promise<void> => {
    const begun = work().finally(() => {
      running = undefined
    })
    running = begun
    return begun
  }

  return () => {
    if (running === undefined) return run()
    const begin = (): Promise<void> => {
      next = undefined
      return run()
    }
    next ??= running.then(begin, begin)
    return next
  }
}
