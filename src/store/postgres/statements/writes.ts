import type { Statement } from '../database/statement.ts'
import { raisedNow } from './raises.ts'
import { partTexts, type WritePart, writeParts } from './write-parts.ts'

// What a statement may touch costs the database each time, whether it does or not: all 16 parts of each table. So this one
// is put together from what the writes hold, and where these are of one account it names that in a way that leaves one
// part of each table that is looked into. Inserts, also of what may be there, find their part; updates and deletes open all.

/** What the writes of one transaction are; the parts in their order. */
export interface WriteShape {
  readonly isOneAccount: boolean
  readonly parts: readonly WritePart[]
}

const accountTypes = ['text', 'bigint', 'bigint', 'bigint', 'bigint', 'boolean', 'text', 'bigint']
const firstColumn = 3

/** The first of the given accounts, known before the plan is begun. */
const onlyAccount = `($${firstColumn}::text[])[1]`

const give = (first: number, types: readonly string[]): string =>
  types.map((type, index) => `$${first + index}::${type}[]`).join(', ')

const describeParts = (owner: (account: string) => string, parts: readonly WritePart[]): string => {
  let next = firstColumn + accountTypes.length
  return parts
    .map((part) => {
      const { types, write } = partTexts[part]
      const given = give(next, types)
      next += types.length
      return `,${write(given, owner, parts)}`
    })
    .join('')
}

const nameWrites = ({ isOneAccount, parts }: WriteShape): string =>
  [isOneAccount ? 'keep-writes-of-one' : 'keep-writes', ...parts].join('-')

const describeWrites = (shape: WriteShape): Statement => {
  const owner = (account: string): string => (shape.isOneAccount ? onlyAccount : account)
  return {
    name: nameWrites(shape),
    text: `
    with write as materialized (
      select write.*
      from unnest(${give(firstColumn, accountTypes)})
        as write (account, epoch, base, position, revision, forgets, writer, raised)
      join (${raisedNow}) as now using (raised)
    ),
    locked as materialized (
      select ordered.account
      from (select account, epoch, base from write where base > 0 order by account) as ordered
      cross join lateral (
        select from account
        where account.id = ${owner('ordered.account')} and account.revision = ordered.base
          and account.epoch = ordered.epoch
        for update
      ) as found
    ),
    won as (
      insert into account (id, epoch, position, revision, records_removed, writer, raised, gaps)
      select account, epoch, position, revision, case when forgets then revision else 0 end, writer, raised,
        case when raised = 0 then '[]' else jsonb_build_array(jsonb_build_array(0, raised)) end
      from write where base = 0 or account in (select account from locked) order by account
      on conflict (id) do update
      set position = excluded.position, revision = excluded.revision, writer = excluded.writer,
        records_removed = greatest(account.records_removed, excluded.records_removed)
      where account.id in (select account from locked)
      returning id as account, listed_until > $2::double precision as is_listed
    ),
    kept as (
      insert into kept_write (id, won) select $1::uuid, coalesce(array_agg(account), '{}') from won
    )${describeParts(owner, shape.parts)}
    select account from won`,
    reaches: 'account',
    isRepeatable: false,
  }
}

/** All that `keepWrites` gives. A server uses a handful. */
export const allKeepWrites: readonly Statement[] = [true, false].flatMap((isOneAccount) =>
  Array.from({ length: 2 ** writeParts.length }, (_, bits) =>
    describeWrites({ isOneAccount, parts: writeParts.filter((_, index) => (bits >> index) % 2 === 1) }),
  ),
)
const byName = new Map(allKeepWrites.map((statement) => [statement.name, statement]))

/**
 * Keeps writes to several accounts, each if its account is still at the revision that it was staged on; gives the
 * accounts of which it was. One statement is one transaction and one round trip.
 *
 * Accounts are locked in the order of their ids, so that two of these never wait for each other in a circle. An account
 * that is new has nothing to lock: of two that make it, one does.
 *
 * Where the database has become another one since, whose positions are raised, none is kept.
 *
 * `kept_write` says what became of it, to whoever did not hear the answer.
 *
 * Its values: the id in `kept_write`, the time (Unix, milliseconds), the columns of the accounts and those of each part.
 */
export const keepWrites = (shape: WriteShape): Statement => {
  const statement = byName.get(nameWrites(shape))
  if (statement === undefined) throw new Error(`no statement keeps ${shape.parts.join(', ')}`)
  return statement
}

/**
 * Which accounts a transaction of `keepWrites` has written; null when none, and then it never will: its id is taken.
 * Always writes itself, so that the answer is, like any other, with a synchronous standby before it is given: after a
 * crash a transaction shows that was not.
 */
export const settleWrite: Statement = {
  name: 'settle-write',
  text: `
    insert into kept_write (id) values ($1::uuid)
    on conflict (id) do update set made_at = excluded.made_at
    returning won`,
  reaches: 'hash',
  isRepeatable: true,
}
