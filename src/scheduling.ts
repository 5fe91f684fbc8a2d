import { setImmediate as nextTurn } from 'node:timers/promises'

/** Long work: it yields wherever it may be interrupted, which is often, and returns what it is for. */
export type Work<Result> = Generator<void, Result, undefined>

/** How long work goes on until other events have their turn. A collection of garbage may come on top. */
const sliceMilliseconds = 1

/** Does all of the work now. */
export const runToEnd = <Result>(work: Work<Result>): Result => {
  for (;;) {
    const { value, done } = work.next()
    if (done === true) return value
  }
}

/** Does the work in slices of about a millisecond; before each of them other events have their turn. */
export const runInSlices = async <Result>(work: Work<Result>): Promise<Result> => {
  const pace = createSliceTimer()
  // What came before was a slice of its own.
  await pace.yieldTurn()
  for (;;) {
    const { value, done } = work.next()
    if (done === true) return value
    if (pace.isDue()) await pace.yieldTurn()
  }
}

/** Does short work now, and long work in slices. */
export const runBySize = <Result>(work: Work<Result>, isLong: boolean): Result | Promise<Result> =>
  isLong ? runInSlices(work) : runToEnd(work)

/** Tells work that is done step by step when to let other events have their turn. */
interface SliceTimer {
  readonly isDue: () => boolean
  /** Resolves when the others have had it. */
  readonly yieldTurn: () => Promise<void>
}

/** A slice begins now. */
export const createSliceTimer = (): SliceTimer => {
  let start = performance.now()
  return {
    isDue: () => performance.now() - start > sliceMilliseconds,
    yieldTurn: async () => {
      await nextTurn()
      start = performance.now()
    },
  }
}

/** Runs work at most `maxConcurrentChunks` at a time; the rest waits in the order in which it came. */
export const createConcurrencyLimiter = (atOnce: number) => {
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
