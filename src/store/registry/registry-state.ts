import {
  type Ended,
  foldName,
  type RegistryDraft,
  type RegistryItems,
  type RegistryKind,
  type RegistryReader,
  type Session,
  type User,
} from './registry.ts'

/** The whole content of the registry. */
export type RegistryDocument = { readonly [Kind in RegistryKind]: readonly RegistryItems[Kind][] }

/** The items that one change puts or deletes (undefined), by id. */
export type RegistryChanges = { readonly [Kind in RegistryKind]: ReadonlyMap<string, RegistryItems[Kind] | undefined> }

/** The identifying member of each kind of items. */
export const registryIds: { readonly [Kind in RegistryKind]: (item: RegistryItems[Kind]) => string } = {
  users: ({ id }) => id,
  apps: ({ clientId }) => clientId,
  sessions: ({ id }) => id,
  codes: ({ hash }) => hash,
  browserSessions: ({ hash }) => hash,
  links: ({ hash }) => hash,
  keys: ({ name }) => name,
}

/** All kinds, in their order in files. */
export const registryKinds = Object.keys(registryIds) as readonly RegistryKind[]

/** Creates an object with a member for each kind. `create` must return a value of the member's type in `Created`. */
export const mapKinds = <Created extends Readonly<Record<RegistryKind, unknown>>>(
  create: <Kind extends RegistryKind>(kind: Kind) => unknown,
): Created => Object.fromEntries(registryKinds.map((kind) => [kind, create(kind)])) as Created

/** A registry without items. */
export const emptyRegistry: RegistryDocument = mapKinds<RegistryDocument>(() => [])

/** The registry in memory, with its indexes. */
interface RegistryState {
  readonly reader: RegistryReader
  readonly document: () => RegistryDocument
  /** Lists the hashes of items that have ended. */
  readonly listEnded: (ended: Ended) => Readonly<Record<'codes' | 'links' | 'browserSessions', readonly string[]>>
  /** Makes the changes visible, all at once. */
  readonly apply: (changes: Partial<RegistryChanges>) => void
}

type Tables = { readonly [Kind in RegistryKind]: Map<string, RegistryItems[Kind]> }

/** Creates an index of items by a value that several items may share. */
const createIndex = <Item>(idOf: (item: Item) => string, nameOf: (item: Item) => string) => {
  const groups = new Map<string, Map<string, Item>>()
  return {
    list: (name: string): readonly Item[] => [...(groups.get(name)?.values() ?? [])],
    add: (item: Item): void => {
      const name = nameOf(item)
      groups.set(name, (groups.get(name) ?? new Map<string, Item>()).set(idOf(item), item))
    },
    remove: (item: Item): void => {
      const group = groups.get(nameOf(item))
      group?.delete(idOf(item))
      if (group?.size === 0) groups.delete(nameOf(item))
    },
  }
}

const pick = <Item>(items: ReadonlyMap<string, Item>, isMatch: (item: Item) => boolean): readonly Item[] =>
  [...items.values()].filter(isMatch)

