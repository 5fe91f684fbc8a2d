import { hashSecret } from '../accounts/hash.ts'
import { type EventClient, type EventStream, renderPosition, signOfLife } from '../wire/events.ts'
import { type Listener, type Listening, whenGone } from './listening.ts'

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
    send(renderPosition(told))
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
    if (isLate) client?.destroy()
    else if (isOnItsWay) isLate = true
    else if (client !== undefined && !isEnding) {
      send(signOfLife)
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
