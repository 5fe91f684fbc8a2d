import type { Origin, Session } from '../store/directory.ts'
import type { Store } from '../store/store.ts'
import type { World } from '../world.ts'
import { continuableUntil } from './spare-sessions.ts'
import { idleSeconds, isIdle } from './sweep-expired.ts'
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
  const { directory } = store
  const apps = new Map((await directory.listApps()).map(({ clientId, name }) => [clientId, name]))
  const granted = (await directory.listSessions(userId)).map((session) => showSession(session, apps))
  const browsers = (await directory.listBrowserSessions())
    .filter((session) => session.userId === userId && !isIdle(session, world))
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
  const { id, clientId, createdAt, lastUsedAt, origin, personal, began = 'password' } = session
  const seen = { ...(lastUsedAt === undefined ? {} : { lastUsedAt }), ...(origin === undefined ? {} : { origin }) }
  if (personal !== undefined) {
    const { name, isReadOnly, expiresAt } = personal
    const ends = expiresAt === undefined ? {} : { expiresAt }
    return { id, kind: 'token', name, isReadOnly, createdAt, ...seen, ...ends }
  }
  const name = apps.get(clientId) ?? clientId
  return { id, kind: 'app', name, clientId, began, createdAt, ...seen, expiresAt: continuableUntil(session) }
}

/** Ends a session of the user, whatever its kind; false when the user has none with this id. */
export const endSession = (store: Store, userId: string, id: string): Promise<boolean> =>
  store.directory.change(async (directory) => {
    const browser = await directory.findBrowserSession(id)
    if (browser?.userId === userId) {
      await directory.deleteBrowserSession(id)
      return true
    }
    const isMine = (await directory.listSessions(userId)).some((session) => session.id === id)
    if (isMine) await directory.deleteSession(id)
    return isMine
  })
