import { Refused } from '../refused.ts'
import type { BrowserSession, DirectoryDraft, Origin, User } from '../store/directory.ts'
import type { Store } from '../store/store.ts'
import type { World } from '../world.ts'
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
  const longestUnused = mine.sort((a, b) => a.lastUsedAt - b.lastUsedAt)
  for (const { hash } of longestUnused.slice(0, Math.max(0, mine.length - mostOfUser + 1))) {
    await directory.deleteBrowserSession(hash)
  }
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
