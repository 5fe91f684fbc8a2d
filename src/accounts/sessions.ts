import type { Origin, RegistryDraft, Session } from '../store/registry/registry.ts'
import type { Store } from '../store/store.ts'
import type { World } from '../world.ts'
import { nameApps } from './apps.ts'
import { dropOpenCodes } from './end-sessions.ts'
import { idleSeconds, isIdle } from './forget-ended.ts'
import { continuableUntil } from './spare-sessions.ts'
import { isOver } from './token-pairs.ts'

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
export const listSessions = async (store: Store, userId: string, world: World): Promise<readonly ListedSession[]> => {
  const { registry } = store
  const sessions = await registry.listSessions(userId)
  const apps = await nameApps(
    registry,
    sessions.map(({ clientId }) => clientId),
  )
  const granted = sessions.map((session) => showSession(session, apps))
  const browsers = (await registry.listBrowserSessions(userId))
    .filter((session) => !isIdle(session, world))
    .map(({ hash, createdAt, lastUsedAt, origin }): ListedSession => {
      return { id: hash, kind: 'browser', createdAt, lastUsedAt, expiresAt: lastUsedAt + idleSeconds, origin }
    })
  const living = [...granted, ...browsers].filter(
    ({ expiresAt }) => expiresAt === undefined || !isOver(expiresAt, world),
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
  if (ended > 0) await dropOpenCodes(registry, userId)
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
