import { ApiError } from '../api-error.ts'
import type { Environment } from '../environment.ts'
import type { BrowserSession, Origin, RegistryDraft, Session, User } from '../store/registry/registry.ts'
import type { Store } from '../store/store.ts'
import { nameApps } from './apps.ts'
import {
  continuableUntil,
  deleteExpired,
  deleteOpenCodes,
  findAddressKey,
  hashSecret,
  idleSeconds,
  isExpired,
  isIdle,
  isNoteDue,
  noteUse,
} from './sessions.ts'
import { type CheckPassword, checkUser, maySignIn } from './users.ts'

/** One of the ways in which somebody may act for a user at the moment; what `listSessions` shows. Times in Unix seconds. */
export interface ListedSession {
  /** For `endSession`. */
  readonly id: string
  /** An app with tokens of a grant, a personal access token, or a browser that is signed in to the pages. */
  readonly kind: 'app' | 'token' | 'browser'
  /** Name of the app or the token; a browser has none. */
  readonly name?: string
  readonly clientId?: string
  readonly began?: 'password' | 'code'
  readonly isReadOnly?: boolean
  readonly createdAt: number
  /** Give or take an hour; absent when it is not known. */
  readonly lastUsedAt?: number
  /** When it ends unless it is used; absent: never. */
  readonly expiresAt?: number
  readonly origin?: Origin
}

/** All living sessions of a user, the last used first. */
export const listSessions = async (
  store: Store,
  userId: string,
  environment: Environment,
): Promise<readonly ListedSession[]> => {
  const { registry } = store
  const sessions = await registry.listSessions(userId)
  const apps = await nameApps(
    registry,
    sessions.map(({ clientId }) => clientId),
  )
  const granted = sessions.map((session) => showSession(session, apps))
  const browsers = (await registry.listBrowserSessions(userId))
    .filter((session) => !isIdle(session, environment))
    .map(({ hash, createdAt, lastUsedAt, origin }): ListedSession => {
      return { id: hash, kind: 'browser', createdAt, lastUsedAt, expiresAt: lastUsedAt + idleSeconds, origin }
    })
  const living = [...granted, ...browsers].filter(
    ({ expiresAt }) => expiresAt === undefined || !isExpired(expiresAt, environment),
  )
  const lastSeen = ({ lastUsedAt, createdAt }: ListedSession) => lastUsedAt ?? createdAt
  return living.sort((a, b) => lastSeen(b) - lastSeen(a))
}

const showSession = (session: Session, apps: ReadonlyMap<string, string>): ListedSession => {
  const { id, clientId, createdAt, lastUsedAt, origin, personal, began } = session
  const seen = { ...(lastUsedAt === undefined ? {} : { lastUsedAt }), ...(origin === undefined ? {} : { origin }) }
  if (personal !== undefined) {
    const { name, isReadOnly, expiresAt } = personal
    const ends = expiresAt === undefined ? {} : { expiresAt }
    return { id, kind: 'token', name, isReadOnly, createdAt, ...seen, ...ends }
  }
  const name = apps.get(clientId) ?? clientId
  return {
    id,
    kind: 'app',
    name,
    clientId,
    ...(began && { began }),
    createdAt,
    ...seen,
    expiresAt: continuableUntil(session),
  }
}

/** What there is to know of a session to be ended: its id, and for a browser no app. */
export type EndingSession = Pick<ListedSession, 'id' | 'clientId'>

const endMeant = async (
  registry: RegistryDraft,
  userId: string,
  isMeant: (session: EndingSession) => boolean,
): Promise<number> => {
  const granted = (await registry.listSessions(userId)).filter(isMeant)
  const browsers = (await registry.listBrowserSessions(userId)).filter(({ hash }) => isMeant({ id: hash }))
  for (const { id } of granted) await registry.delete('sessions', id)
  for (const { hash } of browsers) await registry.delete('browserSessions', hash)
  const ended = granted.length + browsers.length
  if (ended > 0) await deleteOpenCodes(registry, userId)
  return ended
}

/**
 * Ends those sessions of the user that are meant, whatever their kind, and the codes under way, which would begin new
 * ones; gives how many sessions ended.
 */
export const endSessions = (
  store: Store,
  userId: string,
  isMeant: (session: EndingSession) => boolean,
): Promise<number> => store.registry.change((registry) => endMeant(registry, userId, isMeant))

