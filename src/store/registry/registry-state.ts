import { foldName } from './fold-name.ts'
import type {
  App,
  AuthorizationCode,
  BrowserSession,
  Ended,
  Key,
  Link,
  RegistryReader,
  Session,
  User,
} from './registry.ts'

/** All that the registry holds. */
export interface RegistryDocument {
  readonly users: readonly User[]
  readonly apps: readonly App[]
  readonly sessions: readonly Session[]
  readonly codes: readonly AuthorizationCode[]
  readonly browserSessions: readonly BrowserSession[]
  readonly links: readonly Link[]
  readonly keys: readonly Key[]
}

/** A registry on which nobody was ever put. */
export const emptyRegistry: RegistryDocument = {
  users: [],
  apps: [],
  sessions: [],
  codes: [],
  browserSessions: [],
  links: [],
  keys: [],
}

/** What one change puts and deletes (undefined), by id. */
export interface RegistryChanges {
  readonly users: ReadonlyMap<string, User | undefined>
  readonly apps: ReadonlyMap<string, App | undefined>
  readonly sessions: ReadonlyMap<string, Session | undefined>
  readonly codes: ReadonlyMap<string, AuthorizationCode | undefined>
  readonly browserSessions: ReadonlyMap<string, BrowserSession | undefined>
  readonly links: ReadonlyMap<string, Link | undefined>
  readonly keys: ReadonlyMap<string, Key | undefined>
}

/** The registry in memory, with its indexes. */
export interface RegistryState {
  readonly reader: RegistryReader
  readonly document: () => RegistryDocument
  /** Hashes of what has ended. */
  readonly listEnded: (ended: Ended) => Readonly<Record<'codes' | 'links' | 'browserSessions', readonly string[]>>
  /** Makes the changes visible, all at once. */
  readonly apply: (changes: RegistryChanges) => void
}

const applyTo = <Item>(items: Map<string, Item>, changes: ReadonlyMap<string, Item | undefined>): void => {
  for (const [id, item] of changes) {
    if (item === undefined) items.delete(id)
    else items.set(id, item)
  }
}

const pick = <Item>(items: ReadonlyMap<string, Item>, isMeant: (item: Item) => boolean): readonly Item[] =>
  [...items.values()].filter(isMeant)

