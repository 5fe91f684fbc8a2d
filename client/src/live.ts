import type { Listener } from './api.ts'
import { ClientError, isClientError } from './client-error.ts'
import type { Client } from './create-client.ts'
import type { ReplicaChange } from './edits.ts'
import {
  type Backoff,
  type NetworkChange,
  type Pace,
  spread,
  systemPace,
  type WatchNetwork,
  wait,
  watchBrowserNetwork,
} from './environment.ts'
import type { ReplicaSyncOptions, ReplicaSyncProgress, ReplicaSyncResult } from './replica-sync.ts'

/** Wakes one waiting work. Wake-ups without a waiting work are coalesced into one. */
interface WakeSignal {
  readonly wake: () => void
  /** Drops a pending wake-up. */
  readonly clear: () => void
  /** Resolves at the next wake-up, or at once if one is pending. Only the promise of the last call resolves. */
  readonly wait: () => Promise<'woken'>
}

/** Creates a signal without a pending wake-up. */
const createWakeSignal = (): WakeSignal => {
  let isPending = false
  let resolveWait: ((word: 'woken') => void) | undefined
  return {
    wake: () => {
      isPending = resolveWait === undefined
      resolveWait?.('woken')
      resolveWait = undefined
    },
    clear: () => {
      isPending = false
    },
    wait: () =>
      new Promise((resolve) => {
        resolveWait = isPending ? undefined : resolve
        if (isPending) resolve('woken')
        isPending = false
      }),
  }
}

/**
 * Runs the work after a quiet time since the last touch, and at the latest ten times that time after the first touch.
 */
const createDebounce = (pace: Pace, quietMilliseconds: number, work: () => void) => {
  let firstAt: number | undefined
  let pause = new AbortController()

  const touch = async (): Promise<void> => {
    firstAt ??= pace.now()
    pause.abort()
    pause = new AbortController()
    const latest = firstAt + 10 * quietMilliseconds - pace.now()
    if (!(await pace.sleep(Math.max(0, Math.min(quietMilliseconds, latest)), pause.signal))) return
    firstAt = undefined
    work()
  }
  return { touch: () => void touch(), stop: () => pause.abort() }
}

/** The inactivity watchdog of a work. */
interface Guard {
  /** Aborts when the work must end. */
  readonly signal: AbortSignal
  /** Reports activity; `limitMilliseconds` replaces the limit of the next silence. */
  readonly heard: (limitMilliseconds?: number) => void
}

/** The limits of a work. */
interface GuardOptions {
  readonly pace: Pace
  /** Ends the work; its promise is then rejected with the reason of the signal. */
  readonly signal: AbortSignal
  /** Maximum silence until the next activity. */
  readonly limitMilliseconds: number
  /** Registers a function that checks the clock at once, and returns a function that removes it. */
  readonly onLook?: (look: () => void) => () => void
}

// Checks the clock instead of one long timer: timers stand still while a machine is suspended.
const stepMilliseconds = 5_000

/**
 * Runs work on a connection that may break without notice. Aborts the work when it was silent for too long, also after
 * the machine was suspended. The rejection does not wait for work that ignores its signal.
 * @throws ClientError `network` when the work was silent for too long
 */
const runGuarded = async <T>(
  { pace, signal, limitMilliseconds, onLook }: GuardOptions,
  work: (guard: Guard) => Promise<T>,
): Promise<T> => {
  const ending = new AbortController()
  let limit = limitMilliseconds
  let heardAt = pace.now()
  const end = () => ending.abort(signal.reason)
  const look = () => {
    if (pace.now() - heardAt < limit) return
    ending.abort(new ClientError('network', `nothing came for ${limit / 1000} seconds`))
  }
  const watch = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      const left = Math.max(0, heardAt + limit - pace.now())
      if (await pace.sleep(Math.min(stepMilliseconds, left), ending.signal)) look()
    }
  }
  if (signal.aborted) end()
  signal.addEventListener('abort', end)
  const forget = onLook?.(look)
  const aborted = new Promise<never>((_, reject) => {
    const throwReason = () => reject(ending.signal.reason)
    if (ending.signal.aborted) throwReason()
    else ending.signal.addEventListener('abort', throwReason)
  })
  void watch()
  const heard = (next = limit) => {
    limit = next
    heardAt = pace.now()
  }
  try {
    return await Promise.race([work({ signal: ending.signal, heard }), aborted])
  } finally {
    signal.removeEventListener('abort', end)
    forget?.()
    // Ends work that goes on after the rejection; no caller waits for it.
    ending.abort()
  }
}

