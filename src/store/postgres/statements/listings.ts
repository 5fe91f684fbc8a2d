import type { Statement } from '../database/statement.ts'

/**
 * Remembers an open listing, if the account is still at the revision that is shown ($3; 0 for one that was never written
 * to), with the versions of its position that are not the newest any more. From now on writes keep what they replace.
 * Of a session's listings the newest sixteen stay. Gives a row when the account was.
 */
export const rememberListing: Statement = {
  name: 'remember-listing',
  text: `
    with listed as (
      update account set listed_until = greatest(listed_until, $4::double precision)
      where id = $1 and revision = $3::bigint and epoch = $2::bigint
      returning id
    ),
    isThere as (
      select id from listed union all select $1 where $3::bigint = 0 and not exists (select from account where id = $1)
    ),
    versions as (
      insert into earlier (account, key, position, step)
      select $1, version.key, version.position, version.step
      from unnest($5::text[], $6::bigint[], $7::text[]) as version (key, position, step), isThere
      on conflict (account, key, position) do nothing
    ),
    oldest as (
      delete from open_listing using isThere
      where account = $1 and writer = $8 and name <> $9 and expires_at < (
        select expires_at from open_listing where account = $1 and writer = $8 order by expires_at desc offset 15 limit 1
      )
    ),
    remembered as (
      insert into open_listing (account, writer, name, position, listing, expires_at)
      select $1, $8, $9, $10::bigint, $11, $4 from isThere
      on conflict (account, writer, name)
      do update set position = excluded.position, listing = excluded.listing, expires_at = excluded.expires_at
    )
    select id from isThere`,
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
