import { createSerialQueue } from '../../scheduling.ts'
import { createListeners } from '../listeners.ts'
import {
  foldName,
  type Registry,
  type RegistryDraft,
  type RegistryReader,
  type Session,
  type User,
} from '../registry/registry.ts'
import { type RegistryChanges, type RegistryDocument, stageRegistry } from '../registry/registry-state.ts'
import type { AccountMark } from './accounts/account-rows.ts'
import { type Database, encodeTexts, QueryError, type Run, type Statement } from './database.ts'
import { DatabaseError } from './driver.ts'

// Names and ids are JSON texts (`asKey`), items are JSON. An item that is put again keeps its position in the lists.

type Reach = Statement['reaches']

const repeatable = (name: string, text: string, reaches: Reach): Statement => ({
  name,
  text,
  reaches,
  isRepeatable: true,
})
const unrepeatable = (name: string, text: string, reaches: Reach): Statement => ({
  name,
  text,
  reaches,
  isRepeatable: false,
})

/** The reason of statements that only pages and commands of administrators run. */
const everything = { all: 'a list of all: for administrators' } as const

/** The statements of a table with a single key. */
interface KeyedTable {
  readonly find: Statement
  readonly list: Statement
  readonly put: Statement
  readonly remove: Statement
}

const keyedTable = (table: string, key: string): KeyedTable => ({
  find: repeatable(`find-${table}`, `select item from ${table} where ${key} = $1`, 'hash'),
  list: repeatable(`list-${table}`, `select item from ${table} order by number`, everything),
  put: unrepeatable(
    `put-${table}`,
    `insert into ${table} (${key}, item) values ($1, $2) on conflict (${key}) do update set item = excluded.item`,
    'hash',
  ),
  remove: unrepeatable(`remove-${table}`, `delete from ${table} where ${key} = $1`, 'hash'),
})

const apps = keyedTable('app', 'client_id')
const codes = keyedTable('code', 'hash')
const browserSessions = keyedTable('browser_session', 'hash')
const links = keyedTable('link', 'hash')
const serverKeys = keyedTable('server_key', 'name')

const listOf = (name: string, table: string, column: string): Statement =>
  repeatable(name, `select item from ${table} where ${column} = $1 order by number`, 'account')

const listAppsOf = listOf('list-apps-of', 'app', 'owner')
const listCodes = listOf('list-codes', 'code', 'account')
const listCodesOfApp = listOf('list-codes-of-app', 'code', 'client_id')
const listBrowserSessions = listOf('list-browser-sessions', 'browser_session', 'account')
const listLinks = listOf('list-links', 'link', 'account')
const listInvitations = repeatable(
  'list-invitations',
  `select item from link where account is null order by number`,
  everything,
)

/** Deletes expired rows. It skips locked rows: another transaction is about to change or delete them. */
const dropEnded = (table: string, moment: string): Statement => ({
  ...repeatable(
    `drop-ended-${table}`,
    `delete from ${table} where hash in (select hash from ${table} where ${moment} <= $1 for update skip locked)`,
    { all: 'once a minute: what has ended' },
  ),
})

const dropEndedCodes = dropEnded('code', 'expires_at')
const dropEndedBrowserSessions = dropEnded('browser_session', 'last_used_at')
const dropEndedLinks = dropEnded('link', 'expires_at')

