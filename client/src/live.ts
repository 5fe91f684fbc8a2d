import { createBell } from './bell.ts'
import { isClientError } from './client-error.ts'
import type { Client } from './create-client.ts'
import { createDebounce } from './debounce.ts'
import { runGuarded } from './guard.ts'
import { type ChannelName, type ChannelTimes, channels } from './live-channels.ts'
import { createStateBoard, type LiveState } from './live-state.ts'
import { type NetworkChange, type WatchNetwork, watchBrowserNetwork } from './network.ts'
import { type Backoff, type Pace, spread, systemPace, wait } from './pace.ts'
import type { ReplicaChange } from './replica-changes.ts'
import type { ReplicaSyncOptions, ReplicaSyncResult } from './replica-sync.ts'

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
const mostBroken = 3
const signInCheckMilliseconds = 2_000
// A sync that has come this far lately needs no new connection, although the network is another.
const freshMilliseconds = 5_000

/** Keeps a replica in step; see `Replica.live`. */
export const startLive = (target: LiveTarget, options: LiveOptions = {}): Live => {
  const times = { ...defaults, ...withoutUndefined(options) }
  const pace: Pace = { ...systemPace, ...withoutUndefined(options.pace ?? {}) }
  const { client, countPending } = target
  const bell = createBell()
  const board = createStateBoard(
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
    if (broken >= mostBroken) takeNextWay()
    else await pause(signal)
  }
  const recover = async (error: unknown, signal: AbortSignal): Promise<void> => {
    if (isClientError(error, 'signed_out')) return waitForSignIn(error, signal)
    if (isSyncFailure) failures++
    else if (isClientError(error, 'not_offered') || (isClientError(error) && error.status === 429)) {
      return takeNextWay()
    } else {
      broken++
      if (broken >= mostBroken && way !== 'poll') return takeNextWay()
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

  const edited = createDebounce(pace, times.quietMilliseconds, bell.ring)
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
