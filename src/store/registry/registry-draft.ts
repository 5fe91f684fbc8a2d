import { foldName } from './fold-name.ts'
import type {
  App,
  AuthorizationCode,
  BrowserSession,
  Key,
  Link,
  RegistryDraft,
  RegistryReader,
  Session,
  User,
} from './registry.ts'
import type { RegistryChanges } from './registry-state.ts'

/** One change of the registry at work. */
export interface RegistryStaging {
  readonly draft: RegistryDraft
  /** Ends the change and gives what it did. Work that forgot to await a step finds the draft closed. */
  readonly finish: () => RegistryChanges
}

/** Begins to collect changes over a registry, which stays as it is. */
export const stageRegistry = (base: RegistryReader): RegistryStaging => {
  const users = new Map<string, User | undefined>()
  const apps = new Map<string, App | undefined>()
  const sessions = new Map<string, Session | undefined>()
  const codes = new Map<string, AuthorizationCode | undefined>()
  const browserSessions = new Map<string, BrowserSession | undefined>()
  const links = new Map<string, Link | undefined>()
  const keys = new Map<string, Key | undefined>()
  let isFinished = false

  const stage = <Item>(staged: Map<string, Item | undefined>, id: string, item: Item | undefined): void => {
    if (isFinished) throw new Error('a draft was changed after its change of the registry had ended')
    staged.set(id, item)
  }

  const find = async <Item>(
    staged: ReadonlyMap<string, Item | undefined>,
    isMatch: (item: Item) => boolean,
    idOf: (item: Item) => string,
    findKept: () => Promise<Item | undefined>,
  ): Promise<Item | undefined> => {
    for (const item of staged.values()) if (item !== undefined && isMatch(item)) return item
    const kept = await findKept()
    return kept === undefined || staged.has(idOf(kept)) ? undefined : kept
  }

  const list = <Item>(
    kept: readonly Item[],
    staged: ReadonlyMap<string, Item | undefined>,
    idOf: (item: Item) => string,
  ): readonly Item[] => [
    ...kept.filter((item) => !staged.has(idOf(item))),
    ...[...staged.values()].filter((item) => item !== undefined),
  ]

  const userId = (user: User): string => user.id
  const clientId = (app: App): string => app.clientId
  const sessionId = (session: Session): string => session.id
  const hashOf = ({ hash }: { readonly hash: string }): string => hash

  const draft: RegistryDraft = {
    findUser: async (id) => (users.has(id) ? users.get(id) : base.findUser(id)),
    findUserByName: (name) =>
      find(
        users,
        (user) => user.name === name,
        userId,
        () => base.findUserByName(name),
      ),
    listUsersNamedLike: async (name) =>
      list(await base.listUsersNamedLike(name), users, userId).filter((user) => foldName(user.name) === foldName(name)),
    findUserBySubject: (subject) =>
      find(
        users,
        (user) => user.subject === subject,
        userId,
        () => base.findUserBySubject(subject),
      ),
    listMarkedAdmins: async () =>
      list(await base.listMarkedAdmins(), users, userId).filter(({ isAdmin }) => isAdmin === true),
    listUsers: async () => list(await base.listUsers(), users, userId),
    hasUsers: async () => (users.size === 0 ? base.hasUsers() : (await draft.listUsers()).length > 0),
    findApp: async (id) => (apps.has(id) ? apps.get(id) : base.findApp(id)),
    listApps: async () => list(await base.listApps(), apps, clientId),
    listAppsOf: async (id) => list(await base.listAppsOf(id), apps, clientId).filter(({ ownerId }) => ownerId === id),
    findSessionByAccessHash: (hash) =>
      find(
        sessions,
        (session) => session.personal?.hash === hash || session.pairs.some((pair) => pair.accessHash === hash),
        sessionId,
        () => base.findSessionByAccessHash(hash),
      ),
    findSessionByRequestHash: (hash) =>
      find(
        sessions,
        (session) => session.pairs.some((pair) => pair.requestHash === hash),
        sessionId,
        () => base.findSessionByRequestHash(hash),
      ),
    listSessions: async (id) =>
      list(await base.listSessions(id), sessions, sessionId).filter((session) => session.userId === id),
    findCode: async (hash) => (codes.has(hash) ? codes.get(hash) : base.findCode(hash)),
    listCodes: async (id) => list(await base.listCodes(id), codes, hashOf).filter(({ userId }) => userId === id),
    listCodesOfApp: async (id) =>
      list(await base.listCodesOfApp(id), codes, hashOf).filter(({ clientId }) => clientId === id),
    findBrowserSession: async (hash) =>
      browserSessions.has(hash) ? browserSessions.get(hash) : base.findBrowserSession(hash),
    listBrowserSessions: async (id) =>
      list(await base.listBrowserSessions(id), browserSessions, hashOf).filter(({ userId }) => userId === id),
    findLink: async (hash) => (links.has(hash) ? links.get(hash) : base.findLink(hash)),
    listLinks: async (id) => list(await base.listLinks(id), links, hashOf).filter(({ userId }) => userId === id),
    listInvitations: async () =>
      list(await base.listInvitations(), links, hashOf).filter(({ kind }) => kind === 'invitation'),
    findKey: async (name) => keys.get(name) ?? base.findKey(name),
    putUser: async (user) => stage(users, user.id, user),
    deleteUser: async (id) => stage(users, id, undefined),
    putApp: async (app) => stage(apps, app.clientId, app),
    deleteApp: async (id) => stage(apps, id, undefined),
    putSession: async (session) => stage(sessions, session.id, session),
    deleteSession: async (id) => stage(sessions, id, undefined),
    putCode: async (code) => stage(codes, code.hash, code),
    deleteCode: async (hash) => stage(codes, hash, undefined),
    putBrowserSession: async (session) => stage(browserSessions, session.hash, session),
    deleteBrowserSession: async (hash) => stage(browserSessions, hash, undefined),
    putLink: async (link) => stage(links, link.hash, link),
    deleteLink: async (hash) => stage(links, hash, undefined),
    putKey: async (key) => stage(keys, key.name, key),
  }
  return {
    draft,
    finish: () => {
      isFinished = true
      return { users, apps, sessions, codes, browserSessions, links, keys }
    },
  }
}