/** Each write reads its user, to check the quota. */
const findUserById: Statement = {
  ...repeatable('find-user', 'select item from users where id = $1', 'account'),
  isLookUp: true,
}
const findUserByName = repeatable('find-user-by-name', 'select item from users where name = $1', 'hash')
const listUsersNamedLike = repeatable(
  'list-users-named-like',
  'select item from users where folded_name = $1 order by number',
  'hash',
)
const findUserBySubject = repeatable('find-user-by-subject', 'select item from users where subject = $1', 'hash')
const listAdmins = repeatable('list-admins', 'select item from users where is_admin', {
  all: 'the few marked users, by their own index',
})
const listUsers = repeatable('list-users', 'select item from users order by number', everything)
const findAnyUser = repeatable('find-any-user', 'select id from users order by number limit 1', {
  all: 'any user of all: finds out if there is one',
})
const putUser = unrepeatable(
  'put-user',
  `insert into users (id, name, folded_name, item) values ($1, $2, $3, $4)
   on conflict (id) do update set name = excluded.name, folded_name = excluded.folded_name, item = excluded.item`,
  'account',
)
const removeUser = unrepeatable('remove-user', 'delete from users where id = $1', 'account')

/**
 * Finds the session of a token by its hash. Also returns the revision of its account (null if never written to), which
 * a request needs next. Fails on a standby, which may lag behind committed writes.
 */
const findSessionByHash: Statement = {
  ...repeatable(
    'find-session-by-hash',
    `select session.item, account.epoch, account.revision
     from session_hash
     join session on session.account = session_hash.account and session.id = session_hash.session
     left join account on account.id = session_hash.account::jsonb #>> '{}'
     where session_hash.hash = $1 and session_hash.kind = $2 and (select pg_current_wal_insert_lsn()) is not null`,
    'hash',
  ),
  isLookUp: true,
}
const listSessions = repeatable(
  'list-sessions',
  'select item from session where account = $1 order by number',
  'account',
)
const listAllSessions = repeatable('list-all-sessions', 'select item from session order by number', everything)
const findSessionAccount = repeatable('find-session-account', 'select account from session where id = $1', {
  all: 'a session that is ended by its id alone: when a token is revoked',
})
const putSession = unrepeatable(
  'put-session',
  `insert into session (account, id, item) values ($1, $2, $3)
   on conflict (account, id) do update set item = excluded.item`,
  'account',
)
const removeSession = unrepeatable('remove-session', 'delete from session where account = $1 and id = $2', 'account')
const dropSessionHashes = unrepeatable(
  'drop-session-hashes',
  'delete from session_hash where account = $1 and session = $2 and not (hash = any ($3::text[]))',
  'account',
)
const putSessionHashes = unrepeatable(
  'put-session-hashes',
  `insert into session_hash (hash, kind, account, session)
   select hash, kind, $1, $2 from unnest($3::text[], $4::text[]) as given (hash, kind)
   on conflict (hash, kind) do update set account = excluded.account, session = excluded.session`,
  'account',
)

/**
 * Converts a name or id to a key of a table: its JSON. Names come from clients and may contain NUL, which PostgreSQL
 * does not accept in a text.
 */
export const asKey = (text: string): string => JSON.stringify(text)

/** Writes the changes of one registry transaction. */
export const writeRegistryChanges = async (run: Run, changes: RegistryChanges): Promise<void> => {
  const writeKeyed = async (
    { put, remove }: KeyedTable,
    items: ReadonlyMap<string, object | undefined>,
  ): Promise<void> => {
    for (const [key, item] of items) {
      if (item === undefined) await run(remove, [asKey(key)])
      else await run(put, [asKey(key), JSON.stringify(item)])
    }
  }

  const writeUser = async (id: string, user: User | undefined): Promise<void> => {
    if (user === undefined) await run(removeUser, [asKey(id)])
    else await run(putUser, [asKey(id), asKey(user.name), asKey(foldName(user.name)), JSON.stringify(user)])
  }

  const removeSessionById = async (id: string): Promise<void> => {
    const rows = await run<{ readonly account: string }>(findSessionAccount, [asKey(id)])
    for (const { account } of rows) {
      await run(dropSessionHashes, [account, asKey(id), encodeTexts([])])
      await run(removeSession, [account, asKey(id)])
    }
  }

  const writeSession = async (session: Session): Promise<void> => {
    const account = asKey(session.userId)
    const id = asKey(session.id)
    const hashes = listHashes(session)
    const texts = hashes.map(({ hash }) => asKey(hash))
    await run(putSession, [account, id, JSON.stringify(session)])
    await run(dropSessionHashes, [account, id, encodeTexts(texts)])
    await run(putSessionHashes, [account, id, encodeTexts(texts), encodeTexts(hashes.map(({ kind }) => kind))])
  }

  for (const [id, user] of changes.users) await writeUser(id, user)
  await writeKeyed(apps, changes.apps)
  for (const [id, session] of changes.sessions)
    await (session === undefined ? removeSessionById(id) : writeSession(session))
  await writeKeyed(codes, changes.codes)
  await writeKeyed(browserSessions, changes.browserSessions)
  await writeKeyed(links, changes.links)
  await writeKeyed(serverKeys, changes.keys)
}

