import type { Bell } from './bell.ts'
import { ClientError, isClientError } from './client-error.ts'
import { type GuardOptions, runGuarded } from './guard.ts'
import type { Listener } from './listen.ts'
import type { LiveStatus } from './live-state.ts'
import { type Pace, wait } from './pace.ts'

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
export interface ChannelContext {
  readonly client: Listener
  readonly pace: Pace
  readonly times: ChannelTimes
  /** Rings when edits wait to be sent, and when others have changed something. */
  readonly bell: Bell
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
export type Channel = (context: ChannelContext, signal: AbortSignal) => Promise<void>

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
      if (event.kind === 'position' && event.position > position()) bell.ring()
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
export const channels: Readonly<Record<ChannelName, { readonly listen: Channel; readonly otherwise: ChannelName }>> = {
  events: { listen: listenByEvents, otherwise: 'wait' },
  wait: { listen: listenByWaiting, otherwise: 'poll' },
  poll: { listen: listenByPolling, otherwise: 'poll' },
}
