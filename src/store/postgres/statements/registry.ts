import type { Statement } from '../database/statement.ts'

// Names and ids are JSON text (`registry/keys.ts`), items JSON. What is put again keeps its place in the lists.

type Reach = Statement['reaches']

const ask = (name: string, text: string, reaches: Reach): Statement => ({ name, text, reaches, isRepeatable: true })
const tell = (name: string, text: string, reaches: Reach): Statement => ({ name, text, reaches, isRepeatable: false })

/** What only operators' pages and commands ask for. */
const everything = { all: 'a list of all: for operators' } as const

/** A table of which every item has one key, by which it is found. */
export interface KeyedTable {
  readonly find: Statement
  readonly list: Statement
  readonly put: Statement
  readonly remove: Statement
}

const keyedTable = (table: string, key: string): KeyedTable => ({
  find: ask(`find-${table}`, `select item from ${table} where ${key} = $1`, 'hash'),
  list: ask(`list-${table}`, `select item from ${table} order by number`, everything),
  put: tell(
    `put-${table}`,
    `insert into ${table} (${key}, item) values ($1, $2) on conflict (${key}) do update set item = excluded.item`,
    'hash',
  ),
  remove: tell(`remove-${table}`, `delete from ${table} where ${key} = $1`, 'hash'),
})

export const apps = keyedTable('app', 'client_id')
export const codes = keyedTable('code', 'hash')
export const browserSessions = keyedTable('browser_session', 'hash')
export const links = keyedTable('link', 'hash')
export const serverKeys = keyedTable('server_key', 'name')

const listOf = (name: string, table: string, column: string): Statement =>
  ask(name, `select item from ${table} where ${column} = $1 order by number`, 'account')

export const listAppsOf = listOf('list-apps-of', 'app', 'owner')
export const listCodes = listOf('list-codes', 'code', 'account')
export const listCodesOfApp = listOf('list-codes-of-app', 'code', 'client_id')
export const listBrowserSessions = listOf('list-browser-sessions', 'browser_session', 'account')
export const listLinks = listOf('list-links', 'link', 'account')
export const listInvitations = ask(
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

export const dropEndedCodes = dropEnded('code', 'expires_at')
export const dropEndedBrowserSessions = dropEnded('browser_session', 'last_used_at')
export const dropEndedLinks = dropEnded('link', 'expires_at')

/** Each write asks for its user, whose quota it keeps. */
export const findPerson: Statement = {
  ...ask('find-person', 'select item from person where id = $1', 'account'),
  isLookUp: true,
}
export const findPersonByName = ask('find-person-by-name', 'select item from person where name = $1', 'hash')
export const listPersonsNamedLike = ask(
  'list-persons-named-like',
  'select item from person where folded_name = $1 order by number',
  'hash',
)
export const findPersonBySubject = ask('find-person-by-subject', 'select item from person where subject = $1', 'hash')
export const listAdmins = ask('list-admins', 'select item from person where is_admin', {
  all: 'those few who are marked, by an index of theirs',
})
export const listPersons = ask('list-persons', 'select item from person order by number', everything)
export const findAnyPerson = ask('find-any-person', 'select id from person order by number limit 1', {
  all: 'any one of all: whether there is somebody',
})
export const putPerson = tell(
  'put-person',
  `insert into person (id, name, folded_name, item) values ($1, $2, $3, $4)
   on conflict (id) do update set name = excluded.name, folded_name = excluded.folded_name, item = excluded.item`,
  'account',
)
export const removePerson = tell('remove-person', 'delete from person where id = $1', 'account')

/**
 * The session of a token: by its hash to the account, and there to the session; with where that account is (null: it was
 * never written to), which is what a request asks for next. Fails on a standby, which may be behind what was answered.
 */
export const findSessionByHash: Statement = {
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
export const listSessions = ask(
  'list-sessions',
  'select item from session where account = $1 order by number',
  'account',
)
export const listAllSessions = ask('list-all-sessions', 'select item from session order by number', everything)
export const findSessionAccount = ask('find-session-account', 'select account from session where id = $1', {
  all: 'a session that is ended by its id alone: when a token is revoked',
})
export const putSession = tell(
  'put-session',
  `insert into session (account, id, item) values ($1, $2, $3)
   on conflict (account, id) do update set item = excluded.item`,
  'account',
)
export const removeSession = tell('remove-session', 'delete from session where account = $1 and id = $2', 'account')
export const dropSessionHashes = tell(
  'drop-session-hashes',
  'delete from session_hash where account = $1 and session = $2 and not (hash = any ($3::text[]))',
  'account',
)
export const putSessionHashes = tell(
  'put-session-hashes',
  `insert into session_hash (hash, kind, account, session)
   select hash, kind, $1, $2 from unnest($3::text[], $4::text[]) as given (hash, kind)
   on conflict (hash, kind) do update set account = excluded.account, session = excluded.session`,
  'account',
)
