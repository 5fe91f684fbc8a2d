import { hashSecret } from '../accounts/hash.ts'
import { type Listener, type Listening, whenGone } from './listening.ts'

/** The client of a stream of events, as far as one is sent to it. */
export interface EventClient {
  /** Sends text; `onTaken` is called when the connection took it. */
  readonly write: (text: string, onTaken: () => void) => unknown
  /** Ends the answer. */
  readonly end: () => unknown
  /** Breaks the connection off. */
  readonly destroy: () => unknown
}

/** Events that are sent for as long as their client stays. */
export interface EventStream {
  /** Sends the first event, and goes on by itself. */
  readonly begin: (client: EventClient) => void
}

/**
 * Opens the events of an account (`Live.openEvents`). At most one piece of text is on its way to a client: what happens
 * until it was taken is one event, the newest. Who does not take it for a whole round of the wheel is dropped.
 */
export const openEvents = async (
  { store, seats, wheel, runSoon, isValid }: Listening,
  { session, accessToken, presence }: Listener,
): Promise<EventStream> => {
  const leaveSeat = seats.take(session.id)
  whenGone(presence, leaveSeat)
  const accessHash = hashSecret(accessToken)
  let client: EventClient | undefined
  let [told, newest] = [-1, -1]
  let [isOnItsWay, isLate, isEnding] = [false, false, false]

  const noteTaken = (): void => {
    isOnItsWay = false
    isLate = false
    tell()
  }
  const send = (text: string): void => {
    isOnItsWay = true
    client?.write(text, noteTaken)
  }
  const tellNewest = (): void => {
    told = newest
    send(`id: ${told}\ndata: {"pos": ${told}}\n\n`)
  }
  const tell = (): void => {
    if (client !== undefined && !isOnItsWay && !isEnding && newest > told) tellNewest()
  }
  const end = (): void => {
    isEnding = true
    client?.end()
  }
  const endUnlessValid = async (): Promise<boolean> => {
    const valid = await isValid(accessHash)
    if (!valid) end()
    return valid
  }
  const tellIfValid = async (): Promise<void> => {
    if (await endUnlessValid()) tell()
  }
  const tellSoon = (): void => void tellIfValid()
  const takeTurn = (): void => {
    if (client === undefined || isEnding) return
    if (isLate) client.destroy()
    else if (isOnItsWay) isLate = true
    else {
      send(':\n\n')
      void endUnlessValid()
    }
  }

  // Before it is read where the account stands, so that no change falls between.
  const unwatch = store.watch(session.userId, ({ position, writer }) => {
    if (writer === session.id) return
    newest = Math.max(newest, position)
    runSoon(tellSoon)
  })
  const leaveWheel = wheel.join({ takeTurn, stop: end })
  whenGone(presence, () => {
    isEnding = true
    unwatch()
    leaveWheel()
  })
  newest = Math.max(newest, (await store.read(session.userId)).position)
  return {
    begin: (begun) => {
      client = begun
      tellNewest()
      if (isEnding) begun.end()
    },
  }
}
