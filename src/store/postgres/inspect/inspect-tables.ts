import type { Run, Statement, Value } from '../database.ts'

// Every row once, in the order of a key, page by page: what is above the key of the last row, so many rows at most.

const page = (name: string, text: string): Statement => ({
  ...{ name, text },
  reaches: { all: 'for "thingsync verify": every row, page by page' },
  isRepeatable: true,
})

export const inspectAccounts = page(
  'inspect-accounts',
  `select account.id, account.position, account.revision, account.records_removed as "recordsRemoved", account.raised,
     account.gaps, (select coalesce(max(incarnation.raised), 0) from incarnation) as "mostRaised",
     exists (select from person where person.id = to_json(account.id)::text) as "hasPerson"
   from account where account.id > $1 order by account.id limit $2`,
)

export const inspectItems = page(
  'inspect-items',
  `select item.account, item.key, item.position, item.step, account.position as top, account.gaps
   from item left join account on account.id = item.account
   where (item.account, item.position) > ($1, $2::bigint) order by item.account, item.position limit $3`,
)

export const inspectEarlier = page(
  'inspect-earlier',
  `select earlier.account, earlier.key, earlier.position, earlier.step, account.position as top, account.gaps
   from earlier join account on account.id = earlier.account
   where (earlier.account, earlier.key, earlier.position) > ($1, $2, $3::bigint)
   order by earlier.account, earlier.key, earlier.position limit $4`,
)

export const inspectRecords = page(
  'inspect-records',
  `select record.account, record.scope, record.key, record.revision, record.step, account.revision as top
   from record left join account on account.id = record.account
   where (record.account, record.scope, record.key) > ($1, $2, $3)
   order by record.account, record.scope, record.key limit $4`,
)

export const inspectDeliveries = page(
  'inspect-deliveries',
  `select delivery.account, delivery.key, delivery.name, delivery.due_at as "dueAt",
     delivery.available_at as "availableAt", account.revision as top
   from delivery left join account on account.id = delivery.account
   where (delivery.account, delivery.key) > ($1, $2) order by delivery.account, delivery.key limit $3`,
)

export const inspectListings = page(
  'inspect-listings',
  `select account, writer, name, listing from open_listing
   where (account, writer, name) > ($1, $2, $3) order by account, writer, name limit $4`,
)

export const inspectUsers = page(
  'inspect-persons',
  'select id, name, folded_name as "foldedName", item from person where id > $1 order by id limit $2',
)

export const inspectSessions = page(
  'inspect-sessions',
  `select session.account, session.id, session.item,
     exists (select from person where person.id = session.account) as "hasPerson",
     array(
       select session_hash.kind || ' ' || session_hash.hash from session_hash
       where session_hash.account = session.account and session_hash.session = session.id
     ) as hashes
   from session where (session.account, session.id) > ($1, $2) order by session.account, session.id limit $3`,
)

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

export const inspectApps = inspectKeyed('app', 'client_id')
export const inspectCodes = inspectKeyed('code', 'hash')
export const inspectBrowserSessions = inspectKeyed('browser_session', 'hash')
export const inspectLinks = inspectKeyed('link', 'hash')
export const inspectServerKeys = inspectKeyed('server_key', 'name')

/** Those of some ids that are a person's. */
export const findUsers: Statement = {
  ...page('find-persons', 'select id from person where id = any ($1::text[])'),
  reaches: { all: 'for "thingsync verify": the persons of a page of rows' },
}

/** What is said of a damaged account beside its damage: whose it is, and how much of it is kept. */
export const describeAccount: Statement = {
  name: 'describe-account',
  text: `
    select (select item from person where person.id = to_json($1::text)::text) as person,
      (select coalesce(sum(octet_length(step)), 0)::bigint from item where account = $1)
        + (select coalesce(sum(octet_length(step)), 0)::bigint from record where account = $1) as bytes`,
  reaches: 'account',
  isRepeatable: true,
}

/** Collects what is wrong with the rows of one table, or of one account, in the words of the first few. */
export interface Findings {
  readonly add: (row: string, wrong: string | undefined) => void
  readonly says: () => string | undefined
}

const maxReported = 5

/** Nothing is wrong. */
export const createFindings = (): Findings => {
  const told: string[] = []
  let more = 0
  return {
    add: (row, wrong) => {
      if (wrong === undefined) return
      if (told.length < maxReported) told.push(row === '' ? wrong : `${row}: ${wrong}`)
      else more += 1
    },
    says: () => {
      if (told.length === 0) return undefined
      return [...told, ...(more === 0 ? [] : [`and ${more} more`])].join('; ')
    },
  }
}

/** So many rows are in memory at a time. */
const maxRows = 500

/** All rows that a statement gives page by page, each page beginning behind the key of the last row of the one before. */
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
