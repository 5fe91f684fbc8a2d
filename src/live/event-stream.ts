import { hashSecret } from '../accounts/sessions.ts'
import { type EventClient, type EventStream, keepAliveComment, renderPositionEvent } from '../wire/event-stream.ts'
import { type Listener, type LiveContext, onceClosed } from './listeners.ts'

/**
 * The state of a stream. Very many streams may wait, so they share functions instead of having closures of their own.
 */
interface StreamState {
  readonly isValid: LiveContext['isValid']
  readonly accessHash: string
  /** Called when the connection has accepted the text. */
  readonly noteTaken: () => void
  client: EventClient | undefined
  /** The last position that was sent, and the newest one to send. */
  sentPosition: number
  newestPosition: number
  isSending: boolean
  /** True when the text that is being sent was already under way at the previous tick. */
  isLate: boolean
  isEnding: boolean
}

/**
 * Opens the event stream of an account (`Live.openEvents`). At most one text is under way to a client; changes until
 * the connection has accepted it become a single event, the newest. A client that accepts nothing for a whole round of
 * the timer wheel is dropped.
 * @throws ApiError `tooManyWaiting`; StoreError
 */
export const openEvents = async (
  { store, waitSlots, timerWheel, runSoon, isValid }: LiveContext,
  { session, accessToken, presence }: Listener,
): Promise<EventStream> => {
  const releaseSlot = await waitSlots.acquire(session)
  const state = createState(isValid, hashSecret(accessToken))
  const { id, userId } = session
  const notify = (): void => void sendIfValid(state)
  // Watches before it reads the position, so that it misses no change in between.
  const unwatch = store.watch(userId, ({ position, writer }) => {
    if (writer === id) return
    state.newestPosition = Math.max(state.newestPosition, position)
    runSoon(notify)
  })
  // A session that expires is noticed at the ticks of the wheel.
  const unwatchSession = store.watchSession(id, () => void endUnlessValid(state))
  const leaveWheel = timerWheel.join({ onTick: () => onTick(state), stop: () => end(state) })
  onceClosed(presence, () => {
    state.isEnding = true
    releaseSlot()
    unwatch()
    unwatchSession()
    leaveWheel()
  })
  state.newestPosition = Math.max(state.newestPosition, (await store.read(userId)).position)
  return {
    begin: (client) => {
      state.client = client
      sendNewest(state)
      if (state.isEnding) client.end()
    },
  }
}

const createState = (isValid: LiveContext['isValid'], accessHash: string): StreamState => {
  const state: StreamState = {
    isValid,
    accessHash,
    noteTaken: () => noteTaken(state),
    client: undefined,
    sentPosition: -1,
    newestPosition: -1,
    isSending: false,
    isLate: false,
    isEnding: false,
  }
  return state
}

const noteTaken = (state: StreamState): void => {
  state.isSending = false
  state.isLate = false
  sendIfNewer(state)
}

const send = (state: StreamState, text: string): void => {
  state.isSending = true
  state.client?.write(text, state.noteTaken)
}

const sendNewest = (state: StreamState): void => {
  state.sentPosition = state.newestPosition
  send(state, renderPositionEvent(state.sentPosition))
}

const sendIfNewer = (state: StreamState): void => {
  const { client, isSending, isEnding, newestPosition, sentPosition } = state
  if (client !== undefined && !isSending && !isEnding && newestPosition > sentPosition) sendNewest(state)
}

const end = (state: StreamState): void => {
  state.isEnding = true
  state.client?.end()
}

const endUnlessValid = async (state: StreamState): Promise<boolean> => {
  const valid = await state.isValid(state.accessHash)
  if (!valid) end(state)
  return valid
}

const sendIfValid = async (state: StreamState): Promise<void> => {
  if (await endUnlessValid(state)) sendIfNewer(state)
}

const onTick = (state: StreamState): void => {
  if (state.isLate) state.client?.destroy()
  else if (state.isSending) state.isLate = true
  else if (state.client !== undefined && !state.isEnding) {
    send(state, keepAliveComment)
    void endUnlessValid(state)
  }
}
