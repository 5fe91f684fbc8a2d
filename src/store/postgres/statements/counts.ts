import type { Statement } from '../database/statement.ts'

const left = `extract(epoch from ends_at - clock_timestamp()) * 1000`

/** What is counted under a hash ($1). */
export const findCount: Statement = {
  name: 'find-count',
  text: `
    select failures as count, (${left})::double precision as "msLeft"
    from attempt where hash = $1 and ends_at > clock_timestamp()`,
  reaches: 'hash',
  isRepeatable: true,
}

/** Counts one more under a hash ($1), for so many seconds ($2) from the first. */
export const addCount: Statement = {
  name: 'add-count',
  text: `
    insert into attempt (hash, failures, ends_at)
    values ($1, 1, clock_timestamp() + $2::double precision * interval '1 second')
    on conflict (hash) do update set
      failures = case when attempt.ends_at > clock_timestamp() then attempt.failures + 1 else 1 end,
      ends_at = case when attempt.ends_at > clock_timestamp() then attempt.ends_at else excluded.ends_at end
    returning failures as count, (${left})::double precision as "msLeft"`,
  reaches: 'hash',
  isRepeatable: false,
}

/** Counts one less under a hash ($1). */
export const takeBackCount: Statement = {
  name: 'take-back-count',
  text: 'update attempt set failures = greatest(0, failures - 1) where hash = $1',
  reaches: 'hash',
  isRepeatable: false,
}

export const forgetCount: Statement = {
  name: 'forget-count',
  text: 'delete from attempt where hash = $1',
  reaches: 'hash',
  isRepeatable: true,
}

/** Makes lines ($1) that are not there, so that whoever takes a place finds something to hold. */
export const beginLines: Statement = {
  name: 'begin-lines',
  text: `
    insert into attempt (hash, failures, ends_at)
    select hash, 0, clock_timestamp() from unnest($1::text[]) as given (hash) order by hash
    on conflict (hash) do nothing`,
  reaches: { all: 'the two lines, of an address and of an account, that an attempt stands in' },
  isRepeatable: true,
}

/**
 * Takes the next place in lines ($1), of which each is then taken until a gap (ms, $2) later, unless it is farther away
 * than so many ms ($3). Rows are held in the order of their hashes, so that nobody waits for each other.
 */
export const takePlace: Statement = {
  name: 'take-place',
  text: `
    with known as (
      select hash, ends_at from attempt where hash = any ($1::text[]) order by hash for update
    ), place as (
      select greatest(now, max(ends_at)) as at, now from known, (select clock_timestamp() as now) as clock group by now
    ), taken as (
      update attempt set ends_at = place.at + given.gap * interval '1 millisecond'
      from place, unnest($1::text[], $2::double precision[]) as given (hash, gap)
      where attempt.hash = given.hash and place.at <= place.now + $3::double precision * interval '1 millisecond'
    )
    select (extract(epoch from at - now) * 1000)::double precision as "waitMs" from place`,
  reaches: { all: 'the two lines, of an address and of an account, that an attempt stands in' },
  isRepeatable: false,
}

/** Forgets what counts no more. */
export const dropCounts: Statement = {
  name: 'drop-counts',
  text: `delete from attempt where ends_at < clock_timestamp() - interval '1 minute'`,
  reaches: { all: 'once a minute: what has ended' },
  isRepeatable: true,
}
