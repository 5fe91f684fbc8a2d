import { ApiError } from '../api-error.ts'
import type { Environment } from '../environment.ts'
import type { BrowserSession, Origin, RegistryDraft, Session, User } from '../store/registry/registry.ts'
import type { Store } from '../store/store.ts'
import { nameApps } from './apps.ts'
import {
  deleteExpired,
  deleteOpenCodes,
  findAddressKey,
  findSessionExpiry,
  hashSecret,
  idleSeconds,
  isExpired,
  isIdle,
  isNoteDue,
  noteUse,
} from './sessions.ts'
import { type CheckPassword, checkUser, maySignIn } from './users.ts'

/** A session of a user, as `listSessions` shows it. Times are in Unix seconds. */
export interface ListedSession {
  /** The id for `endSession`. */
  readonly id: string
  /** An app with tokens of a grant, a personal access token, or a browser that is signed in to the pages. */
  readonly kind: 'app' | 'token' | 'browser'
  /** The name of the app or the token; a browser has none. */
  readonly name?: string
  readonly clientId?: string
  readonly began?: 'password' | 'code'
  readonly isReadOnly?: boolean
  readonly createdAt: number
  /** Up to an hour too early; absent when it is unknown. */
  readonly lastUsedAt?: number
  /** When it ends unless it is used; absent when it never ends. */
  readonly expiresAt?: number
  readonly origin?: Origin
}

/** Lists all valid sessions of a user, the last used first. */
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
  const valid = [...granted, ...browsers].filter(
    ({ expiresAt }) => expiresAt === undefined || !isExpired(expiresAt, environment),
  )
  const lastUse = ({ lastUsedAt, createdAt }: ListedSession) => lastUsedAt ?? createdAt
  return valid.sort((a, b) => lastUse(b) - lastUse(a))
}

const showSession = (session: Session, apps: ReadonlyMap<string, string>): ListedSession => {
  const { id, clientId, createdAt, lastUsedAt, origin, personal, began } = session
  const use = { ...(lastUsedAt === undefined ? {} : { lastUsedAt }), ...(origin === undefined ? {} : { origin }) }
  if (personal !== undefined) {
    const { name, isReadOnly, expiresAt } = personal
    const expiry = expiresAt === undefined ? {} : { expiresAt }
    return { id, kind: 'token', name, isReadOnly, createdAt, ...use, ...expiry }
  }
  const name = apps.get(clientId) ?? clientId
  return {
    id,
    kind: 'app',
    name,
    clientId,
    ...(began && { began }),
    createdAt,
    ...use,
    expiresAt: findSessionExpiry(session),
  }
}

/** The part of a session by which the sessions to end are selected. A browser session has no client id. */
export type EndingSession = Pick<ListedSession, 'id' | 'clientId'>

const endMatching = async (
  registry: RegistryDraft,
  userId: string,
  matches: (session: EndingSession) => boolean,
): Promise<number> => {
  const granted = (await registry.listSessions(userId)).filter(matches)
  const browsers = (await registry.listBrowserSessions(userId)).filter(({ hash }) => matches({ id: hash }))
  for (const { id } of granted) await registry.delete('sessions', id)
  for (const { hash } of browsers) await registry.delete('browserSessions', hash)
  const ended = granted.length + browsers.length
  if (ended > 0) await deleteOpenCodes(registry, userId)
  return ended
}

/**
 * Ends the matching sessions of the user, of every kind. If any ended, it also deletes the unused codes, which could
 * begin new sessions. Returns the number of ended sessions.
 */
export const endSessions = (
  store: Store,
  userId: string,
  matches: (session: EndingSession) => boolean,
): Promise<number> => store.registry.change((registry) => endMatching(registry, userId, matches))

/**
 * Ends all sessions of the user except one browser session. When that one has ended, it returns false and ends none: of
 * two browsers that end each other at the same moment, the first one stays.
 */
export const endOtherSessions = (store: Store, userId: string, browserSessionId: string): Promise<boolean> =>
  store.registry.change(async (registry) => {
    if ((await registry.findBrowserSession(browserSessionId)) === undefined) return false
    await endMatching(registry, userId, ({ id }) => id !== browserSessionId)
    return true
  })

/** Ends a session of the user, of any kind; false when the user has no session with this id. */
export const endSession = async (store: Store, userId: string, id: string): Promise<boolean> =>
  (await endSessions(store, userId, (session) => session.id === id)) > 0

/** A user who signed in, and the secret for the cookie. The store keeps only its hash. */
export interface SignedIn {
  readonly user: User
  readonly cookie: string
}

/** The maximum number of browser sessions of a user. */
export const maxBrowserSessions = 50

/**
 * The origin of a sign-in, and the previous cookie of the browser (`replaces`). Its session ends (session fixation).
 */
export interface SignInContext {
  readonly origin: Origin
  readonly replaces?: string | undefined
  readonly by?: BrowserSession['by']
}

/**
 * Sorts sessions by the order in which a new session replaces them: first those of its own IP address, then those of
 * the address with the most sessions; among them, the least recently used first. The last use alone is not enough: it
 * is recorded once an hour, so an attacker with the password could end the session that the user is using.
 */
const sortForReplacement = (sessions: readonly BrowserSession[], newOrigin: Origin): readonly BrowserSession[] => {
  const keyOf = ({ origin }: BrowserSession) => findAddressKey(origin.address)
  const counts = new Map([[findAddressKey(newOrigin.address), Number.POSITIVE_INFINITY]])
  for (const session of sessions) counts.set(keyOf(session), (counts.get(keyOf(session)) ?? 0) + 1)
  const countOf = (session: BrowserSession) => counts.get(keyOf(session)) ?? 0
  // The difference of two infinite counts is NaN, and then the last use decides.
  return [...sessions].sort((a, b) => countOf(b) - countOf(a) || a.lastUsedAt - b.lastUsedAt)
}

/** Opens a browser session within a change of the registry; returns the secret for the cookie. */
export const openBrowserSession = async (
  registry: RegistryDraft,
  userId: string,
  { origin, replaces, by }: SignInContext,
  environment: Environment,
): Promise<string> => {
  if (replaces !== undefined) await registry.delete('browserSessions', hashSecret(replaces))
  const existing = await registry.listBrowserSessions(userId)
  const excess = sortForReplacement(existing, origin).slice(0, Math.max(0, existing.length - maxBrowserSessions + 1))
  for (const { hash } of excess) await registry.delete('browserSessions', hash)
  const cookie = environment.newSecret()
  const createdAt = Math.floor(environment.now() / 1000)
  const session = { hash: hashSecret(cookie), userId, createdAt, lastUsedAt: createdAt, origin }
  await registry.put('browserSessions', by === undefined ? session : { ...session, by })
  return cookie
}

/**
 * Signs a user in with name and password. Each sign-in has a session of its own (contract, authorization code flow).
 * @throws ApiError `passwordInvalid`, after the same time for an unknown or disabled user; what `checkPassword` throws
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

/**
 * Finds the browser session of a cookie and its user; undefined when it has ended, was idle for 30 days, or never
 * existed.
 */
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

/**
 * Ends the browser session of a cookie, if there is one, and deletes the unused codes of its user; returns the session.
 */
export const endBrowserSession = (store: Store, cookie: string): Promise<BrowserSession | undefined> =>
  store.registry.change(async (registry) => {
    const session = await registry.findBrowserSession(hashSecret(cookie))
    if (session === undefined) return undefined
    await registry.delete('browserSessions', session.hash)
    await deleteOpenCodes(registry, session.userId)
    return session
  })