/** Creates the registry in memory from its stored document. */
export const createRegistryState = (document: RegistryDocument): RegistryState => {
  const tables = mapKinds<Tables>(() => new Map())
  const { users, apps, sessions, codes, browserSessions, links, keys } = tables
  const namedLike = createIndex(registryIds.users, ({ name }) => foldName(name))
  const sessionsOf = createIndex(registryIds.sessions, ({ userId }) => userId)
  const byAccessHash = new Map<string, Session>()
  const byRequestHash = new Map<string, Session>()

  const unindex = (session: Session): void => {
    for (const pair of session.pairs) {
      byAccessHash.delete(pair.accessHash)
      byRequestHash.delete(pair.requestHash)
    }
    if (session.personal !== undefined) byAccessHash.delete(session.personal.hash)
    sessionsOf.remove(session)
  }

  const index = (session: Session): void => {
    for (const pair of session.pairs) {
      byAccessHash.set(pair.accessHash, session)
      byRequestHash.set(pair.requestHash, session)
    }
    if (session.personal !== undefined) byAccessHash.set(session.personal.hash, session)
    sessionsOf.add(session)
  }

  /** Applies changes to one table. All old items leave the indexes before new ones enter. */
  const applyTo = <Item>(
    table: Map<string, Item>,
    changes: ReadonlyMap<string, Item | undefined> | undefined,
    { remove, add }: Readonly<Record<'remove' | 'add', (item: Item) => void>> = noIndex,
  ): void => {
    if (changes === undefined) return
    for (const id of changes.keys()) {
      const before = table.get(id)
      if (before !== undefined) remove(before)
    }
    for (const [id, item] of changes) {
      if (item === undefined) table.delete(id)
      else {
        table.set(id, item)
        add(item)
      }
    }
  }

  const apply: RegistryState['apply'] = (changes) => {
    applyTo(users, changes.users, namedLike)
    applyTo(apps, changes.apps)
    applyTo(sessions, changes.sessions, { remove: unindex, add: index })
    applyTo(codes, changes.codes)
    applyTo(browserSessions, changes.browserSessions)
    applyTo(links, changes.links)
    applyTo(keys, changes.keys)
  }

  apply(mapKinds<RegistryChanges>((kind) => new Map(document[kind].map((item) => [registryIds[kind](item), item]))))

  const listUsersNamedLike = (name: string): readonly User[] => namedLike.list(foldName(name))
  return {
    reader: {
      findUser: async (id) => users.get(id),
      findUserByName: async (name) => listUsersNamedLike(name).find((user) => user.name === name),
      listUsersNamedLike: async (name) => listUsersNamedLike(name),
      findUserBySubject: async (subject) => pick(users, (user) => user.subject === subject)[0],
      listMarkedAdmins: async () => pick(users, ({ isAdmin }) => isAdmin === true),
      listUsers: async () => [...users.values()],
      hasUsers: async () => users.size > 0,
      findApp: async (clientId) => apps.get(clientId),
      listApps: async () => [...apps.values()],
      listAppsOf: async (id) => pick(apps, ({ ownerId }) => ownerId === id),
      findSessionByAccessHash: async (hash) => byAccessHash.get(hash),
      findSessionByRequestHash: async (hash) => byRequestHash.get(hash),
      listSessions: async (userId) => sessionsOf.list(userId),
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
    document: () => mapKinds<RegistryDocument>((kind) => [...tables[kind].values()]),
    apply,
  }
}

const noIndex = { remove: () => undefined, add: () => undefined }

/** One change of the registry in progress. */
interface RegistryStaging {
  readonly draft: RegistryDraft
  /** Ends the change and returns its items. Work that forgot to await a step finds the draft closed. */
  readonly finish: () => RegistryChanges
}

type Changes = { readonly [Kind in RegistryKind]: Map<string, RegistryItems[Kind] | undefined> }

/** Starts to collect changes over a registry, which does not change. */
export const stageRegistry = (base: RegistryReader): RegistryStaging => {
  const changes = mapKinds<Changes>(() => new Map())
  // A second registry of the items that were put: it supports the same queries as the base.
  const added = createRegistryState(emptyRegistry)
  let isFinished = false

  const change = <Kind extends RegistryKind>(kind: Kind, id: string, item: RegistryItems[Kind] | undefined): void => {
    if (isFinished) throw new Error('a draft was changed after its change of the registry had ended')
    changes[kind].set(id, item)
    added.apply({ [kind]: new Map([[id, item]]) })
  }

  const isUntouched = <Kind extends RegistryKind>(kind: Kind, item: RegistryItems[Kind]): boolean =>
    !changes[kind].has(registryIds[kind](item))

  const find = async <Kind extends RegistryKind>(
    kind: Kind,
    query: (reader: RegistryReader) => Promise<RegistryItems[Kind] | undefined>,
  ): Promise<RegistryItems[Kind] | undefined> => {
    const found = await query(added.reader)
    if (found !== undefined) return found
    const before = await query(base)
    return before !== undefined && isUntouched(kind, before) ? before : undefined
  }

  const list = async <Kind extends RegistryKind>(
    kind: Kind,
    query: (reader: RegistryReader) => Promise<readonly RegistryItems[Kind][]>,
  ): Promise<readonly RegistryItems[Kind][]> => [
    ...(await query(base)).filter((item) => isUntouched(kind, item)),
    ...(await query(added.reader)),
  ]

  const draft: RegistryDraft = {
    findUser: (id) => find('users', ({ findUser }) => findUser(id)),
    findUserByName: (name) => find('users', ({ findUserByName }) => findUserByName(name)),
    listUsersNamedLike: (name) => list('users', ({ listUsersNamedLike }) => listUsersNamedLike(name)),
    findUserBySubject: (subject) => find('users', ({ findUserBySubject }) => findUserBySubject(subject)),
    listMarkedAdmins: () => list('users', ({ listMarkedAdmins }) => listMarkedAdmins()),
    listUsers: () => list('users', ({ listUsers }) => listUsers()),
    hasUsers: async () => (changes.users.size === 0 ? base.hasUsers() : (await draft.listUsers()).length > 0),
    findApp: (id) => find('apps', ({ findApp }) => findApp(id)),
    listApps: () => list('apps', ({ listApps }) => listApps()),
    listAppsOf: (id) => list('apps', ({ listAppsOf }) => listAppsOf(id)),
    findSessionByAccessHash: (hash) => find('sessions', (reader) => reader.findSessionByAccessHash(hash)),
    findSessionByRequestHash: (hash) => find('sessions', (reader) => reader.findSessionByRequestHash(hash)),
    listSessions: (id) => list('sessions', ({ listSessions }) => listSessions(id)),
    findCode: (hash) => find('codes', ({ findCode }) => findCode(hash)),
    listCodes: (id) => list('codes', ({ listCodes }) => listCodes(id)),
    listCodesOfApp: (id) => list('codes', ({ listCodesOfApp }) => listCodesOfApp(id)),
    findBrowserSession: (hash) => find('browserSessions', ({ findBrowserSession }) => findBrowserSession(hash)),
    listBrowserSessions: (id) => list('browserSessions', ({ listBrowserSessions }) => listBrowserSessions(id)),
    findLink: (hash) => find('links', ({ findLink }) => findLink(hash)),
    listLinks: (id) => list('links', ({ listLinks }) => listLinks(id)),
    listInvitations: () => list('links', ({ listInvitations }) => listInvitations()),
    findKey: (name) => find('keys', ({ findKey }) => findKey(name)),
    put: async (kind, item) => change(kind, registryIds[kind](item), item),
    delete: async (kind, id) => change(kind, id, undefined),
  }
  return {
    draft,
    finish: () => {
      isFinished = true
      return changes
    },
  }
}
