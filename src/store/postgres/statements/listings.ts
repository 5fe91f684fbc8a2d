import type { Statement } from '../database/statement.ts'

/** From now on writes keep what they replace. Gives no row for an account that was never written to. */
export const keepEarlier: Statement = {
  name: 'keep-earlier',
  text: `
    update account set listed_until = greatest(listed_until, $2::double precision)
    where id = $1
    returning id`,
  reaches: 'account',
  isRepeatable: true,
}

/**
 * Remembers an open listing, with the versions of its position that were replaced before writes kept them. Of a session's
 * listings the newest sixteen stay.
 */
export const rememberListing: Statement = {
  name: 'remember-listing',
  text: `
    with versions as (
      insert into earlier (account, key, position, step)
      select $1, version.key, version.position, version.step
      from unnest($3::text[], $4::bigint[], $5::text[]) as version (key, position, step)
      on conflict (account, key, position) do nothing
    ),
    oldest as (
      delete from open_listing
      where account = $1 and writer = $6 and name <> $7 and expires_at < (
        select expires_at from open_listing where account = $1 and writer = $6 order by expires_at desc offset 15 limit 1
      )
    )
    insert into open_listing (account, writer, name, position, listing, expires_at)
    values ($1, $6, $7, $8::bigint, $9, $2::double precision)
    on conflict (account, writer, name)
    do update set position = excluded.position, listing = excluded.listing, expires_at = excluded.expires_at`,
  reaches: 'account',
  isRepeatable: true,
}

/** An open listing of a session that is not over. */
export const findListing: Statement = {
  name: 'find-listing',
  text: `
    select position, listing from open_listing
    where account = $1 and writer = $2 and name = $3 and expires_at > $4::double precision`,
  reaches: 'account',
  isRepeatable: true,
}

/** Whether some session's open listing is at a position of an account. */
export const isListed: Statement = {
  name: 'is-listed',
  text: `
    select 1 as found from open_listing
    where account = $1 and position = $2 and expires_at > $3::double precision limit 1`,
  reaches: 'account',
  isRepeatable: true,
}

/** What an account was at the position of an open listing. */
export const listEarlier: Statement = {
  name: 'list-earlier',
  text: `
    select distinct on (key) position as place, step
    from (
      select key, position, step from item where account = $1 and position <= $2
      union all
      select key, position, step from earlier where account = $1 and position <= $2
    ) as version
    order by key, position desc`,
  reaches: 'account',
  isRepeatable: true,
}

/** Forgets listings that are over. */
export const dropListings: Statement = {
  name: 'drop-listings',
  text: 'delete from open_listing where expires_at <= $1::double precision',
  reaches: { all: 'once a minute: what has ended, whoever it belongs to' },
  isRepeatable: true,
}

/** Forgets versions that no listing needs any more. */
export const dropEarlier: Statement = {
  name: 'drop-earlier',
  text: `
    delete from earlier using account
    where account.id = earlier.account and account.listed_until <= $1::double precision`,
  reaches: { all: 'once a minute: what has ended, whoever it belongs to' },
  isRepeatable: true,
}