/**
 * Ends all sessions of the user but that of one browser. False, and none ends, when that one has ended: of two browsers
 * that end each other at the same moment the first one stays.
 */
export const endOtherSessions = (store: Store, userId: string, browserSessionId: string): Promise<boolean> =>
  store.registry.change(async (registry) => {
    if ((await registry.findBrowserSession(browserSessionId)) === undefined) return false
    await endMeant(registry, userId, ({ id }) => id !== browserSessionId)
    return true
  })

/** Ends a session of the user, whatever its kind; false when the user has none with this id. */
export const endSession = async (store: Store, userId: string, id: string): Promise<boolean> =>
  (await endSessions(store, userId, (session) => session.id === id)) > 0

/** A user who signed in, and the secret for the cookie: the only time that it is seen. */
export interface SignedIn {
  readonly user: User
  readonly cookie: string
}

/** Sessions in browsers that a user may have. */
export const maxBrowserSessions = 50

/** Where a sign-in comes from, and the cookie that the browser has by now: whatever it was, it ends (session fixation). */
export interface SignInContext {
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
  const keyOf = ({ origin }: BrowserSession) => findAddressKey(origin.address)
  const counts = new Map([[findAddressKey(newcomer.address), Number.POSITIVE_INFINITY]])
  for (const session of sessions) counts.set(keyOf(session), (counts.get(keyOf(session)) ?? 0) + 1)
  const countOf = (session: BrowserSession) => counts.get(keyOf(session)) ?? 0
  // Of two infinite counts the difference is no number, and then the last use decides.
  return [...sessions].sort((a, b) => countOf(b) - countOf(a) || a.lastUsedAt - b.lastUsedAt)
}

/** Opens a session in a browser, within a change of the registry; gives the secret for the cookie. */
export const openBrowserSession = async (
  registry: RegistryDraft,
  userId: string,
  { origin, replaces, by }: SignInContext,
  environment: Environment,
): Promise<string> => {
  if (replaces !== undefined) await registry.delete('browserSessions', hashSecret(replaces))
  const mine = await registry.listBrowserSessions(userId)
  const spare = orderByWorth(mine, origin).slice(0, Math.max(0, mine.length - maxBrowserSessions + 1))
  for (const { hash } of spare) await registry.delete('browserSessions', hash)
  const cookie = environment.newSecret()
  const createdAt = Math.floor(environment.now() / 1000)
  const session = { hash: hashSecret(cookie), userId, createdAt, lastUsedAt: createdAt, origin }
  await registry.put('browserSessions', by === undefined ? session : { ...session, by })
  return cookie
}

/**
 * Signs a person in with name and password; each sign-in has a session of its own (contract, the web flow).
 * @throws ApiError `passwordInvalid` (also, and after the same time, for a user who is unknown or disabled); what
 *   `checkPassword` throws
 */
export const signIn = async (
  store: Store,
  form: SignInContext & { readonly username: string; readonly password: string },
  environment: Environment,
  checkPassword: CheckPassword,
): Promise<SignedIn> => {
  const user = await checkUser(store, form, checkPassword)
  await deleteExpired(store, environment)
  return store.registry.change(async (registry) => {
    if (!maySignIn(await registry.findUser(user.id), user.passwordHash)) throw new ApiError('passwordInvalid')
    return { user, cookie: await openBrowserSession(registry, user.id, form, environment) }
  })
}

/** Whose session in a browser a cookie is; undefined when it has ended, was idle for 30 days, or never was one. */
export const findBrowserSession = async (
  store: Store,
  cookie: string,
  environment: Environment,
): Promise<{ readonly session: BrowserSession; readonly user: User } | undefined> => {
  const session = await store.registry.findBrowserSession(hashSecret(cookie))
  if (session === undefined || isIdle(session, environment)) return undefined
  const user = await store.registry.findUser(session.userId)
  if (user === undefined || user.disabledAt !== undefined) return undefined
  if (isNoteDue(session.lastUsedAt, environment)) {
    await noteUse(store, async (registry) => {
      const newest = await registry.findBrowserSession(session.hash)
      if (newest === undefined || !isNoteDue(newest.lastUsedAt, environment)) return
      await registry.put('browserSessions', { ...newest, lastUsedAt: Math.floor(environment.now() / 1000) })
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
    await deleteOpenCodes(registry, session.userId)
    return session
  })
