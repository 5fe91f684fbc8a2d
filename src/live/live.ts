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

/** How clients hear of changes as they happen (contract, delivery: live). */
export interface Live {
  /** How many requests wait for changes at the moment. */
  readonly countListeners: () => number
  /**
   * Events with the account's position: at once, and after each change that another session made.
   * @throws ApiError `tooManyWaiting`
   */
  readonly openEvents: (listener: Listener) => Promise<EventStream>
  /**
   * Resolves as soon as the account is not at position `from`, when another session has changed it, after so many seconds,
   * and when the client is gone or the server stops.
   * @throws ApiError `tooManyWaiting`; `tokenInvalid` when the token ended meanwhile
   */
  readonly waitForChange: (listener: Listener, from: number, seconds: number) => Promise<void>
}

/** What listening may take. */
interface LiveOptions {
  /** Requests of one session that may wait at a time. */
  readonly maxWaitsPerSession: number
  /** How often a silent stream says that it is alive; within this time it is noticed that a token has ended. */
  readonly keepAliveSeconds: number
  /** Ends all waiting, because the server stops. */
  readonly stopping?: AbortSignal | undefined
}

/** Nobody listens yet. */
export const createLive = (store: Store, environment: Environment, rules: LiveOptions): Live => {
  const { maxWaitsPerSession, keepAliveSeconds, stopping } = rules
  const { shared } = store
  const timerWheel = createTimerWheel(keepAliveSeconds)
  if (stopping?.aborted === true) timerWheel.stop()
  stopping?.addEventListener('abort', timerWheel.stop, { once: true })

  const isValid = async (accessHash: string): Promise<boolean> => {
    try {
      return await isTokenValid(store, accessHash, environment)
    } catch (error) {
      // A store that cannot be asked says nothing against the token.
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

/** The wait of a sync (`Live.waitForChange`). */
const waitForChange = async (
  context: LiveContext,
  listener: Listener,
  from: number,
  seconds: number,
): Promise<void> => {
  const { store, waitSlots, isValid } = context
  const { session, accessToken, presence } = listener
  if ((await store.read(session.userId)).position !== from) return
  const leave = await waitSlots.acquire(session)
  const accessHash = hashSecret(accessToken)
  try {
    await waitForEvent(context, listener, from, { seconds, accessHash })
  } finally {
    leave()
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
  // Node keeps one list of timers for each length: these are 60 for all who wait.
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
    // What became visible before the watch began.
    if ((await store.read(session.userId)).position === from) await woken
  } finally {
    clearTimeout(timer)
    unwatch()
    unwatchSession()
    leaveWheel()
  }
}
