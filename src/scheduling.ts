import { setImmediate as nextTurn } from 'node:timers/promises'

/** Long work as a generator: it yields often, wherever it may be interrupted, and returns its result. */
export type Work<Result> = Generator<void, Result, undefined>

/** How long work runs before other events run. A garbage collection may add to it. */
const sliceMilliseconds = 1

/** Runs all of the work synchronously. */
export const runToEnd = <Result>(work: Work<Result>): Result => {
  for (;;) {
    const { value, done } = work.next()
    if (done === true) return value
  }
}

/** Runs the work in slices of about a millisecond. Other events run before each slice. */
export const runInSlices = async <Result>(work: Work<Result>): Promise<Result> => {
  const timer = createSliceTimer()
  // The caller's work was a slice of its own.
  await timer.yieldTurn()
  for (;;) {
    const { value, done } = work.next()
    if (done === true) return value
    if (timer.isDue()) await timer.yieldTurn()
  }
}

/** Runs short work synchronously, and long work in slices. */
export const runBySize = <Result>(work: Work<Result>, isLong: boolean): Result | Promise<Result> =>
  isLong ? runInSlices(work) : runToEnd(work)

/** Measures slices of long work. */
interface SliceTimer {
  /** True when the slice has used its time. */
  readonly isDue: () => boolean
  /** Lets other events run, then begins a new slice. */
  readonly yieldTurn: () => Promise<void>
}

/** Creates a timer whose first slice begins now. */
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

/** Creates a limiter that runs at most `maxConcurrent` calls at a time. Other calls wait in their order. */
export const createConcurrencyLimiter = (maxConcurrent: number) => {
  let running = 0
  const waiting: (() => void)[] = []

  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= maxConcurrent) await new Promise<void>((start) => waiting.push(start))
    else running++
    try {
      return await work()
    } finally {
      // The slot passes to the first in the queue, so that no new call can take it.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}

/** Runs pieces of work one after the other for each key. Work of different keys runs concurrently. */
export interface SerialQueue {
  /** @throws what the work throws; the next piece of work still runs */
  readonly run: <T>(key: string, work: () => Promise<T>) => Promise<T>
  /** Resolves when all running and waiting work is done. */
  readonly settle: () => Promise<void>
}

/** Creates an empty queue. */
export const createSerialQueue = (): SerialQueue => {
  const last = new Map<string, Promise<unknown>>()

  const run = <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const before = last.get(key) ?? Promise.resolve()
    const result = before.then(work)
    // The next piece of work waits for the end, in success or failure; the error goes to this caller.
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

  return { run, settle }
}

/**
 * Creates a function that runs `load` at its first call and returns the same result at every later call. Calls during
 * the load share it. A failure is not cached: the next call loads again.
 */
export const loadOnce = <Loaded>(load: () => Promise<Loaded>): (() => Promise<Loaded>) => {
  let loading: Promise<Loaded> | undefined
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
}
