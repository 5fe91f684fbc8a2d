/** Creates an id that is unique among all devices: 128 random bits after a prefix that no id of a server can have. */
export const createRandomId = (): string => {
  // Not randomUUID, which browsers offer only to pages with TLS.
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return `local-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/**
 * A change around the program: the device found or lost a network (`network`), or the page became visible again
 * (`shown`), perhaps after the device was suspended.
 */
export type NetworkChange = 'network' | 'shown'

/**
 * Calls the listener after each change, until the returned function is called. A platform without events never calls
 * it.
 */
export type WatchNetwork = (listener: (change: NetworkChange) => void) => () => void

type Target = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>

const isTarget = (value: unknown): value is Target =>
  typeof value === 'object' && value !== null && 'addEventListener' in value

/** Listens to the events of a browser, in pages and workers. In Node there are no such events. */
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

/** The clock, the timer and the random numbers of the client, so that a test can replace them. */
export interface Pace {
  /** The time in milliseconds since 1970. */
  readonly now: () => number
  /** A number from 0 to below 1. */
  readonly random: () => number
  /** Resolves to true after the time, or to false as soon as the signal aborts; it never rejects. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<boolean>
}

/** The clock, the timer and the random numbers of this device. */
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

/** The waits between attempts. */
export interface Backoff {
  /** Maximum wait after the first failure; it doubles with each failure. */
  readonly firstMilliseconds: number
  /** Maximum wait after any failure. */
  readonly maxMilliseconds: number
}

/**
 * Chooses how many milliseconds to wait after a number of failures: a random time up to the doubled limit (full
 * jitter), so that many devices do not come back at the same time.
 */
export const spread = (failures: number, backoff: Backoff, random: () => number): number =>
  random() * Math.min(backoff.maxMilliseconds, backoff.firstMilliseconds * 2 ** Math.min(failures - 1, 30))

// Timers stand still while a machine is suspended. With a look at the clock this often, a long wait ends in time.
const stepMilliseconds = 5_000

/** Waits as `sleep` does, but not longer when the clock was changed or the machine was suspended meanwhile. */
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

/** Runs one work after the other, in the order of the calls. A failed work rejects only its own promise. */
export type RunInOrder = <T>(work: () => Promise<T>) => Promise<T>

/** Creates an empty queue of works. */
export const createRunInOrder = (): RunInOrder => {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work, work)
    last = next
    return next
  }
}
