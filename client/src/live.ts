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

/** Tells one waiting piece of work that there is something to do; rings that nobody waits for are kept as one. */
interface WakeSignal {
  readonly wake: () => void
  /** Forgets a ring that nobody has heard. */
  readonly clear: () => void
  /** Resolves at the next ring, or at once if there was one; the last caller counts. */
  readonly wait: () => Promise<'rung'>
}

/** A bell that was not rung. */
const createWakeSignal = (): WakeSignal => {
  let isRung = false
  let answer: ((word: 'rung') => void) | undefined
  return {
    wake: () => {
      isRung = answer === undefined
      answer?.('rung')
      answer = undefined
    },
    clear: () => {
      isRung = false
    },
    wait: () =>
      new Promise((resolve) => {
        answer = isRung ? undefined : resolve
        if (isRung) resolve('rung')
        isRung = false
      }),
  }
}

/** Runs the work once it was quiet for so long after the last touch, and at the latest ten times that after the first. */
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

/** Watches that work goes on. */
interface Guard {
  /** Aborts when the work has to end. */
  readonly signal: AbortSignal
  /** Says that the work goes on, and from now on may be silent for so long. */
  readonly heard: (limitMilliseconds?: number) => void
}

/** What bounds a work. */
interface GuardOptions {
  readonly pace: Pace
  /** Ends the work; its promise is then rejected with the reason of the signal. */
  readonly signal: AbortSignal
  readonly limitMilliseconds: number
  /** Where others may ask for a look at the clock: it is looked at whenever the function that is given is called. */
  readonly onLook?: (look: () => void) => () => void
}

// By the clock and not by one long timer: those stand still while a machine sleeps.
const stepMilliseconds = 5_000

/**
 * Does work on a connection that may die without a word: when nothing was heard for too long, also because the machine
 * slept, it is aborted. Neither it nor an abort waits for work that does not listen to its signal.
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
    // The work may be broken off by this, and nobody waits for it any more.
    ending.abort()
  }
}

/**
 * How a live replica hears of what others change:
 * - `connecting`: not at all yet, or not any more; `nextTryAt` and `lastError` say more.
 * - `live`: the server says so at once, by `sync/events`.
 * - `waiting`: the same by requests whose answers the server holds back, where events do not come through.
 * - `polling`: it asks now and then; the server, or something before it, can do neither.
 * - `offline`: the server is not reached; edits wait in the local store.
 * - `signed_out`: the session has ended; edits are kept, and go on once somebody has signed in again.
 * - `stopped`: by `stop`.
 */
export type LiveStatus = 'connecting' | 'live' | 'waiting' | 'polling' | 'offline' | 'signed_out' | 'stopped'

/** What a person may want to know of a live replica. Times are in milliseconds since 1970. */
export interface LiveState {
  readonly status: LiveStatus
  /** Things and tags with edits that the server has not confirmed. */
  readonly pending: number
  /** How far the sync has come that runs now. */
  readonly progress: ReplicaSyncProgress | undefined
  /** When the last sync ended well. */
  readonly syncedAt: number | undefined
  /** When the server is asked next, while nothing is under way. */
  readonly nextTryAt: number | undefined
  /** What went wrong last; undefined again after a sync that ended well. */
  readonly lastError: unknown
}

/** Keeps the state and tells each change of it. */
interface LiveStateHolder {
  readonly read: () => LiveState
  readonly set: (part: Partial<LiveState>) => void
}

/** A board; the listener is told later, so that its errors are the program's and not those of a sync. */
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

/** The ways to hear of what others change, the best first. */
export type ChannelName = 'events' | 'wait' | 'poll'

/** How long each way may take, in milliseconds. */
export interface ChannelTimes {
  /** How long the first event of a stream may take, which comes at once where nothing holds it back. */
  readonly firstEventMilliseconds: number
  /** How long a connection may be silent; servers say something every 25 s. */
  readonly silenceMilliseconds: number
  /** How long the server may hold an answer. */
  readonly waitMilliseconds: number
  /** The time between two questions where the server can do neither; spread by a quarter up and down. */
  readonly pollMilliseconds: number
}

/** What a way of listening works with. */
interface ChannelContext {
  readonly client: Listener
  readonly pace: Pace
  readonly times: ChannelTimes
  /** Rings when edits wait to be sent, and when others have changed something. */
  readonly bell: WakeSignal
  /** Where the replica stands. */
  readonly position: () => number
  readonly syncNow: (signal: AbortSignal) => Promise<void>
  readonly setStatus: (status: LiveStatus, nextTryAt?: number) => void
  /** Says that this way has proved to work. */
  readonly proven: () => void
  /** Whether it is time to try a better way. */
  readonly isUpgradeDue: () => boolean
  readonly onLook: NonNullable<GuardOptions['onLook']>
}