/** Lists the hashes by which a session is found. The kind `request` is of a refresh token. */
export const listHashes = ({
  pairs,
  personal,
}: Session): { readonly hash: string; readonly kind: 'access' | 'request' }[] => [
  ...pairs.flatMap(({ accessHash, requestHash }) => [
    { hash: accessHash, kind: 'access' as const },
    { hash: requestHash, kind: 'request' as const },
  ]),
  ...(personal === undefined ? [] : [{ hash: personal.hash, kind: 'access' as const }]),
]

/** Reads the complete registry with `run`; a consistent snapshot within a transaction. */
const listRegistry = async (run: Run): Promise<RegistryDocument> => {
  const list = async <Item>(statement: Statement): Promise<readonly Item[]> => {
    const rows = await run<{ readonly item: string }>(statement, [])
    return rows.map(({ item }) => JSON.parse(item))
  }
  return {
    users: await list(listUsers),
    apps: await list(apps.list),
    sessions: await list(listAllSessions),
    codes: await list(codes.list),
    browserSessions: await list(browserSessions.list),
    links: await list(links.list),
    keys: await list(serverKeys.list),
  }
}

interface FoundSession {
  readonly item: string
  /** Null if the account was never written to. */
  readonly epoch: number | null
  readonly revision: number | null
}

/**
 * Creates a reader of the registry on a connection or a transaction. It queries the database each time, so that all
 * processes see the same. `onFound` gets the mark of a session's account at the moment when the session was found.
 */
const readRegistry = (
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
    const [found] = await run<FoundSession>(findSessionByHash, [asKey(hash), kind])
    if (found === undefined) return undefined
    const session: Session = JSON.parse(found.item)
    onFound(session, { epoch: found.epoch ?? 0, revision: found.revision ?? 0 })
    return session
  }

  return {
    findUser: (id) => find(findUserById, asKey(id)),
    findUserByName: (name) => find(findUserByName, asKey(name)),
    listUsersNamedLike: (name) => list(listUsersNamedLike, asKey(foldName(name))),
    findUserBySubject: (subject) => find(findUserBySubject, asKey(subject)),
    listMarkedAdmins: () => list(listAdmins),
    listUsers: () => list(listUsers),
    hasUsers: async () => (await run(findAnyUser, [])).length > 0,
    findApp: (clientId) => find(apps.find, asKey(clientId)),
    listApps: () => list(apps.list),
    listAppsOf: (ownerId) => list(listAppsOf, asKey(ownerId)),
    findSessionByAccessHash: (hash) => findSession(hash, 'access'),
    findSessionByRequestHash: (hash) => findSession(hash, 'request'),
    listSessions: (userId) => list(listSessions, asKey(userId)),
    findCode: (hash) => find(codes.find, asKey(hash)),
    listCodes: (userId) => list(listCodes, asKey(userId)),
    listCodesOfApp: (clientId) => list(listCodesOfApp, asKey(clientId)),
    findBrowserSession: (hash) => find(browserSessions.find, asKey(hash)),
    listBrowserSessions: (userId) => list(listBrowserSessions, asKey(userId)),
    findLink: (hash) => find(links.find, asKey(hash)),
    listLinks: (userId) => list(listLinks, asKey(userId)),
    listInvitations: () => list(listInvitations),
    findKey: (name) => find(serverKeys.find, asKey(name)),
  }
}

