import type { Run, Statement, Value } from '../database.ts'

// Each statement reads a page: the rows after the key of the last row, in the order of the key, up to a limit.

const page = (name: string, text: string): Statement => ({
  ...{ name, text },
  reaches: { all: 'for "thingsync verify": every row, page by page' },
  isRepeatable: true,
})

/** Reads a page of accounts. */
export const inspectAccounts = page(
  'inspect-accounts',
  `select account.id, account.position, account.revision, account.records_removed as "recordsRemoved", account.raised,
     account.gaps, (select coalesce(max(incarnation.raised), 0) from incarnation) as "maxRaised",
     exists (select from users where users.id = to_json(account.id)::text) as "hasUser"
   from account where account.id > $1 order by account.id limit $2`,
)

/** Reads a page of items, with the state of their accounts. */
export const inspectItems = page(
  'inspect-items',
  `select item.account, item.key, item.position, item.step, account.position as top, account.gaps
   from item left join account on account.id = item.account
   where (item.account, item.position) > ($1, $2::bigint) order by item.account, item.position limit $3`,
)

/** Reads a page of earlier versions of items, with the state of their accounts. */
export const inspectEarlier = page(
  'inspect-earlier',
  `select earlier.account, earlier.key, earlier.position, earlier.step, account.position as top, account.gaps
   from earlier join account on account.id = earlier.account
   where (earlier.account, earlier.key, earlier.position) > ($1, $2, $3::bigint)
   order by earlier.account, earlier.key, earlier.position limit $4`,
)

/** Reads a page of records, with the revisions of their accounts. */
export const inspectRecords = page(
  'inspect-records',
  `select record.account, record.scope, record.key, record.revision, record.step, account.revision as top
   from record left join account on account.id = record.account
   where (record.account, record.scope, record.key) > ($1, $2, $3)
   order by record.account, record.scope, record.key limit $4`,
)

/** Reads a page of outbox entries, with the revisions of their accounts. */
export const inspectDeliveries = page(
  'inspect-deliveries',
  `select delivery.account, delivery.key, delivery.name, delivery.due_at as "dueAt",
     delivery.available_at as "availableAt", account.revision as top
   from delivery left join account on account.id = delivery.account
   where (delivery.account, delivery.key) > ($1, $2) order by delivery.account, delivery.key limit $3`,
)

/** Reads a page of open listings. */
export const inspectListings = page(
  'inspect-listings',
  `select account, writer, name, listing from open_listing
   where (account, writer, name) > ($1, $2, $3) order by account, writer, name limit $4`,
)

/** Reads a page of users. */
export const inspectUsers = page(
  'inspect-users',
  'select id, name, folded_name as "foldedName", item from users where id > $1 order by id limit $2',
)

/** Reads a page of sessions, with their hashes. */
export const inspectSessions = page(
  'inspect-sessions',
  `select session.account, session.id, session.item,
     exists (select from users where users.id = session.account) as "hasUser",
     array(
       select session_hash.kind || ' ' || session_hash.hash from session_hash
       where session_hash.account = session.account and session_hash.session = session.id
     ) as hashes
   from session where (session.account, session.id) > ($1, $2) order by session.account, session.id limit $3`,
)

/** Reads a page of session hashes. */
export const inspectSessionHashes = page(
  'inspect-session-hashes',
  `select session_hash.hash, session_hash.kind, exists (
     select from session where session.account = session_hash.account and session.id = session_hash.session
   ) as "hasSession"
   from session_hash where (session_hash.hash, session_hash.kind) > ($1, $2)
   order by session_hash.hash, session_hash.kind limit $3`,
)

const inspectKeyed = (table: string, key: string): Statement =>
  page(`inspect-${table}`, `select ${key} as key, item from ${table} where ${key} > $1 order by ${key} limit $2`)

/** Reads a page of apps. */
export const inspectApps = inspectKeyed('app', 'client_id')
/** Reads a page of authorization codes. */
export const inspectCodes = inspectKeyed('code', 'hash')
/** Reads a page of browser sessions. */
export const inspectBrowserSessions = inspectKeyed('browser_session', 'hash')
/** Reads a page of links. */
export const inspectLinks = inspectKeyed('link', 'hash')
/** Reads a page of server keys. */
export const inspectServerKeys = inspectKeyed('server_key', 'name')

/** Finds which of some ids are ids of users. */
export const findUsers: Statement = {
  ...page('find-users', 'select id from users where id = any ($1::text[])'),
  reaches: { all: 'for "thingsync verify": the users of a page of rows' },
}

/** Finds the user and the size of a damaged account, for its report. */
export const describeAccount: Statement = {
  name: 'describe-account',
  text: `
    select (select item from users where users.id = to_json($1::text)::text) as "user",
      (select coalesce(sum(octet_length(step)), 0)::bigint from item where account = $1)
        + (select coalesce(sum(octet_length(step)), 0)::bigint from record where account = $1) as bytes`,
  reaches: 'account',
  isRepeatable: true,
}

/** Collects the faults in the rows of one table or one account. The text lists the first `maxReported`. */
export interface Findings {
  readonly add: (row: string, wrong: string | undefined) => void
  readonly says: () => string | undefined
}

const maxReported = 5

/** Creates an empty list of findings. */
export const createFindings = (): Findings => {
  const reported: string[] = []
  let more = 0
  return {
    add: (row, wrong) => {
      if (wrong === undefined) return
      if (reported.length < maxReported) reported.push(row === '' ? wrong : `${row}: ${wrong}`)
      else more += 1
    },
    says: () => {
      if (reported.length === 0) return undefined
      return [...reported, ...(more === 0 ? [] : [`and ${more} more`])].join('; ')
    },
  }
}

/** Maximum of rows in memory at a time. */
const maxRows = 500

/** Reads all rows of a statement page by page. Each page starts after the key of the last row of the previous page. */
export async function* readPages<Row extends object>(
  run: Run,
  statement: Statement,
  first: readonly Value[],
  keyOf: (row: Row) => readonly Value[],
): AsyncGenerator<readonly Row[], void, undefined> {
  let after = first
  for (;;) {
    const rows = await run<Row>(statement, [...after, maxRows])
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < maxRows) return
    after = keyOf(last)
  }
}