/**
 * How a live replica learns of changes by other devices:
 * - `connecting`: there is no connection yet, or no longer; `nextTryAt` and `lastError` say more.
 * - `live`: by server-sent events (`sync/events`).
 * - `waiting`: by long polling (`sync?wait`), where events do not come through.
 * - `polling`: by polling; the server, or a proxy before it, can do neither.
 * - `offline`: the server cannot be reached; edits wait in the local store.
 * - `signed_out`: the session has ended; edits are kept, and the replica goes on after the next sign-in.
 * - `stopped`: `stop` was called.
 */
export type LiveStatus = 'connecting' | 'live' | 'waiting' | 'polling' | 'offline' | 'signed_out' | 'stopped'

/** The state of a live replica, for display to the user. Times are in milliseconds since 1970. */
export interface LiveState {
  readonly status: LiveStatus
  /** Things and tags with edits that the server has not confirmed. */
  readonly pending: number
  /** The progress of the running sync. */
  readonly progress: ReplicaSyncProgress | undefined
  /** When the last successful sync ended. */
  readonly syncedAt: number | undefined
  /** When the next attempt begins, while none is under way. */
  readonly nextTryAt: number | undefined
  /** The last error; undefined after a successful sync. */
  readonly lastError: unknown
}

/** Holds the state and notifies the listener of each change. */
interface LiveStateHolder {
  readonly read: () => LiveState
  readonly set: (part: Partial<LiveState>) => void
}

/**
 * Creates a holder. It calls the listener in a microtask, so that errors of the listener do not become errors of a
 * sync.
 */
const createLiveStateHolder = (
  first: LiveState,
  listener: ((state: LiveState) => void) | undefined,
): LiveStateHolder => {
  let state = first
  return {
    read: () => state,
    set: (part) => {
      const next = { ...state, ...part }
      const names = Object.keys(next) as (keyof LiveState)[]
      if (names.every((name) => next[name] === state[name])) return
      state = next
      if (listener !== undefined) queueMicrotask(() => listener(next))
    },
  }
}

/** The channels for changes by other devices, the best first: server-sent events, long polling, polling. */
export type ChannelName = 'events' | 'wait' | 'poll'

/** The time limits of the channels. */
export interface ChannelTimes {
  /** Maximum wait for the first event of a stream; it comes at once unless a proxy buffers it. */
  readonly firstEventMilliseconds: number
  /** Maximum silence of a connection; servers send something every 25 s. */
  readonly silenceMilliseconds: number
  /** How long the server may hold a response of long polling. */
  readonly waitMilliseconds: number
  /** The interval of polling; a random quarter is added or subtracted. */
  readonly pollMilliseconds: number
}

/** The context of a channel. */
interface ChannelContext {
  readonly client: Listener
  readonly pace: Pace
  readonly times: ChannelTimes
  /** Wakes when edits wait to be sent, and when other devices have changed something. */
  readonly wakeSignal: WakeSignal
  /** Returns the position of the replica. */
  readonly position: () => number
  readonly syncNow: (signal: AbortSignal) => Promise<void>
  readonly setStatus: (status: LiveStatus, nextTryAt?: number) => void
  /** Reports that this channel works. */
  readonly proven: () => void
  /** Returns whether it is time to try a better channel. */
  readonly isUpgradeDue: () => boolean
  readonly onLook: NonNullable<GuardOptions['onLook']>
}

/**
 * Listens, and syncs after each wake-up, until the connection ends; polling listens for one interval.
 * @throws ClientError `not_offered` when this channel does not work here; all errors of syncs and connections
 */
type Channel = (context: ChannelContext, signal: AbortSignal) => Promise<void>

