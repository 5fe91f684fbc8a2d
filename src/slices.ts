import { setImmediate as nextTurn } from 'node:timers/promises'

/** Long work: it yields wherever it may be interrupted, which is often, and returns what it is for. */
export type Work<Result> = Generator<void, Result, undefined>

/** How long work goes on until other events have their turn. A collection of garbage may come on top. */
const sliceMilliseconds = 1

/** Does all of the work now. */
export const runWhole = <Result>(work: Work<Result>): Result => {
  for (;;) {
    const { value, done } = work.next()
    if (done === true) return value
  }
}

/** Does the work in slices of about a millisecond; before each of them other events have their turn. */
export const runInSlices = async <Result>(work: Work<Result>): Promise<Result> => {
  const pace = createPace()
  // What came before was a slice of its own.
  await pace.rest()
  for (;;) {
    const { value, done } = work.next()
    if (done === true) return value
    if (pace.isDue()) await pace.rest()
  }
}

/** Does short work now, and long work in slices. */
export const runBySize = <Result>(work: Work<Result>, isLong: boolean): Result | Promise<Result> =>
  isLong ? runInSlices(work) : runWhole(work)

/** Tells work that is done step by step when to let other events have their turn. */
export interface Pace {
  readonly isDue: () => boolean
  /** Resolves when the others have had it. */
  readonly rest: () => Promise<void>
}

/** A slice begins now. */
export const createPace = (): Pace => {
  let start = performance.now()
  return {
    isDue: () => performance.now() - start > sliceMilliseconds,
    rest: async () => {
      await nextTurn()
      start = performance.now()
    },
  }
}
