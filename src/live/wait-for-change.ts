import { hashSecret } from '../accounts/hash.ts'
import { Refused } from '../refused.ts'
import { type Listener, type Listening, whenGone } from './listening.ts'

/** The wait of a sync (`Live.waitForChange`). */
export const waitForChange = async (
  listening: Listening,
  listener: Listener,
  from: number,
  seconds: number,
): Promise<void> => {
  const { store, seats, isValid } = listening
  const { session, accessToken, presence } = listener
  if ((await store.read(session.userId)).position !== from) return
  const leave = await seats.take(session)
  const accessHash = hashSecret(accessToken)
  try {
    await waitForWake(listening, listener, from, { seconds, accessHash })
  } finally {
    leave()
  }
  if (!presence.closed && !(await isValid(accessHash))) throw new Refused('tokenInvalid')
}

const waitForWake = async (
  { store, wheel, runSoon, isValid }: Listening,
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
  const leaveWheel = wheel.join({
    takeTurn: () => void isValid(accessHash).then((valid) => valid || wake()),
    stop: wake,
  })
  whenGone(presence, wake)
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