/** Syncs after each wake-up until `end` resolves, and returns its value. */
const syncUntil = async <T>(
  { wakeSignal, syncNow }: ChannelContext,
  signal: AbortSignal,
  end: Promise<T>,
): Promise<T> => {
  const ending = end.then((value) => ({ value }))
  while (true) {
    const what = await Promise.race([ending, wakeSignal.wait()])
    if (what !== 'woken') return what.value
    await syncNow(signal)
  }
}

const listenByEvents: Channel = async (context, signal) => {
  const { client, pace, times, wakeSignal, position, setStatus, proven, onLook } = context
  const begunAt = pace.now()
  let isHeard = false
  const read = async (guarded: AbortSignal, heard: (limit: number) => void): Promise<void> => {
    for await (const event of client.streamEvents({ signal: guarded })) {
      if (!isHeard) setStatus('live')
      isHeard = true
      heard(times.silenceMilliseconds)
      if (event.kind === 'position' && event.position > position()) wakeSignal.wake()
      if (pace.now() - begunAt >= times.firstEventMilliseconds) proven()
    }
  }
  const limitMilliseconds = times.firstEventMilliseconds
  try {
    await runGuarded({ pace, signal, limitMilliseconds, onLook }, (guard) =>
      syncUntil(context, guard.signal, read(guard.signal, guard.heard)),
    )
  } catch (error) {
    const isBuffered = !isHeard && isClientError(error, 'network') && pace.now() - begunAt >= limitMilliseconds
    if (isBuffered)
      throw new ClientError('not_offered', 'no events arrive; a proxy may hold them back', { cause: error })
    throw error
  }
}

// The pause after an early response.
const earlyMilliseconds = 1_000

const listenByWaiting: Channel = async (context, signal) => {
  const { client, pace, times, position, setStatus, proven, isUpgradeDue, onLook } = context
  const limitMilliseconds = times.waitMilliseconds + times.firstEventMilliseconds
  const seconds = times.waitMilliseconds / 1000
  let early = 0
  while (!isUpgradeDue()) {
    setStatus('waiting')
    const from = position()
    const begunAt = pace.now()
    const heard = await runGuarded({ pace, signal, limitMilliseconds, onLook }, (guard) =>
      syncUntil(context, guard.signal, client.waitForChange({ from, seconds, signal: guard.signal })),
    )
    if (heard > position()) return proven()
    if (heard > from || pace.now() - begunAt >= times.waitMilliseconds / 2) {
      early = 0
      proven()
      // A server that is about to stop also responds early, but not twice.
    } else if (++early === 2) throw new ClientError('not_offered', 'the server does not hold its response')
    else {
      setStatus('waiting', pace.now() + earlyMilliseconds)
      await pace.sleep(earlyMilliseconds, signal)
    }
  }
}

const listenByPolling: Channel = async ({ wakeSignal, pace, times, setStatus }, signal) => {
  const milliseconds = times.pollMilliseconds * (0.75 + pace.random() / 2)
  const pause = new AbortController()
  const end = () => pause.abort()
  signal.addEventListener('abort', end)
  setStatus('polling', pace.now() + milliseconds)
  await Promise.race([wait(pace, milliseconds, pause.signal), wakeSignal.wait()])
  signal.removeEventListener('abort', end)
  end()
}

/** All channels by name, each with its fallback. */
const channels: Readonly<Record<ChannelName, { readonly listen: Channel; readonly otherwise: ChannelName }>> = {
  events: { listen: listenByEvents, otherwise: 'wait' },
  wait: { listen: listenByWaiting, otherwise: 'poll' },
  poll: { listen: listenByPolling, otherwise: 'poll' },
}

