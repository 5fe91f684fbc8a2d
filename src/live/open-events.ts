import { hashSecret } from '../accounts/hash.ts'
import { type EventClient, type EventStream, renderPosition, signOfLife } from '../wire/events.ts'
import { type Listener, type Listening, whenGone } from './listening.ts'

/** One stream. There may be very many that wait, so what they do stands in functions that all of them share. */
interface State {
  readonly isValid: Listening['isValid']
  readonly accessHash: string
  /** Called when the connection took what was sent. */
  readonly noteTaken: () => void
  client: EventClient | undefined
  /** The position that was told last, and the one to be told. */
  told: number
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
  { store, seats, wheel, runSoon, isValid }: Listening,
  { session, accessToken, presence }: Listener,
): Promise<EventStream> => {
  const leaveSeat = await seats.take(session)
  const state = createState(isValid, hashSecret(accessToken))
  const { id, userId } = session
  const tellSoon = (): void => void tellIfValid(state)
  // Before it is read where the account stands, so that no change falls between.
  const unwatch = store.watch(userId, ({ position, writer }) => {
    if (writer === id) return
    state.newest = Math.max(state.newest, position)
    runSoon(tellSoon)
  })
  // What ends by itself, as time passes, is noticed at the turns of the wheel.
  const unwatchSession = store.watchSession(id, () => void endUnlessValid(state))
  const leaveWheel = wheel.join({ takeTurn: () => takeTurn(state), stop: () => end(state) })
  whenGone(presence, () => {
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
      tellNewest(state)
      if (state.isEnding) client.end()
    },
  }
}

const createState = (isValid: Listening['isValid'], accessHash: string): State => {
  const state: State = {
    isValid,
    accessHash,
    noteTaken: () => noteTaken(state),
    client: undefined,
    told: -1,
    newest: -1,
    isOnItsWay: false,
    isLate: false,
    isEnding: false,
  }
  return state
}

const noteTaken = (state: State): void => {
  state.isOnItsWay = false
  state.isLate = false
  tell(state)
}

const send = (state: State, text: string): void => {
  state.isOnItsWay = true
  state.client?.write(text, state.noteTaken)
}

const tellNewest = (state: State): void => {
  state.told = state.newest
  send(state, renderPosition(state.told))
}

const tell = (state: State): void => {
  const { client, isOnItsWay, isEnding, newest, told } = state
  if (client !== undefined && !isOnItsWay && !isEnding && newest > told) tellNewest(state)
}

const end = (state: State): void => {
  state.isEnding = true
  state.client?.end()
}

const endUnlessValid = async (state: State): Promise<boolean> => {
  const valid = await state.isValid(state.accessHash)
  if (!valid) end(state)
  return valid
}

const tellIfValid = async (state: State): Promise<void> => {
  if (await endUnlessValid(state)) tell(state)
}

const takeTurn = (state: State): void => {
  if (state.isLate) state.client?.destroy()
  else if (state.isOnItsWay) state.isLate = true
  else if (state.client !== undefined && !state.isEnding) {
    send(state, signOfLife)
    void endUnlessValid(state)
  }
}
