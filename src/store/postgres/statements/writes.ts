import type { Statement } from '../database/statement.ts'
import { raisedNow } from './raises.ts'

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
 */
export const keepWrites: Statement = {
  name: 'keep-writes',
  text: `
    with write as materialized (
      select write.*
      from unnest(
        $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::boolean[], $8::text[], $26::bigint[]
      ) as write (account, epoch, base, position, revision, forgets, writer, raised)
      join (${raisedNow}) as now using (raised)
    ),
    locked as materialized (
      select ordered.account, found.listed_until
      from (select account, epoch, base from write where base > 0 order by account) as ordered
      cross join lateral (
        select account.listed_until from account
        where account.id = ordered.account and account.revision = ordered.base and account.epoch = ordered.epoch
        for update
      ) as found
    ),
    born as (
      insert into account (id, epoch, position, revision, writer, raised, gaps)
      select account, epoch, position, revision, writer, raised,
        case when raised = 0 then '[]' else jsonb_build_array(jsonb_build_array(0, raised)) end
      from write where base = 0 order by account
      on conflict (id) do nothing
      returning id
    ),
    won as materialized (
      select account, listed_until from locked union all select id, 0 from born
    ),
    kept as (
      insert into kept_write (id, won) select $1::uuid, coalesce(array_agg(account), '{}') from won
    ),
    moved as (
      update account
      set position = write.position, revision = write.revision, writer = write.writer,
        records_removed = case when write.forgets then write.revision else account.records_removed end
      from locked join write using (account)
      where account.id = write.account
    ),
    step as materialized (
      select step.*, won.listed_until
      from unnest($9::text[], $10::text[], $11::bigint[], $12::text[]) as step (account, key, position, step)
      join won using (account)
    ),
    replaced as (
      insert into earlier (account, key, position, step)
      select step.account, item.key, item.position, item.step
      from step join item on item.account = step.account and item.key = step.key
      where step.listed_until > $13::double precision
      on conflict (account, key, position) do nothing
    ),
    items as (
      insert into item (account, key, position, step)
      select account, key, position, step from step
      on conflict (account, key) do update set position = excluded.position, step = excluded.step
    ),
    put as materialized (
      select put.*
      from unnest($14::text[], $15::text[], $16::text[], $17::bigint[], $18::text[])
        as put (account, scope, key, revision, step)
      join won using (account)
    ),
    records as (
      insert into record (account, scope, key, revision, step)
      select account, scope, key, revision, step from put
      on conflict (account, scope, key) do update set revision = excluded.revision, step = excluded.step
    ),
    removed as (
      delete from record
      using unnest($19::text[], $20::text[], $21::text[]) as gone (account, scope, key) join won using (account)
      where record.account = gone.account and record.scope = gone.scope and (gone.key = '' or record.key = gone.key)
        and not exists (
          select from put where put.account = record.account and put.scope = record.scope and put.key = record.key
        )
    ),
    errand as materialized (
      select errand.*
      from unnest($22::text[], $23::text[], $24::text[], $25::double precision[]) as errand (account, key, name, due_at)
      join won using (account)
    ),
    told as (
      insert into delivery (account, key, name, due_at, available_at)
      select account, key, name, due_at, due_at from errand where due_at is not null
      on conflict (account, key) do update set due_at = excluded.due_at, available_at = excluded.available_at
    ),
    settled as (
      update delivery set due_at = null, available_at = null
      from errand
      where errand.due_at is null and delivery.account = errand.account and delivery.key = errand.key
    )
    select account from won`,
  reaches: 'account',
  isRepeatable: false,
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