/**
 * Listens, and syncs when there is something, until the connection ends, or for polling: until it is time.
 * @throws ClientError `not_offered` when this way does not work here, and all that syncs and connections throw
 */
type Channel = (context: ChannelContext, signal: AbortSignal) => Promise<void>

/** Syncs at each ring until something else is over, and gives that. */
const syncUntil = async <T>({ bell, syncNow }: ChannelContext, signal: AbortSignal, end: Promise<T>): Promise<T> => {
  const ending = end.then((value) => ({ value }))
  while (true) {
    const what = await Promise.race([ending, bell.wait()])
    if (what !== 'rung') return what.value
    await syncNow(signal)
  }
}

const listenByEvents: Channel = async (context, signal) => {
  const { client, pace, times, bell, position, setStatus, proven, onLook } = context
  const begunAt = pace.now()
  let isHeard = false
  const read = async (guarded: AbortSignal, heard: (limit: number) => void): Promise<void> => {
    for await (const event of client.streamEvents({ signal: guarded })) {
      if (!isHeard) setStatus('live')
      isHeard = true
      heard(times.silenceMilliseconds)
      if (event.kind === 'position' && event.position > position()) bell.wake()
      if (pace.now() - begunAt >= times.firstEventMilliseconds) proven()
    }
  }
  const limitMilliseconds = times.firstEventMilliseconds
  try {
    await runGuarded({ pace, signal, limitMilliseconds, onLook }, (guard) =>
      syncUntil(context, guard.signal, read(guard.signal, guard.heard)),
    )
  } catch (error) {
    const isHeldBack = !isHeard && isClientError(error, 'network') && pace.now() - begunAt >= limitMilliseconds
    if (isHeldBack) throw new ClientError('not_offered', 'events do not come through', { cause: error })
    throw error
  }
}

// After an answer that came early.
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
      // A server that stops answers early, too, but not twice.
    } else if (++early === 2) throw new ClientError('not_offered', 'the server does not hold its answer')
    else {
      setStatus('waiting', pace.now() + earlyMilliseconds)
      await pace.sleep(earlyMilliseconds, signal)
    }
  }
}

const listenByPolling: Channel = async ({ bell, pace, times, setStatus }, signal) => {
  const milliseconds = times.pollMilliseconds * (0.75 + pace.random() / 2)
  const pause = new AbortController()
  const end = () => pause.abort()
  signal.addEventListener('abort', end)
  setStatus('polling', pace.now() + milliseconds)
  await Promise.race([wait(pace, milliseconds, pause.signal), bell.wait()])
  signal.removeEventListener('abort', end)
  end()
}

/** All ways by name, each with the one to take when it does not work. */
const channels: Readonly<Record<ChannelName, { readonly listen: Channel; readonly otherwise: ChannelName }>> = {
  events: { listen: listenByEvents, otherwise: 'wait' },
  wait: { listen: listenByWaiting, otherwise: 'poll' },
  poll: { listen: listenByPolling, otherwise: 'poll' },
}

/** What may be told to a live replica; times are in milliseconds. */
export interface LiveOptions extends Partial<ChannelTimes>, Partial<Backoff> {
  /** Called after each change of the state. */
  readonly onState?: (state: LiveState) => void
  /** Called after each sync, with what it did: what was refused, lost and overwritten among it. */
  readonly onSync?: (result: ReplicaSyncResult) => void
  /** Edits are sent when there was none for so long, and at the latest ten times that after the first; 100 by default. */
  readonly quietMilliseconds?: number
  /** How long a worse way of listening is kept before a better one is tried again; 10 minutes by default. */
  readonly upgradeMilliseconds?: number
  /** The ways of listening to try; all by default. */
  readonly ways?: readonly ChannelName[]
  /** Where to hear of the network; from the browser by default. */
  readonly watchNetwork?: WatchNetwork
  /** Time and chance, for tests. */
  readonly pace?: Partial<Pace>
}