/** Attempts of a change beside other processes. The attempts after these run alone, without conflicts. */
const attemptsBesideOthers = 2
const maxAttempts = 4

/** The minimum time between two deletions of expired items, because sign-ins are far more frequent. */
const forgetSeconds = 60

const uniqueViolation = '23505'

/**
 * True if a change failed because another process changed what it had read. PostgreSQL may detect this only at the end
 * of the transaction. A name or hash that another process has just taken (unique violation) is a conflict too.
 */
const isConflict = (error: unknown): boolean =>
  (error instanceof QueryError && error.isTransient) ||
  (error instanceof DatabaseError && error.code === uniqueViolation)

/** The result of a change, and the sessions that it has ended. */
interface Changed<T> {
  readonly result: T
  readonly ended: readonly string[]
}

/** The only key of the listeners. */
const ends = 'ends'

const listEnded = ({ sessions }: RegistryChanges): readonly string[] =>
  [...sessions].flatMap(([id, session]) => (session === undefined || session.isSuspended === true ? [id] : []))

/** The registry of a PostgreSQL store. */
export interface PostgresRegistry extends Registry {
  /** Reads the complete registry at one moment, for a backup. @throws StoreError */
  readonly document: () => Promise<RegistryDocument>
  /** Finds the mark of the account at the moment when this session object was found. Undefined if unknown. */
  readonly findMark: (session: Session) => AccountMark | undefined
  /** Calls `onEnd` with the ids of sessions that a change of this process has removed or suspended. */
  readonly watchEnds: (onEnd: (sessionIds: readonly string[]) => void) => () => void
}

/**
 * Opens the registry in the database. Each read queries the database, so that a session that ended in one process has
 * ended in all. A change is one serializable transaction. After a conflict its work runs again.
 */
export const openPostgresRegistry = (database: Database): PostgresRegistry => {
  const changeQueue = createSerialQueue()
  const watchers = createListeners<readonly string[]>()
  const marks = new WeakMap<Session, AccountMark>()
  let forgottenAt = Number.NEGATIVE_INFINITY

  const attempt = <T>(count: number, work: (draft: RegistryDraft) => Promise<T>): Promise<Changed<T>> =>
    database.transactSerially(count <= attemptsBesideOthers ? 'beside others' : 'alone', async (run) => {
      const staging = stageRegistry(readRegistry(run))
      const result = await work(staging.draft)
      const changes = staging.finish()
      await writeRegistryChanges(run, changes)
      return { result, ended: listEnded(changes) }
    })

  return {
    ...readRegistry(database.run, (session, mark) => marks.set(session, mark)),
    findMark: (session) => marks.get(session),
    watchEnds: (onEnd) => watchers.listen(ends, onEnd),
    // Not in a serializable transaction, which would conflict with sign-ins.
    forgetEnded: async ({ expiredBy, unusedSince }) => {
      // The absolute difference, because the clock may have been set back.
      if (Math.abs(expiredBy - forgottenAt) < forgetSeconds) return
      forgottenAt = expiredBy
      await database.run(dropEndedCodes, [expiredBy])
      await database.run(dropEndedLinks, [expiredBy])
      await database.run(dropEndedBrowserSessions, [unusedSince])
    },
    document: () => database.readAtOneMoment(listRegistry),
    change: (work) =>
      // Two changes of one process at a time would certainly conflict.
      changeQueue.run('registry', async () => {
        for (let count = 1; ; count++) {
          try {
            const { result, ended } = await attempt(count, work)
            if (ended.length > 0) watchers.notify(ends, ended)
            return result
          } catch (error) {
            if (!isConflict(error) || count >= maxAttempts) throw error
          }
        }
      }),
  }
}
