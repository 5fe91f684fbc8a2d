import { ApiError } from '../api-error.ts'
import type { Session } from '../store/registry/registry.ts'
import type { SharedCounts, Store } from '../store/store.ts'
import type { Presence } from '../wire/event-stream.ts'

/** A request that waits for changes: its session, its access token and its presence. */
export interface Listener {
  readonly session: Pick<Session, 'id' | 'userId'>
  readonly accessToken: string
  readonly presence: Presence
}

/** The parts that all listeners share. */
export interface LiveContext {
  readonly store: Store
  readonly waitSlots: WaitSlots
  readonly timerWheel: TimerWheel
  readonly runSoon: RunCoalesced
  /** Tells whether the token with this hash is still valid. */
  readonly isValid: (accessHash: string) => Promise<boolean>
}

/** Calls `onClosed` when the response ends or breaks off, or now if it already has. */
export const onceClosed = (presence: Presence, onClosed: () => void): void => {
  if (presence.closed) onClosed()
  else presence.once('close', onClosed)
}

/** The slots of requests that wait for changes, so many for each session. */
interface WaitSlots {
  /**
   * Takes a slot for a session; returns the function that releases it.
   * @throws ApiError `tooManyWaiting` when the session has no free slot; StoreError
   */
  readonly acquire: (session: Pick<Session, 'id' | 'userId'>) => Promise<() => void>
}

const retryAfterSeconds = 5

const createTooManyError = (max: number): ApiError => new ApiError('tooManyWaiting', { max, retryAfterSeconds })

/** Creates slots, `max` for each session. All are free. */
export const createWaitSlots = (max: number): WaitSlots => {
  const taken = new Map<string, number>()
  return {
    acquire: async ({ id }) => {
      const count = taken.get(id) ?? 0
      if (count >= max) throw createTooManyError(max)
      taken.set(id, count + 1)
      let isReleased = false
      return () => {
        if (isReleased) return
        isReleased = true
        const others = (taken.get(id) ?? 1) - 1
        if (others === 0) taken.delete(id)
        else taken.set(id, others)
      }
    },
  }
}

/** Creates slots that all processes of a store share, `max` for each session. */
export const createSharedWaitSlots = (max: number, { takeSlot }: SharedCounts): WaitSlots => ({
  acquire: async ({ userId, id }) => {
    const release = await takeSlot(userId, id, max)
    if (release === undefined) throw createTooManyError(max)
    return release
  },
})

/** An entry of the timer wheel. `onTick` is called once in each round. */
export interface TimerWheelEntry {
  readonly onTick: () => void
  /** Called when the wheel stops permanently. */
  readonly stop: () => void
}

/** A single timer for all listeners, instead of a timer for each. */
interface TimerWheel {
  /** Adds an entry; returns the function that removes it. */
  readonly join: (entry: TimerWheelEntry) => () => void
  /** Counts the entries. */
  readonly count: () => number
  /** Stops all entries, and those that join later. */
  readonly stop: () => void
}

/** The slots of a round: entries that join at the same moment tick at different times. */
const slotCount = 25

/** Creates a wheel with one round in so many seconds. Its timer runs only while it has entries. */
export const createTimerWheel = (roundSeconds: number): TimerWheel => {
  const slots = Array.from({ length: slotCount }, () => new Set<TimerWheelEntry>())
  let [count, currentSlot, nextSlot] = [0, 0, 0]
  let ticker: NodeJS.Timeout | undefined
  let isStopped = false

  const tick = (): void => {
    currentSlot = (currentSlot + 1) % slotCount
    for (const entry of slots[currentSlot] ?? []) entry.onTick()
  }
  const leave = (slot: Set<TimerWheelEntry>, entry: TimerWheelEntry): void => {
    if (!slot.delete(entry)) return
    count -= 1
    if (count > 0) return
    clearInterval(ticker)
    ticker = undefined
  }

  return {
    join: (entry) => {
      if (isStopped) {
        entry.stop()
        return () => undefined
      }
      nextSlot = (nextSlot + 1) % slotCount
      const slot = slots[nextSlot] as Set<TimerWheelEntry>
      slot.add(entry)
      count += 1
      ticker ??= setInterval(tick, (roundSeconds * 1000) / slotCount).unref()
      return () => leave(slot, entry)
    },
    count: () => count,
    stop: () => {
      isStopped = true
      for (const slot of slots) for (const entry of slot) entry.stop()
    },
  }
}

/** Runs a function soon, and once for all calls until then. */
type RunCoalesced = (run: () => void) => void

/**
 * Creates a `RunCoalesced` that runs all functions at the end of the current turn of the event loop. Thus many changes
 * that become visible with one commit wake each listener once.
 */
export const createRunCoalesced = (): RunCoalesced => {
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
