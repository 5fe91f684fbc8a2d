import type { Statement } from '../database/statement.ts'

/** Where an account is; no row when it was never written to. Fails on a standby, which may be behind what was answered. */
export const findAccount: Statement = {
  name: 'find-account',
  text: `
    select epoch, revision, position, writer, raised, gaps from account
    where id = $1 and (select pg_current_wal_insert_lsn()) is not null`,
  reaches: 'account',
  isRepeatable: true,
  isLookUp: true,
}

/**
 * What is new in an account after a position and a revision ($2, $3), with where it is then, all of one moment. Where
 * records were removed since, all that are left.
 */
export const listChanges: Statement = {
  name: 'list-changes',
  text: `
    select 'account' as kind, position as place, epoch, revision, writer, records_removed > $3 as forgets, null as step,
      raised, gaps
    from account where id = $1
    union all
    select 'item', position, null, null, null, null, step, null, null from item where account = $1 and position > $2
    union all
    select 'record', null, null, null, null, null, record.step, null, null
    from (select case when records_removed > $3 then 0 else $3 end as after from account where id = $1) as known
    cross join lateral (select step from record where account = $1 and revision > known.after) as record
    union all
    select 'errand', due_at, null, null, null, null, name, null, null from delivery where account = $1 and due_at is not null`,
  reaches: 'account',
  isRepeatable: true,
}

/** The next of an account's items after a position, in order. */
export const listItemPage: Statement = {
  name: 'list-item-page',
  text: 'select position as place, step from item where account = $1 and position > $2 order by position limit $3',
  reaches: 'account',
  isRepeatable: true,
}

/** Where the settings of an account's tags stand in the order of its changes: short rows, of which all are asked for. */
export const listTagPositions: Statement = {
  name: 'list-tag-positions',
  text: `
    select position as place from item where account = $1 and key >= 'tag' and key < 'tah' order by position`,
  reaches: 'account',
  isRepeatable: true,
}

/** The items of an account at some positions, in order. */
export const listItemsAt: Statement = {
  name: 'list-items-at',
  text: `
    select position as place, step from item where account = $1 and position = any($2::bigint[]) order by position`,
  reaches: 'account',
  isRepeatable: true,
}

/** Forgets an account. Its row goes first: a write that waits for it finds it gone. */
export const removeAccount: Statement = {
  name: 'remove-account',
  text: `
    with gone as (delete from account where id = $1 returning id),
      items as (delete from item where account = $1),
      earlier as (delete from earlier where account = $1),
      records as (delete from record where account = $1),
      deliveries as (delete from delivery where account = $1),
      listings as (delete from open_listing where account = $1)
    select id from gone`,
  reaches: 'account',
  isRepeatable: true,
}
