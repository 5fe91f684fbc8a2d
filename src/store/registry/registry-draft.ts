import type { RegistryDraft, RegistryItems, RegistryKind, RegistryReader } from './registry.ts'
import { createRegistryState, emptyRegistry, mapKinds, type RegistryChanges, registryIds } from './registry-state.ts'

/** One change of the registry at work. */
export interface RegistryStaging {
  readonly draft: RegistryDraft
  /** Ends the change and gives what it did. Work that forgot to await a step finds the draft closed. */
  readonly finish: () => RegistryChanges
}

type Changes = { readonly [Kind in RegistryKind]: Map<string, RegistryItems[Kind] | undefined> }

/** Begins to collect changes over a registry, which stays as it is. */
export const stageRegistry = (base: RegistryReader): RegistryStaging => {
  const changes = mapKinds<Changes>(() => new Map())
  // A registry of what was put, which is asked as the other one is.
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
    ask: (reader: RegistryReader) => Promise<RegistryItems[Kind] | undefined>,
  ): Promise<RegistryItems[Kind] | undefined> => {
    const found = await ask(added.reader)
    if (found !== undefined) return found
    const before = await ask(base)
    return before !== undefined && isUntouched(kind, before) ? before : undefined
  }

  const list = async <Kind extends RegistryKind>(
    kind: Kind,
    ask: (reader: RegistryReader) => Promise<readonly RegistryItems[Kind][]>,
  ): Promise<readonly RegistryItems[Kind][]> => [
    ...(await ask(base)).filter((item) => isUntouched(kind, item)),
    ...(await ask(added.reader)),
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
