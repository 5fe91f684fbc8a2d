import { isTokenValid } from '../accounts/find-session.ts'
import { type Store, StoreFailed } from '../store/store.ts'
import type { EventStream } from '../wire/events.ts'
import type { World } from '../world.ts'
import type { Listener, Listening } from './listening.ts'
import { openEvents } from './open-events.ts'
import { createRunSoon } from './run-soon.ts'
import { createSeats, createSharedSeats } from './seats.ts'
import { waitForChange } from './wait-for-change.ts'
import { createWheel } from './wheel.ts'

/** How clients hear of changes as they happen (contract, delivery: live). */
export interface Live {
  /** How many requests wait for changes at the moment. */
  readonly countListeners: () => number
  /**
   * Events with the account's position: at once, and after each change that another session made.
   * @throws Refused `tooManyWaiting`
   */
  readonly openEvents: (listener: Listener) => Promise<EventStream>
  /**
   * Resolves as soon as the account is not at position `from`, when another session has changed it, after so many seconds,
   * and when the client is gone or the server stops.
   * @throws Refused `tooManyWaiting`; `tokenInvalid` when the token ended meanwhile
   */
  readonly waitForChange: (listener: Listener, from: number, seconds: number) => Promise<void>
}

/** What listening may take. */
export interface LiveRules {
  /** Requests of one session that may wait at a time. */
  readonly waitingPerSession: number
  /** How often a silent stream says that it is alive; within this time it is noticed that a token has ended. */
  readonly commentSeconds: number
  /** Ends all waiting, because the server stops. */
  readonly stopping?: AbortSignal | undefined
}

/** Nobody listens yet. */
export const createLive = (store: Store, world: World, rules: LiveRules): Live => {
  const { waitingPerSession, commentSeconds, stopping } = rules
  const { shared } = store
  const wheel = createWheel(commentSeconds)
  if (stopping?.aborted === true) wheel.stop()
  stopping?.addEventListener('abort', wheel.stop, { once: true })

  const isValid = async (accessHash: string): Promise<boolean> => {
    try {
      return await isTokenValid(store, accessHash, world)
    } catch (error) {
      // A store that cannot be asked says nothing against the token.
      if (error instanceof StoreFailed) return true
      throw error
    }
  }

  const listening: Listening = {
    store,
    wheel,
    seats: shared === undefined ? createSeats(waitingPerSession) : createSharedSeats(waitingPerSession, shared),
    runSoon: createRunSoon(),
    isValid,
  }
  return {
    countListeners: wheel.count,
    openEvents: (listener) => openEvents(listening, listener),
    waitForChange: (listener, from, seconds) => waitForChange(listening, listener, from, seconds),
  }
}
