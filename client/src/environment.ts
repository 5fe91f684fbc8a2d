/** A new id that no other device makes, too: 128 random bits behind a prefix that no id of a server can have. */
export const createRandomId = (): string => {
  // Not randomUUID, which browsers offer to pages behind TLS only.
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return `local-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/**
 * What happened around the program: the device found or lost a network (`network`), or the page is looked at again
 * (`shown`), perhaps after a long sleep.
 */
export type NetworkChange = 'network' | 'shown'

/** Where a program hears of its network; `() => () => undefined` where there is nothing to hear. */
export type WatchNetwork = (listener: (change: NetworkChange) => void) => () => void

type Target = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>

const isTarget = (value: unknown): value is Target =>
  typeof value === 'object' && value !== null && 'addEventListener' in value

/** What pages and workers are told by their browser; Node is told nothing. */
export const watchBrowserNetwork: WatchNetwork = (listener) => {
  const { document } = globalThis as { document?: Document }
  const onNetwork = () => listener('network')
  const onShown = () => {
    if (document?.visibilityState === 'visible') listener('shown')
  }
  const pairs: (readonly [target: unknown, name: string, listener: () => void])[] = [
    [globalThis, 'online', onNetwork],
    [globalThis, 'offline', onNetwork],
    [document, 'visibilitychange', onShown],
  ]
  for (const [target, name, one] of pairs) if (isTarget(target)) target.addEventListener(name, one)
  return () => {
    for (const [target, name, one] of pairs) if (isTarget(target)) target.removeEventListener(name, one)
  }
}

/** Time and chance, as a program has them or as a test decides. */
export interface Pace {
  /** The time in milliseconds since 1970. */
  readonly now: () => number
  /** A number from 0 to below 1. */
  readonly random: () => number
  /** True when the time is over, false as soon as the signal aborts; it never rejects. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<boolean>
}

/** The clock and the chance of this device. */
export const systemPace: Pace = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve(false)
      const end = (isOver: boolean) => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
        resolve(isOver)
      }
      const abort = () => end(false)
      const timer = setTimeout(end, milliseconds, true)
      signal?.addEventListener('abort', abort)
    }),
}

/** How long to wait between attempts. */
export interface Backoff {
  /** The most that is waited after the first failure, in milliseconds; it doubles with each. */
  readonly firstMilliseconds: number
  /** The most that is ever waited, in milliseconds. */
  readonly longestMilliseconds: number
}

/**
 * Milliseconds to wait after this many failures: anything up to the doubled limit (full jitter), so that many devices do
 * not come back together.
 */
export const spread = (failures: number, backoff: Backoff, random: () => number): number =>
  random() * Math.min(backoff.longestMilliseconds, backoff.firstMilliseconds * 2 ** Math.min(failures - 1, 30))

// Timers stand still while a machine sleeps; by looking at the clock this often the end of a long wait is not missed.
const stepMilliseconds = 5_000

/** Waits as `sleep` does, and not longer when the clock was moved or the machine slept meanwhile. */
export const wait = async (pace: Pace, milliseconds: number, signal?: AbortSignal): Promise<boolean> => {
  const endsAt = pace.now() + milliseconds
  let left = milliseconds
  do {
    const step = Math.max(0, Math.min(left, stepMilliseconds, endsAt - pace.now()))
    if (!(await pace.sleep(step, signal))) return false
    left -= step
  } while (left > 0 && pace.now() < endsAt)
  return true
}

/** Runs one piece of work after the other, in the order in which they were given; a failed one fails its caller only. */
export type RunInOrder = <T>(work: () => Promise<T>) => Promise<T>

/** Turns of their own. */
export const createRunInOrder = (): RunInOrder => {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work, work)
    last = next
    return next
  }
}
