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
import { createSerialQueue } from '../write/commit-queue.ts'
import type { AccountMark } from './accounts/account-rows.ts'
import { type Database, encodeTexts, QueryError, type Run, type Statement } from './database.ts'
import { DatabaseError } from './driver.ts'

// Names and ids are JSON text (`registry/keys.ts`), items JSON. What is put again keeps its place in the lists.

type Reach = Statement['reaches']

const ask = (name: string, text: string, reaches: Reach): Statement => ({ name, text, reaches, isRepeatable: true })
const executeText = (name: string, text: string, reaches: Reach): Statement => ({
  name,
  text,
  reaches,
  isRepeatable: false,
})

/** What only operators' pages and commands ask for. */
const everything = { all: 'a list of all: for operators' } as const

/** A table of which every item has one key, by which it is found. */
interface KeyedTable {
  readonly find: Statement
  readonly list: Statement
  readonly put: Statement
  readonly remove: Statement
}

const keyedTable = (table: string, key: string): KeyedTable => ({
  find: ask(`find-${table}`, `select item from ${table} where ${key} = $1`, 'hash'),
  list: ask(`list-${table}`, `select item from ${table} order by number`, everything),
  put: executeText(
    `put-${table}`,
    `insert into ${table} (${key}, item) values ($1, $2) on conflict (${key}) do update set item = excluded.item`,
    'hash',
  ),
  remove: executeText(`remove-${table}`, `delete from ${table} where ${key} = $1`, 'hash'),
})

const apps = keyedTable('app', 'client_id')
const codes = keyedTable('code', 'hash')
const browserSessions = keyedTable('browser_session', 'hash')
const links = keyedTable('link', 'hash')
const serverKeys = keyedTable('server_key', 'name')

const listOf = (name: string, table: string, column: string): Statement =>
  ask(name, `select item from ${table} where ${column} = $1 order by number`, 'account')

const listAppsOf = listOf('list-apps-of', 'app', 'owner')
const listCodes = listOf('list-codes', 'code', 'account')
const listCodesOfApp = listOf('list-codes-of-app', 'code', 'client_id')
const listBrowserSessions = listOf('list-browser-sessions', 'browser_session', 'account')
const listLinks = listOf('list-links', 'link', 'account')
const listInvitations = ask(
  'list-invitations',
  `select item from link where account is null order by number`,
  everything,
)

/** Whoever holds a row is about to change or to remove it. */
const dropEnded = (table: string, moment: string): Statement => ({
  ...ask(
    `drop-ended-${table}`,
    `delete from ${table} where hash in (select hash from ${table} where ${moment} <= $1 for update skip locked)`,
    { all: 'once a minute: what has ended' },
  ),
})

const dropEndedCodes = dropEnded('code', 'expires_at')
const dropEndedBrowserSessions = dropEnded('browser_session', 'last_used_at')
const dropEndedLinks = dropEnded('link', 'expires_at')

/** Each write asks for its user, whose quota it keeps. */
const findUserById: Statement = {
  ...ask('find-person', 'select item from person where id = $1', 'account'),
  isLookUp: true,
}
const findUserByName = ask('find-person-by-name', 'select item from person where name = $1', 'hash')
const listUsersNamedLike = ask(
  'list-persons-named-like',
  'select item from person where folded_name = $1 order by number',
  'hash',
)
const findUserBySubject = ask('find-person-by-subject', 'select item from person where subject = $1', 'hash')
const listAdmins = ask('list-admins', 'select item from person where is_admin', {
  all: 'those few who are marked, by an index of theirs',
})
const listUsers = ask('list-persons', 'select item from person order by number', everything)
const findAnyUser = ask('find-any-person', 'select id from person order by number limit 1', {
  all: 'any one of all: whether there is somebody',
})
const putUser = executeText(
  'put-person',
  `insert into person (id, name, folded_name, item) values ($1, $2, $3, $4)
   on conflict (id) do update set name = excluded.name, folded_name = excluded.folded_name, item = excluded.item`,
  'account',
)
const removeUser = executeText('remove-person', 'delete from person where id = $1', 'account')

/**
 * The session of a token: by its hash to the account, and there to the session; with where that account is (null: it was
 * never written to), which is what a request asks for next. Fails on a standby, which may be behind what was answered.
 */
