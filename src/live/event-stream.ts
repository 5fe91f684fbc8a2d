import { hashSecret } from '../accounts/sessions.ts'
import { type EventClient, type EventStream, keepAliveComment, renderPositionEvent } from '../wire/event-stream.ts'
import { type Listener, type LiveContext, onceClosed } from './listeners.ts'

/** One stream. There may be very many that wait, so what they do stands in functions that all of them share. */
interface StreamState {
  readonly isValid: LiveContext['isValid']
  readonly accessHash: string
  /** Called when the connection took what was sent. */
  readonly noteTaken: () => void
  client: EventClient | undefined
  /** The position that was told last, and the one to be told. */
  sentPosition: number
  newest: number
  isOnItsWay: boolean
  /** What is on its way was so at the last turn too. */
  isLate: boolean
  isEnding: boolean
}

/**
 * Opens the events of an account (`Live.openEvents`). At most one piece of text is on its way to a client: what happens
 * until it was taken is one event, the newest. Who does not take it for a whole round of the wheel is dropped.
 */
export const openEvents = async (
  { store, waitSlots, timerWheel, runSoon, isValid }: LiveContext,
  { session, accessToken, presence }: Listener,
): Promise<EventStream> => {
  const leaveSeat = await waitSlots.acquire(session)
  const state = createState(isValid, hashSecret(accessToken))
  const { id, userId } = session
  const tellSoon = (): void => void sendIfValid(state)
  // Before it is read where the account stands, so that no change falls between.
  const unwatch = store.watch(userId, ({ position, writer }) => {
    if (writer === id) return
    state.newest = Math.max(state.newest, position)
    runSoon(tellSoon)
  })
  // What ends by itself, as time passes, is noticed at the turns of the wheel.
  const unwatchSession = store.watchSession(id, () => void endUnlessValid(state))
  const leaveWheel = timerWheel.join({ onTick: () => onTick(state), stop: () => end(state) })
  onceClosed(presence, () => {
    state.isEnding = true
    leaveSeat()
    unwatch()
    unwatchSession()
    leaveWheel()
  })
  state.newest = Math.max(state.newest, (await store.read(userId)).position)
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
    newest: -1,
    isOnItsWay: false,
    isLate: false,
    isEnding: false,
  }
  return state
}

const noteTaken = (state: StreamState): void => {
  state.isOnItsWay = false
  state.isLate = false
  sendIfNewer(state)
}

const send = (state: StreamState, text: string): void => {
  state.isOnItsWay = true
  state.client?.write(text, state.noteTaken)
}

const sendNewest = (state: StreamState): void => {
  state.sentPosition = state.newest
  send(state, renderPositionEvent(state.sentPosition))
}

const sendIfNewer = (state: StreamState): void => {
  const { client, isOnItsWay, isEnding, newest, sentPosition } = state
  if (client !== undefined && !isOnItsWay && !isEnding && newest > sentPosition) sendNewest(state)
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
  else if (state.isOnItsWay) state.isLate = true
  else if (state.client !== undefined && !state.isEnding) {
    send(state, keepAliveComment)
    void endUnlessValid(state)
  }
}
