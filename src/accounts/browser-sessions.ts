import { Refused } from '../refused.ts'
import type { BrowserSession, Origin, RegistryDraft, User } from '../store/registry/registry.ts'
import type { Store } from '../store/store.ts'
import type { World } from '../world.ts'
import { keyOfAddress } from './address-key.ts'
import { type CheckPassword, checkUser, mayEnter } from './check-user.ts'
import { dropOpenCodes } from './end-sessions.ts'
import { forgetEnded, isIdle } from './forget-ended.ts'
import { hashSecret } from './hash.ts'
import { isNoteDue, noteUse } from './last-use.ts'

/** A user who signed in, and the secret for the cookie: the only time that it is seen. */
export interface SignedIn {
  readonly user: User
  readonly cookie: string
}

/** Sessions in browsers that a user may have. */
export const mostOfUser = 50

/** Where a sign-in comes from, and the cookie that the browser has by now: whatever it was, it ends (session fixation). */
export interface SignInPlace {
  readonly origin: Origin
  readonly replaces?: string | undefined
  readonly by?: BrowserSession['by']
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

/** Opens a session in a browser, within a change of the registry; gives the secret for the cookie. */
export const openBrowserSession = async (
  registry: RegistryDraft,
  userId: string,
  { origin, replaces, by }: SignInPlace,
  world: World,
): Promise<string> => {
  if (replaces !== undefined) await registry.delete('browserSessions', hashSecret(replaces))
  const mine = await registry.listBrowserSessions(userId)
  const spare = orderByWorth(mine, origin).slice(0, Math.max(0, mine.length - mostOfUser + 1))
  for (const { hash } of spare) await registry.delete('browserSessions', hash)
  const cookie = world.newSecret()
  const createdAt = Math.floor(world.now() / 1000)
  const session = { hash: hashSecret(cookie), userId, createdAt, lastUsedAt: createdAt, origin }
  await registry.put('browserSessions', by === undefined ? session : { ...session, by })
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
  await forgetEnded(store, world)
  return store.registry.change(async (registry) => {
    if (!mayEnter(await registry.findUser(user.id), user.passwordHash)) throw new Refused('passwordInvalid')
    return { user, cookie: await openBrowserSession(registry, user.id, form, world) }
  })
}

/** Whose session in a browser a cookie is; undefined when it has ended, was idle for 30 days, or never was one. */
export const findBrowserSession = async (
  store: Store,
  cookie: string,
  world: World,
): Promise<{ readonly session: BrowserSession; readonly user: User } | undefined> => {
  const session = await store.registry.findBrowserSession(hashSecret(cookie))
  if (session === undefined || isIdle(session, world)) return undefined
  const user = await store.registry.findUser(session.userId)
  if (user === undefined || user.disabledAt !== undefined) return undefined
  if (isNoteDue(session.lastUsedAt, world)) {
    await noteUse(store, async (registry) => {
      const newest = await registry.findBrowserSession(session.hash)
      if (newest === undefined || !isNoteDue(newest.lastUsedAt, world)) return
      await registry.put('browserSessions', { ...newest, lastUsedAt: Math.floor(world.now() / 1000) })
    })
  }
  return { session, user }
}

/** Ends the session of a cookie, if there is one, and the codes under way of its user; gives what it was. */
export const endBrowserSession = (store: Store, cookie: string): Promise<BrowserSession | undefined> =>
  store.registry.change(async (registry) => {
    const session = await registry.findBrowserSession(hashSecret(cookie))
    if (session === undefined) return undefined
    await registry.delete('browserSessions', session.hash)
    await dropOpenCodes(registry, session.userId)
    return session
  })