const findSessionByHash: Statement = {
  ...ask(
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
const listSessions = ask('list-sessions', 'select item from session where account = $1 order by number', 'account')
const listAllSessions = ask('list-all-sessions', 'select item from session order by number', everything)
const findSessionAccount = ask('find-session-account', 'select account from session where id = $1', {
  all: 'a session that is ended by its id alone: when a token is revoked',
})
const putSession = executeText(
  'put-session',
  `insert into session (account, id, item) values ($1, $2, $3)
   on conflict (account, id) do update set item = excluded.item`,
  'account',
)
const removeSession = executeText('remove-session', 'delete from session where account = $1 and id = $2', 'account')
const dropSessionHashes = executeText(
  'drop-session-hashes',
  'delete from session_hash where account = $1 and session = $2 and not (hash = any ($3::text[]))',
  'account',
)
const putSessionHashes = executeText(
  'put-session-hashes',
  `insert into session_hash (hash, kind, account, session)
   select hash, kind, $1, $2 from unnest($3::text[], $4::text[]) as given (hash, kind)
   on conflict (hash, kind) do update set account = excluded.account, session = excluded.session`,
  'account',
)

/**
 * A name or id as a key of a table: its JSON. Names are text that somebody chose or sent, which may hold NUL, and that
 * the database takes in no text.
 */
export const asKey = (text: string): string => JSON.stringify(text)

/** Writes what one change of the registry did, within its transaction. */
export const writeRegistryChanges = async (run: Run, changes: RegistryChanges): Promise<void> => {
  const keepKeyed = async (
    { put, remove }: KeyedTable,
    items: ReadonlyMap<string, object | undefined>,
  ): Promise<void> => {
    for (const [key, item] of items) {
      if (item === undefined) await run(remove, [asKey(key)])
      else await run(put, [asKey(key), JSON.stringify(item)])
    }
  }

  const keepUser = async (id: string, user: User | undefined): Promise<void> => {
    if (user === undefined) await run(removeUser, [asKey(id)])
    else await run(putUser, [asKey(id), asKey(user.name), asKey(foldName(user.name)), JSON.stringify(user)])
  }

  const removeSessionOf = async (id: string): Promise<void> => {
    const rows = await run<{ readonly account: string }>(findSessionAccount, [asKey(id)])
    for (const { account } of rows) {
      await run(dropSessionHashes, [account, asKey(id), encodeTexts([])])
      await run(removeSession, [account, asKey(id)])
    }
  }

  const keepSession = async (session: Session): Promise<void> => {
    const account = asKey(session.userId)
    const id = asKey(session.id)
    const hashes = listHashes(session)
    const texts = hashes.map(({ hash }) => asKey(hash))
    await run(putSession, [account, id, JSON.stringify(session)])
    await run(dropSessionHashes, [account, id, encodeTexts(texts)])
    await run(putSessionHashes, [account, id, encodeTexts(texts), encodeTexts(hashes.map(({ kind }) => kind))])
  }

  for (const [id, user] of changes.users) await keepUser(id, user)
  await keepKeyed(apps, changes.apps)
  for (const [id, session] of changes.sessions)
    await (session === undefined ? removeSessionOf(id) : keepSession(session))
  await keepKeyed(codes, changes.codes)
  await keepKeyed(browserSessions, changes.browserSessions)
  await keepKeyed(links, changes.links)
  await keepKeyed(serverKeys, changes.keys)
}

/** By what a session is found. */
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

/** All that the registry holds, as `run` sees it: at one moment within a transaction. */
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
  /** Null when its account was never written to. */
  readonly epoch: number | null
  readonly revision: number | null
}

/**
 * The registry as a connection, or a transaction, sees it: asked for anew each time, so that all processes see the same.
 * `onFound` is told where the account of a session was when that was found.
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

/** So often a change is tried beside those of other processes, and then alone, where nobody can be in its way. */
const attemptsBesideOthers = 2
const maxAttempts = 4

/** What has ended is looked for so seldom: people sign in far more often. */
const forgetSeconds = 60

const uniqueViolation = '23505'

/**
 * True when a change failed because another process changed what it had read: both may have begun when neither saw the
 * other, which PostgreSQL finds out at the end. One that took a name, or a hash, a moment earlier is the same.
 */
const isInTheWay = (error: unknown): boolean =>
  (error instanceof QueryError && error.isTransient) ||
  (error instanceof DatabaseError && error.code === uniqueViolation)

/** What a change gave, and which sessions it has ended. */
interface Changed<T> {
  readonly result: T
  readonly ended: readonly string[]
}

/** What those who watch ends watch. */
const ends = 'ends'

const listEnded = ({ sessions }: RegistryChanges): readonly string[] =>
  [...sessions].flatMap(([id, session]) => (session === undefined || session.isSuspended === true ? [id] : []))

/** The registry of a store in PostgreSQL. */
export interface PostgresRegistry extends Registry {
  /** All that it holds at one moment, for a backup. @throws StoreFailed */
  readonly document: () => Promise<RegistryDocument>
  /** Where the account of a session was when that very session was found; undefined when that is not known. */
  readonly findMark: (session: Session) => AccountMark | undefined
  /** Calls back with the ids of sessions that a change of this process has removed or suspended. */
  readonly watchEnds: (onEnd: (sessionIds: readonly string[]) => void) => () => void
}

/**
 * The registry in the database. It is asked for anew each time, so that whatever ended in one process has ended in all.
 * A change is one serializable transaction: changes that are in each other's way happen as if one after the other, and
 * then the work of one runs again.
 */
export const openPostgresRegistry = (database: Database): PostgresRegistry => {
  const turns = createSerialQueue()
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
    // In no serializable transaction, which would be in the way of whoever signs in meanwhile.
    forgetEnded: async ({ expiredBy, unusedSince }) => {
      // A clock may have been set back.
      if (Math.abs(expiredBy - forgottenAt) < forgetSeconds) return
      forgottenAt = expiredBy
      await database.run(dropEndedCodes, [expiredBy])
      await database.run(dropEndedLinks, [expiredBy])
      await database.run(dropEndedBrowserSessions, [unusedSince])
    },
    document: () => database.readAtOneMoment(listRegistry),
    change: (work) =>
      // Those of one process are in each other's way for certain.
      turns.run('registry', async () => {
        for (let count = 1; ; count++) {
          try {
            const { result, ended } = await attempt(count, work)
            if (ended.length > 0) watchers.notify(ends, ended)
            return result
          } catch (error) {
            if (!isInTheWay(error) || count >= maxAttempts) throw error
          }
        }
      }),
  }
}
