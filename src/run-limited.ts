/** Runs work at most `atOnce` at a time; the rest waits in the order in which it came. */
export const createRunLimited = (atOnce: number) => {
  let running = 0
  const waiting: (() => void)[] = []

  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) await new Promise<void>((start) => waiting.push(start))
    else running++
    try {
      return await work()
    } finally {
      // The place goes to the next in line, so that nobody who comes now can take it.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
