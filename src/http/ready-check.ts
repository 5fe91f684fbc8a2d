/** For how long a verdict of the store is given to all who ask. */
export const keptMilliseconds = 5_000

/**
 * Asks the store whether it could take a write, for anybody who asks and at most once in 5 s: the store's check writes
 * and syncs. All who ask meanwhile, and until 5 s after it ended, get the verdict of the same check. `now` is a clock
 * that is never set back, in milliseconds.
 */
export const createReadyCheck = (
  check: () => Promise<void>,
  now: () => number = () => performance.now(),
): (() => Promise<void>) => {
  let last: { readonly verdict: Promise<void>; endedAt: number | undefined } | undefined

  return () => {
    const isFresh = last !== undefined && (last.endedAt === undefined || now() - last.endedAt < keptMilliseconds)
    if (last !== undefined && isFresh) return last.verdict
    const asked: typeof last = { verdict: check(), endedAt: undefined }
    const noteEnd = (): void => {
      asked.endedAt = now()
    }
    // Both ways, so that a verdict that nobody awaits any more is no unhandled rejection.
    asked.verdict.then(noteEnd, noteEnd)
    last = asked
    return asked.verdict
  }
}
