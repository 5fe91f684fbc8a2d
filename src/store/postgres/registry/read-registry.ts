import { foldName } from '../../registry/fold-name.ts'
import type { RegistryReader, Session } from '../../registry/registry.ts'
import type { AccountMark } from '../accounts/changed-rows.ts'
import type { Run } from '../database/open-database.ts'
import type { Statement } from '../database/statement.ts'
import * as statements from '../statements/registry.ts'
import { asKey } from './keys.ts'

interface FoundSession {
  readonly item: string
  /** Null when its account was never written to. */
  readonly epoch: number | null
  readonly revision: number | null
}

/**
 * The registry as a connection, or a transaction, sees it: asked for anew each time, so that all processes see the same.
 * `onFound` is told where the account of a session was when that was found.
 */
export const readRegistry = (
  run: Run,
  onFound: (session: Session, mark: AccountMark) => void = () => undefined,
): RegistryReader => {
  const list = async <Item>(statement: Statement, ...keys: readonly string[]): Promise<readonly Item[]> => {
    const rows = await run<{ readonly item: string }>(statement, keys)
    return rows.map(({ item }) => JSON.parse(item))
  }
  const find = async <Item>(statement: Statement, ...keys: readonly string[]): Promise<Item | undefined> => {
    const [item] = await list<Item>(statement, ...keys)
    return item
  }
  const findSession = async (hash: string, kind: 'access' | 'request') => {
    const [found] = await run<FoundSession>(statements.findSessionByHash, [asKey(hash), kind])
    if (found === undefined) return undefined
    const session: Session = JSON.parse(found.item)
    onFound(session, { epoch: found.epoch ?? 0, revision: found.revision ?? 0 })
    return session
  }

  return {
    findUser: (id) => find(statements.findPerson, asKey(id)),
    findUserByName: (name) => find(statements.findPersonByName, asKey(name)),
    listUsersNamedLike: (name) => list(statements.listPersonsNamedLike, asKey(foldName(name))),
    findUserBySubject: (subject) => find(statements.findPersonBySubject, asKey(subject)),
    listMarkedAdmins: () => list(statements.listAdmins),
    listUsers: () => list(statements.listPersons),
    hasUsers: async () => (await run(statements.findAnyPerson, [])).length > 0,
    findApp: (clientId) => find(statements.apps.find, asKey(clientId)),
    listApps: () => list(statements.apps.list),
    listAppsOf: (ownerId) => list(statements.listAppsOf, asKey(ownerId)),
    findSessionByAccessHash: (hash) => findSession(hash, 'access'),
    findSessionByRequestHash: (hash) => findSession(hash, 'request'),
    listSessions: (userId) => list(statements.listSessions, asKey(userId)),
    findCode: (hash) => find(statements.codes.find, asKey(hash)),
    listCodes: (userId) => list(statements.listCodes, asKey(userId)),
    listCodesOfApp: (clientId) => list(statements.listCodesOfApp, asKey(clientId)),
    findBrowserSession: (hash) => find(statements.browserSessions.find, asKey(hash)),
    listBrowserSessions: (userId) => list(statements.listBrowserSessions, asKey(userId)),
    findLink: (hash) => find(statements.links.find, asKey(hash)),
    listLinks: (userId) => list(statements.listLinks, asKey(userId)),
    listInvitations: () => list(statements.listInvitations),
    findKey: (name) => find(statements.serverKeys.find, asKey(name)),
  }
}