/** The options of a live replica. */
export interface LiveOptions extends Partial<ChannelTimes>, Partial<Backoff> {
  /** Called after each change of the state. */
  readonly onState?: (state: LiveState) => void
  /** Called after each sync with its result, which names rejected, lost and overwritten edits. */
  readonly onSync?: (result: ReplicaSyncResult) => void
  /** The quiet time before edits are sent; they are sent at the latest after ten times this time. 100 by default. */
  readonly quietMilliseconds?: number
  /** How long to use a fallback channel before the client tries a better one again; 10 minutes by default. */
  readonly upgradeMilliseconds?: number
  /** The channels to try; all by default. */
  readonly ways?: readonly ChannelName[]
  /** Watches the network; with the events of the browser by default. */
  readonly watchNetwork?: WatchNetwork
  /** Clock, timer and random numbers, for tests. */
  readonly pace?: Partial<Pace>
}

/** A replica that syncs by itself. */
export interface Live {
  readonly state: () => LiveState
  /** Syncs at once, whatever it waits for: call it after a sign-in, or when the user requests it. */
  readonly wake: () => void
  /** Stops it, and resolves when nothing is under way. Unsent edits stay in the store. */
  readonly stop: () => Promise<void>
}

interface LiveTarget {
  readonly client: Pick<Client, 'findSession' | 'streamEvents' | 'waitForChange'>
  readonly sync: (options: ReplicaSyncOptions) => Promise<ReplicaSyncResult>
  readonly countPending: () => number
  readonly watch: (listener: (change: ReplicaChange) => void) => () => void
  /** Resolves when no sync is under way. */
  readonly settle: () => Promise<void>
}

const defaults = {
  firstEventMilliseconds: 10_000,
  silenceMilliseconds: 60_000,
  waitMilliseconds: 25_000,
  pollMilliseconds: 30_000,
  firstMilliseconds: 500,
  maxMilliseconds: 60_000,
  quietMilliseconds: 100,
  upgradeMilliseconds: 600_000,
  ways: ['events', 'wait', 'poll'] as readonly ChannelName[],
}

// Maximum connections in a row that end before they are proven; then the client takes the fallback channel.
const maxBroken = 3
const signInCheckMilliseconds = 2_000
// A sync with progress within this time needs no new connection after a change of the network.
const freshMilliseconds = 5_000