/** A replica that is kept in step. */
export interface Live {
  readonly state: () => LiveState
  /** Tries at once, whatever it was waiting for: after a sign-in, or when a person asks for it. */
  readonly wake: () => void
  /** Ends it; resolves when nothing is under way any more. What was not sent is kept. */
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
  longestMilliseconds: 60_000,
  quietMilliseconds: 100,
  upgradeMilliseconds: 600_000,
  ways: ['events', 'wait', 'poll'] as readonly ChannelName[],
}

// A connection that ends so often before it has proved to work will not do so the next time.
const maxBroken = 3
const signInCheckMilliseconds = 2_000
// A sync that has come this far lately needs no new connection, although the network is another.
const freshMilliseconds = 5_000

/** Keeps a replica in step; see `Replica.live`. */
export const startLive = (target: LiveTarget, options: LiveOptions = {}): Live => {
  const times = { ...defaults, ...withoutUndefined(options) }
  const pace: Pace = { ...systemPace, ...withoutUndefined(options.pace ?? {}) }
  const { client, countPending } = target
  const bell = createWakeSignal()
  const board = createLiveStateHolder(
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
    bell.clear()
    const limitMilliseconds = times.silenceMilliseconds
    try {
      const result = await runGuarded({ pace, signal, limitMilliseconds, onLook }, (guard) =>
        target.sync({
          signal: guard.signal,
          onProgress: (progress) => {
            guard.heard()
            progressAt = pace.now()
            board.set({ progress })
          },
        }),
      )
      position = result.position
      failures = 0
      board.set({ syncedAt: pace.now(), lastError: undefined })
      if (options.onSync !== undefined) queueMicrotask(() => options.onSync?.(result))
    } catch (error) {
      isSyncFailure = true
      throw error
    } finally {
      board.set({ progress: undefined, pending: countPending() })
    }
  }
  const context = {
    client,
    pace,
    times,
    bell,
    onLook,
    position: () => position,
    syncNow,
    setStatus: (status: LiveState['status'], nextTryAt?: number) => board.set({ status, nextTryAt }),
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
    board.set({ nextTryAt: pace.now() + milliseconds })
    await wait(pace, milliseconds, signal)
    board.set({ nextTryAt: undefined })
  }
  const rest = async (error: unknown, signal: AbortSignal): Promise<void> => {
    const known = isClientError(error) ? error : undefined
    board.set({ status: known?.code === 'network' ? 'offline' : 'connecting', lastError: error })
    await pause(signal, (known?.retryAfterSeconds ?? 0) * 1000)
  }
  const waitForSignIn = async (error: unknown, signal: AbortSignal): Promise<void> => {
    board.set({ status: 'signed_out', nextTryAt: undefined, lastError: error })
    while (await pace.sleep(signInCheckMilliseconds, signal)) {
      if ((await client.findSession()) !== undefined) return
    }
  }
  /** Syncs, and listens until there is a reason to begin anew. */
  const takeTurn = async (signal: AbortSignal): Promise<void> => {
    isSyncFailure = false
    await syncNow(signal)
    if (context.isUpgradeDue()) way = best()
    await channels[way].listen(context, signal)
    if (way !== 'events') return
    // The server has ended the stream, as it does with the token or when it stops: not all devices at once.
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
    await rest(error, signal)
  }
  const run = async (): Promise<void> => {
    while (!isStopped) {
      turn = new AbortController()
      const { signal } = turn
      try {
        await takeTurn(signal).catch((error) => (signal.aborted ? undefined : recover(error, signal)))
      } catch (error) {
        // The token storage has failed.
        await rest(error, signal)
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
    const { progress, nextTryAt, lastError } = board.read()
    const mayTry = !isClientError(lastError) || lastError.retryAfterSeconds === undefined
    const isFresh = progress !== undefined && pace.now() - progressAt < freshMilliseconds
    if (change === 'network' && !isFresh && mayTry) wake()
    else if (change === 'shown' && nextTryAt !== undefined && mayTry) turn.abort()
  }

  const edited = createDebounce(pace, times.quietMilliseconds, bell.wake)
  const unwatch = target.watch(({ by }) => {
    board.set({ pending: countPending() })
    if (by === 'edit') edited.touch()
  })
  const unwatchNetwork = (options.watchNetwork ?? watchBrowserNetwork)(onNetwork)
  const running = run()
  return {
    state: board.read,
    wake,
    stop: async () => {
      isStopped = true
      unwatch()
      unwatchNetwork()
      edited.stop()
      turn.abort()
      await running
      await target.settle()
      board.set({ status: 'stopped', nextTryAt: undefined })
    },
  }
}

const withoutUndefined = <T extends object>(options: T): T =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T
