import { ApiError } from '../api-error.ts'
import type { Session } from '../store/registry/registry.ts'
import type { SharedCounts, Store } from '../store/store.ts'
import type { Presence } from '../wire/event-stream.ts'

/** Who wants to hear of changes, by which token, and whether it is still there. */
export interface Listener {
  readonly session: Pick<Session, 'id' | 'userId'>
  readonly accessToken: string
  readonly presence: Presence
}

/** What all who listen share. */
export interface LiveContext {
  readonly store: Store
  readonly waitSlots: WaitSlots
  readonly timerWheel: TimerWheel
  readonly runSoon: RunCoalesced
  /** Whether the token with this hash still works. */
  readonly isValid: (accessHash: string) => Promise<boolean>
}

/** Calls `leave` when the answer is over, however it ends. */
export const onceClosed = (presence: Presence, leave: () => void): void => {
  if (presence.closed) leave()
  else presence.once('close', leave)
}

/** Who waits for changes: so many requests of each session at a time. */
interface WaitSlots {
  /**
   * Takes a seat for a session; gives how it is left.
   * @throws ApiError `tooManyWaiting` when the session has all of its seats; StoreFailed
   */
  readonly acquire: (session: Pick<Session, 'id' | 'userId'>) => Promise<() => void>
}

const retryAfterSeconds = 5

const createTooManyError = (max: number): ApiError => new ApiError('tooManyWaiting', { max, retryAfterSeconds })

/** Nobody waits; `most` is how many requests of one session may. */
export const createWaitSlots = (max: number): WaitSlots => {
  const taken = new Map<string, number>()
  return {
    acquire: async ({ id }) => {
      const count = taken.get(id) ?? 0
      if (count >= max) throw createTooManyError(max)
      taken.set(id, count + 1)
      let isLeft = false
      return () => {
        if (isLeft) return
        isLeft = true
        const others = (taken.get(id) ?? 1) - 1
        if (others === 0) taken.delete(id)
        else taken.set(id, others)
      }
    },
  }
}

/** Seats that the processes of a store have together. */
export const createSharedWaitSlots = (max: number, { takeSlot: takeSeat }: SharedCounts): WaitSlots => ({
  acquire: async ({ userId, id }) => {
    const leave = await takeSeat(userId, id, max)
    if (leave === undefined) throw createTooManyError(max)
    return leave
  },
})

/** Somebody whose turn comes once in each round of the wheel. */
export interface TimerWheelEntry {
  readonly onTick: () => void
  /** The wheel stops for good. */
  readonly stop: () => void
}

/** One ticker for all who wait, instead of a timer for each. */
interface TimerWheel {
  /** Gives how to get off. */
  readonly join: (entry: TimerWheelEntry) => () => void
  /** How many are on it. */
  readonly count: () => number
  /** Stops everybody who is on it, and whoever joins later. */
  readonly stop: () => void
}

/** The parts of a round: who joins at the same moment has turns at different ones. */
const slotCount = 25

/** A wheel that turns once in so many seconds. It stands still while nobody is on it. */
export const createTimerWheel = (roundSeconds: number): TimerWheel => {
  const slots = Array.from({ length: slotCount }, () => new Set<TimerWheelEntry>())
  let [count, current, nextSeat] = [0, 0, 0]
  let ticker: NodeJS.Timeout | undefined
  let isStopped = false

  const tick = (): void => {
    current = (current + 1) % slotCount
    for (const entry of slots[current] ?? []) entry.onTick()
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
      nextSeat = (nextSeat + 1) % slotCount
      const slot = slots[nextSeat] as Set<TimerWheelEntry>
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

/** Runs things soon, each once however often it was asked for meanwhile. */
type RunCoalesced = (run: () => void) => void

/**
 * What is asked for in one turn of the event loop runs together at its end: many changes that become visible with one
 * commit wake each listener once.
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
