import { Refused } from '../refused.ts'
import type { BrowserSession, DirectoryDraft, Origin, User } from '../store/directory.ts'
import type { Store } from '../store/store.ts'
import type { World } from '../world.ts'
import { keyOfAddress } from './address-key.ts'
import { type CheckPassword, checkUser, mayEnter } from './check-user.ts'
import { dropOpenCodes } from './end-sessions.ts'
import { hashSecret } from './hash.ts'
import { isNoteDue, noteUse } from './last-use.ts'
import { isIdle, sweepExpired } from './sweep-expired.ts'

/** A user who signed in, and the secret for the cookie: the only time that it is seen. */
export interface SignedIn {
  readonly user: User
  readonly cookie: string
}

const mostOfUser = 50

/** Where a sign-in comes from, and the cookie that the browser has by now: whatever it was, it ends (session fixation). */
export interface SignInPlace {
  readonly origin: Origin
  readonly replaces?: string | undefined
}

/**
 * The sessions that a newcomer takes the place of first stand first: those of its own address, then those of the address
 * that has most, and of these the longest unused. A last use is noted once an hour, so that by it alone whoever has the
 * password could push out the browser that its owner is using.
 */
const orderByWorth = (sessions: readonly BrowserSession[], newcomer: Origin): readonly BrowserSession[] => {
  const keyOf = ({ origin }: BrowserSession) => keyOfAddress(origin.address)
  const counts = new Map([[keyOfAddress(newcomer.address), Number.POSITIVE_INFINITY]])
  for (const session of sessions) counts.set(keyOf(session), (counts.get(keyOf(session)) ?? 0) + 1)
  const countOf = (session: BrowserSession) => counts.get(keyOf(session)) ?? 0
  // Of two infinite counts the difference is no number, and then the last use decides.
  return [...sessions].sort((a, b) => countOf(b) - countOf(a) || a.lastUsedAt - b.lastUsedAt)
}

/** Opens a session in a browser, within a change of the directory; gives the secret for the cookie. */
export const openBrowserSession = async (
  directory: DirectoryDraft,
  userId: string,
  { origin, replaces }: SignInPlace,
  world: World,
): Promise<string> => {
  await sweepExpired(directory, world)
  if (replaces !== undefined) await directory.deleteBrowserSession(hashSecret(replaces))
  const mine = (await directory.listBrowserSessions()).filter((session) => session.userId === userId)
  const spare = orderByWorth(mine, origin).slice(0, Math.max(0, mine.length - mostOfUser + 1))
  for (const { hash } of spare) await directory.deleteBrowserSession(hash)
  const cookie = world.newSecret()
  const createdAt = Math.floor(world.now() / 1000)
  await directory.putBrowserSession({ hash: hashSecret(cookie), userId, createdAt, lastUsedAt: createdAt, origin })
  return cookie
}

/**
 * Signs a person in with name and password; each sign-in has a session of its own (contract, the web flow).
 * @throws Refused `passwordInvalid` (also, and after the same time, for a user who is unknown or disabled); what
 *   `checkPassword` throws
 */
export const signIn = async (
  store: Store,
  form: SignInPlace & { readonly username: string; readonly password: string },
  world: World,
  checkPassword: CheckPassword,
): Promise<SignedIn> => {
  const user = await checkUser(store, form, checkPassword)
  return store.directory.change(async (directory) => {
    if (!mayEnter(await directory.findUser(user.id), user.passwordHash)) throw new Refused('passwordInvalid')
    return { user, cookie: await openBrowserSession(directory, user.id, form, world) }
  })
}

/** Whose session in a browser a cookie is; undefined when it has ended, was idle for 30 days, or never was one. */
export const findBrowserSession = async (
  store: Store,
  cookie: string,
  world: World,
): Promise<{ readonly session: BrowserSession; readonly user: User } | undefined> => {
  const session = await store.directory.findBrowserSession(hashSecret(cookie))
  if (session === undefined || isIdle(session, world)) return undefined
  const user = await store.directory.findUser(session.userId)
  if (user === undefined || user.disabledAt !== undefined) return undefined
  if (isNoteDue(session.lastUsedAt, world)) {
    await noteUse(store, async (directory) => {
      const newest = await directory.findBrowserSession(session.hash)
      if (newest === undefined || !isNoteDue(newest.lastUsedAt, world)) return
      await directory.putBrowserSession({ ...newest, lastUsedAt: Math.floor(world.now() / 1000) })
    })
  }
  return { session, user }
}

/** Ends the session of a cookie, if there is one, and the codes under way of its user. */
export const endBrowserSession = (store: Store, cookie: string): Promise<void> =>
  store.directory.change(async (directory) => {
    const session = await directory.findBrowserSession(hashSecret(cookie))
    if (session === undefined) return
    await directory.deleteBrowserSession(session.hash)
    await dropOpenCodes(directory, session.userId)
  })
