/** Runs pieces of work one after the other, per key; work of different keys does not wait for each other. */
export interface Turns {
  /** @throws what the work throws; the next piece of work runs all the same */
  readonly take: <T>(key: string, work: () => Promise<T>) => Promise<T>
  /** Resolves when all work that was begun or waits is done. */
  readonly settle: () => Promise<void>
}

/** Turns that nobody has taken yet. */
export const createTurns = (): Turns => {
  const last = new Map<string, Promise<unknown>>()

  const take = <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const before = last.get(key) ?? Promise.resolve()
    const result = before.then(work)
    // The next in turn waits for the end, good or bad; who took the turn gets the error.
    const leave = (): void => {
      if (last.get(key) === end) last.delete(key)
    }
    const end: Promise<void> = result.then(leave, leave)
    last.set(key, end)
    return result
  }

  const settle = async (): Promise<void> => {
    while (last.size > 0) await Promise.all(last.values())
  }

  return { take, settle }
}