/** Starts to sync a replica by itself; see `Replica.live`. */
export const startLive = (target: LiveTarget, options: LiveOptions = {}): Live => {
  const times = { ...defaults, ...withoutUndefined(options) }
  const pace: Pace = { ...systemPace, ...withoutUndefined(options.pace ?? {}) }
  const { client, countPending } = target
  const wakeSignal = createWakeSignal()
  const stateHolder = createLiveStateHolder(
    {
      status: 'connecting',
      pending: countPending(),
      progress: undefined,
      syncedAt: undefined,
      nextTryAt: undefined,
      lastError: undefined,
    },
    options.onState,
  )
  const lookers = new Set<() => void>()
  const onLook = (look: () => void) => {
    lookers.add(look)
    return () => lookers.delete(look)
  }
  const best = () => times.ways[0] ?? 'poll'
  let turn = new AbortController()
  let isStopped = false
  let way = best()
  let upgradeAt = 0
  let position = 0
  let progressAt = 0
  /** Failed syncs in a row, and connections in a row that ended before they had proved to work. */
  let failures = 0
  let broken = 0
  let isSyncFailure = false

  const syncNow = async (signal: AbortSignal): Promise<void> => {
    wakeSignal.clear()
    const limitMilliseconds = times.silenceMilliseconds
    try {
      const result = await runGuarded({ pace, signal, limitMilliseconds, onLook }, (guard) =>
        target.sync({
          signal: guard.signal,
          onProgress: (progress) => {
            guard.heard()
            progressAt = pace.now()
            stateHolder.set({ progress })
          },
        }),
      )
      position = result.position
      failures = 0
      stateHolder.set({ syncedAt: pace.now(), lastError: undefined })
      if (options.onSync !== undefined) queueMicrotask(() => options.onSync?.(result))
    } catch (error) {
      isSyncFailure = true
      throw error
    } finally {
      stateHolder.set({ progress: undefined, pending: countPending() })
    }
  }
  const context = {
    client,
    pace,
    times,
    wakeSignal,
    onLook,
    position: () => position,
    syncNow,
    setStatus: (status: LiveState['status'], nextTryAt?: number) => stateHolder.set({ status, nextTryAt }),
    proven: () => {
      broken = 0
    },
    isUpgradeDue: () => way !== best() && pace.now() >= upgradeAt,
  }
  const takeNextWay = (): void => {
    const next = channels[way].otherwise
    way = times.ways.includes(next) || next === 'poll' ? next : channels[next].otherwise
    upgradeAt = pace.now() + times.upgradeMilliseconds
    broken = 0
  }
  const pause = async (signal: AbortSignal, atLeastMilliseconds = 0): Promise<void> => {
    const milliseconds = atLeastMilliseconds + spread(Math.max(1, failures, broken), times, pace.random)
    stateHolder.set({ nextTryAt: pace.now() + milliseconds })
    await wait(pace, milliseconds, signal)
    stateHolder.set({ nextTryAt: undefined })
  }
  const pauseAfter = async (error: unknown, signal: AbortSignal): Promise<void> => {
    const known = isClientError(error) ? error : undefined
    stateHolder.set({ status: known?.code === 'network' ? 'offline' : 'connecting', lastError: error })
    await pause(signal, (known?.retryAfterSeconds ?? 0) * 1000)
  }
  const waitForSignIn = async (error: unknown, signal: AbortSignal): Promise<void> => {
    stateHolder.set({ status: 'signed_out', nextTryAt: undefined, lastError: error })
    while (await pace.sleep(signInCheckMilliseconds, signal)) {
      if ((await client.findSession()) !== undefined) return
    }
  }
  /** Syncs, and listens until there is a reason to begin again. */
  const takeTurn = async (signal: AbortSignal): Promise<void> => {
    isSyncFailure = false
    await syncNow(signal)
    if (context.isUpgradeDue()) way = best()
    await channels[way].listen(context, signal)
    if (way !== 'events') return
    // The server ends a stream when the token expires or the server stops. A pause spreads the devices that come back.
    broken++
    if (broken >= maxBroken) takeNextWay()
    else await pause(signal)
  }
  const recover = async (error: unknown, signal: AbortSignal): Promise<void> => {
    if (isClientError(error, 'signed_out')) return waitForSignIn(error, signal)
    if (isSyncFailure) failures++
    else if (isClientError(error, 'not_offered') || (isClientError(error) && error.status === 429)) {
      return takeNextWay()
    } else {
      broken++
      if (broken >= maxBroken && way !== 'poll') return takeNextWay()
    }
    await pauseAfter(error, signal)
  }
  const run = async (): Promise<void> => {
    while (!isStopped) {
      turn = new AbortController()
      const { signal } = turn
      try {
        await takeTurn(signal).catch((error) => (signal.aborted ? undefined : recover(error, signal)))
      } catch (error) {
        // The token storage has failed.
        await pauseAfter(error, signal)
      }
    }
  }
  const wake = (): void => {
    way = best()
    failures = 0
    broken = 0
    turn.abort()
  }
  const onNetwork = (change: NetworkChange): void => {
    for (const look of [...lookers]) look()
    const { progress, nextTryAt, lastError } = stateHolder.read()
    const mayTry = !isClientError(lastError) || lastError.retryAfterSeconds === undefined
    const isFresh = progress !== undefined && pace.now() - progressAt < freshMilliseconds
    if (change === 'network' && !isFresh && mayTry) wake()
    else if (change === 'shown' && nextTryAt !== undefined && mayTry) turn.abort()
  }

  const edited = createDebounce(pace, times.quietMilliseconds, wakeSignal.wake)
  const unwatch = target.watch(({ by }) => {
    stateHolder.set({ pending: countPending() })
    if (by === 'edit') edited.touch()
  })
  const unwatchNetwork = (options.watchNetwork ?? watchBrowserNetwork)(onNetwork)
  const running = run()
  return {
    state: stateHolder.read,
    wake,
    stop: async () => {
      isStopped = true
      unwatch()
      unwatchNetwork()
      edited.stop()
      turn.abort()
      await running
      await target.settle()
      stateHolder.set({ status: 'stopped', nextTryAt: undefined })
    },
  }
}

const withoutUndefined = <T extends object>(options: T): T =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T