/** Builds the registry from what was kept of it. */
export const createRegistryState = (document: RegistryDocument): RegistryState => {
  const users = new Map<string, User>()
  const usersByName = new Map<string, User>()
  const usersByFoldedName = new Map<string, Map<string, User>>()
  const apps = new Map<string, App>()
  const sessions = new Map<string, Session>()
  const codes = new Map<string, AuthorizationCode>()
  const browserSessions = new Map<string, BrowserSession>()
  const links = new Map<string, Link>()
  const keys = new Map<string, Key>()
  const byAccessHash = new Map<string, Session>()
  const byRequestHash = new Map<string, Session>()
  const byUser = new Map<string, Map<string, Session>>()

  const unindex = (session: Session): void => {
    for (const pair of session.pairs) {
      byAccessHash.delete(pair.accessHash)
      byRequestHash.delete(pair.requestHash)
    }
    if (session.personal !== undefined) byAccessHash.delete(session.personal.hash)
    const ofUser = byUser.get(session.userId)
    ofUser?.delete(session.id)
    if (ofUser?.size === 0) byUser.delete(session.userId)
  }

  const index = (session: Session): void => {
    for (const pair of session.pairs) {
      byAccessHash.set(pair.accessHash, session)
      byRequestHash.set(pair.requestHash, session)
    }
    if (session.personal !== undefined) byAccessHash.set(session.personal.hash, session)
    const ofUser = byUser.get(session.userId) ?? new Map<string, Session>()
    byUser.set(session.userId, ofUser.set(session.id, session))
  }

  const unindexUser = ({ id, name }: User): void => {
    const folded = foldName(name)
    usersByName.delete(name)
    const namedLike = usersByFoldedName.get(folded)
    namedLike?.delete(id)
    if (namedLike?.size === 0) usersByFoldedName.delete(folded)
  }

  const indexUser = (user: User): void => {
    const folded = foldName(user.name)
    usersByName.set(user.name, user)
    const namedLike = usersByFoldedName.get(folded) ?? new Map<string, User>()
    usersByFoldedName.set(folded, namedLike.set(user.id, user))
  }

  const apply = (changes: RegistryChanges): void => {
    for (const id of changes.users.keys()) {
      const before = users.get(id)
      if (before !== undefined) unindexUser(before)
    }
    for (const user of changes.users.values()) if (user !== undefined) indexUser(user)
    for (const id of changes.sessions.keys()) {
      const before = sessions.get(id)
      if (before !== undefined) unindex(before)
    }
    for (const session of changes.sessions.values()) if (session !== undefined) index(session)
    applyTo(users, changes.users)
    applyTo(apps, changes.apps)
    applyTo(sessions, changes.sessions)
    applyTo(codes, changes.codes)
    applyTo(browserSessions, changes.browserSessions)
    applyTo(links, changes.links)
    applyTo(keys, changes.keys)
  }

  apply({
    users: new Map(document.users.map((user) => [user.id, user])),
    apps: new Map(document.apps.map((app) => [app.clientId, app])),
    sessions: new Map(document.sessions.map((session) => [session.id, session])),
    codes: new Map(document.codes.map((code) => [code.hash, code])),
    browserSessions: new Map(document.browserSessions.map((session) => [session.hash, session])),
    links: new Map(document.links.map((link) => [link.hash, link])),
    keys: new Map(document.keys.map((key) => [key.name, key])),
  })

  return {
    reader: {
      findUser: async (id) => users.get(id),
      findUserByName: async (name) => usersByName.get(name),
      listUsersNamedLike: async (name) => [...(usersByFoldedName.get(foldName(name))?.values() ?? [])],
      findUserBySubject: async (subject) => pick(users, (user) => user.subject === subject)[0],
      listMarkedAdmins: async () => pick(users, ({ isAdmin }) => isAdmin === true),
      listUsers: async () => [...users.values()],
      hasUsers: async () => users.size > 0,
      findApp: async (clientId) => apps.get(clientId),
      listApps: async () => [...apps.values()],
      listAppsOf: async (id) => pick(apps, ({ ownerId }) => ownerId === id),
      findSessionByAccessHash: async (hash) => byAccessHash.get(hash),
      findSessionByRequestHash: async (hash) => byRequestHash.get(hash),
      listSessions: async (userId) => [...(byUser.get(userId)?.values() ?? [])],
      findCode: async (hash) => codes.get(hash),
      listCodes: async (id) => pick(codes, ({ userId }) => userId === id),
      listCodesOfApp: async (id) => pick(codes, ({ clientId }) => clientId === id),
      findBrowserSession: async (hash) => browserSessions.get(hash),
      listBrowserSessions: async (id) => pick(browserSessions, ({ userId }) => userId === id),
      findLink: async (hash) => links.get(hash),
      listLinks: async (id) => pick(links, ({ userId }) => userId === id),
      listInvitations: async () => pick(links, ({ kind }) => kind === 'invitation'),
      findKey: async (name) => keys.get(name),
    },
    listEnded: ({ expiredBy, unusedSince }) => ({
      codes: pick(codes, ({ expiresAt }) => expiresAt <= expiredBy).map(({ hash }) => hash),
      links: pick(links, ({ expiresAt }) => expiresAt <= expiredBy).map(({ hash }) => hash),
      browserSessions: pick(browserSessions, ({ lastUsedAt }) => lastUsedAt <= unusedSince).map(({ hash }) => hash),
    }),
    document: () => ({
      users: [...users.values()],
      apps: [...apps.values()],
      sessions: [...sessions.values()],
      codes: [...codes.values()],
      browserSessions: [...browserSessions.values()],
      links: [...links.values()],
      keys: [...keys.values()],
    }),
    apply,
  }
}
