import type { Statement } from '../database/statement.ts'

/** Tells all processes that listen. */
export const notify: Statement = {
  name: 'notify',
  text: 'select pg_notify($1, $2)',
  reaches: { all: 'the processes, and no table' },
  isRepeatable: true,
}

/** Where some accounts are, for those who wait for their changes. */
export const findPlaces: Statement = {
  name: 'find-places',
  text: 'select id as "userId", position, writer from account where id = any($1::text[])',
  reaches: { all: 'every few seconds: the accounts that somebody waits for here' },
  isRepeatable: true,
}

/** Says whether the database takes writes. */
export const findState: Statement = {
  name: 'find-state',
  text: `select pg_is_in_recovery() as "isStandby", current_setting('default_transaction_read_only') as "isReadOnly"`,
  reaches: { all: 'the database, and no table' },
  isRepeatable: true,
}

/** Forgets the ids of transactions that everybody has heard of. */
export const dropKeptWrites: Statement = {
  name: 'drop-kept-writes',
  text: `delete from kept_write where made_at < clock_timestamp() - interval '1 hour'`,
  reaches: { all: 'once a minute: what has ended' },
  isRepeatable: true,
}
