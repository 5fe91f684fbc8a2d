import { hashSecret, isTokenValid } from '../accounts/sessions.ts'
import { ApiError } from '../api-error.ts'
import type { Environment } from '../environment.ts'
import { type Store, StoreError } from '../store/store.ts'
import type { EventStream } from '../wire/event-stream.ts'
import { openEvents } from './event-stream.ts'
import {
  createRunCoalesced,
  createSharedWaitSlots,
  createTimerWheel,
  createWaitSlots,
  type Listener,
  type LiveContext,
  onceClosed,
} from './listeners.ts'

/**
 * Long polling and server-sent events (SSE): it notifies waiting clients of changes (contract, delivery: live).
 * This folder must know neither HTTP nor Koa: it is given a `Presence` and an `EventClient`. Start reading here.
 */
export interface Live {
  /** Counts the requests that wait for changes now. */
  readonly countListeners: () => number
  /**
   * Opens a stream of events with the account's position: the first at once, the others after changes by other
   * sessions.
   * @throws ApiError `tooManyWaiting`; StoreError
   */
  readonly openEvents: (listener: Listener) => Promise<EventStream>
  /**
   * Resolves at once when the account is not at position `from`. Otherwise it resolves when another session has changed
   * the account, after so many seconds, when the client has closed the connection, or when the server stops.
   * @throws ApiError `tooManyWaiting`; `tokenInvalid` when the token expired meanwhile; StoreError
   */
  readonly waitForChange: (listener: Listener, from: number, seconds: number) => Promise<void>
}

/** The limits of waiting requests. */
interface LiveOptions {
  /** Requests of one session that may wait at a time. */
  readonly maxWaitsPerSession: number
  /** Seconds between the comments of a silent stream. An expired token is noticed within this time. */
  readonly keepAliveSeconds: number
  /** Ends all waiting when the server stops. */
  readonly stopping?: AbortSignal | undefined
}

/** Creates the notification of waiting clients, without any listener. */
export const createLive = (store: Store, environment: Environment, options: LiveOptions): Live => {
  const { maxWaitsPerSession, keepAliveSeconds, stopping } = options
  const { shared } = store
  const timerWheel = createTimerWheel(keepAliveSeconds)
  if (stopping?.aborted === true) timerWheel.stop()
  stopping?.addEventListener('abort', timerWheel.stop, { once: true })

  const isValid = async (accessHash: string): Promise<boolean> => {
    try {
      return await isTokenValid(store, accessHash, environment)
    } catch (error) {
      // A failed store is no evidence against the token.
      if (error instanceof StoreError) return true
      throw error
    }
  }

  const context: LiveContext = {
    store,
    timerWheel,
    waitSlots:
      shared === undefined ? createWaitSlots(maxWaitsPerSession) : createSharedWaitSlots(maxWaitsPerSession, shared),
    runSoon: createRunCoalesced(),
    isValid,
  }
  return {
    countListeners: timerWheel.count,
    openEvents: (listener) => openEvents(context, listener),
    waitForChange: (listener, from, seconds) => waitForChange(context, listener, from, seconds),
  }
}

/** Waits for a change during long polling (`Live.waitForChange`). */
const waitForChange = async (
  context: LiveContext,
  listener: Listener,
  from: number,
  seconds: number,
): Promise<void> => {
  const { store, waitSlots, isValid } = context
  const { session, accessToken, presence } = listener
  if ((await store.read(session.userId)).position !== from) return
  const releaseSlot = await waitSlots.acquire(session)
  const accessHash = hashSecret(accessToken)
  try {
    await waitForEvent(context, listener, from, { seconds, accessHash })
  } finally {
    releaseSlot()
  }
  if (!presence.closed && !(await isValid(accessHash))) throw new ApiError('tokenInvalid')
}

const waitForEvent = async (
  { store, timerWheel, runSoon, isValid }: LiveContext,
  { session, presence }: Listener,
  from: number,
  { seconds, accessHash }: { readonly seconds: number; readonly accessHash: string },
): Promise<void> => {
  let wake: () => void = () => undefined
  const woken = new Promise<void>((resolve) => {
    wake = resolve
  })
  // Cheap for many listeners: Node keeps a list of timers for each duration, and there are at most 60 durations.
  const timer = setTimeout(wake, seconds * 1000)
  const unwatch = store.watch(session.userId, ({ position, writer }) => {
    if (position > from && writer !== session.id) runSoon(wake)
  })
  const unwatchSession = store.watchSession(session.id, wake)
  const leaveWheel = timerWheel.join({
    onTick: () => void isValid(accessHash).then((valid) => valid || wake()),
    stop: wake,
  })
  onceClosed(presence, wake)
  try {
    // A change may have become visible before the watch began.
    if ((await store.read(session.userId)).position === from) await woken
  } finally {
    clearTimeout(timer)
    unwatch()
    unwatchSession()
    leaveWheel()
  }
}
