import type { Statement } from '../database/statement.ts'

/**
 * Which incarnation the database is, in SQL: its cluster, and the timeline that it writes on. Fails on a standby. (What
 * `pg_control_checkpoint` says of the timeline is behind, until the first checkpoint after a promotion.)
 */
const name = `((select system_identifier::text from pg_control_system())
  || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))`

/**
 * By how much positions were raised up to the incarnation that the database is now, as a query. No row: see
 * `noteIncarnation`.
 */
export const raisedNow = `select raised from incarnation where name = ${name}`

/** The same as a statement. */
export const findRaised: Statement = {
  name: 'find-raised',
  text: raisedNow,
  reaches: { all: 'the state of the database: a row' },
  isRepeatable: true,
}

/**
 * Says at a time ($1, Unix milliseconds) that the database goes on. An incarnation that nobody knows begins further on,
 * by a number ($2) and ten for each second since the one before was known to go on: no account was given more meanwhile.
 */
export const noteIncarnation: Statement = {
  name: 'note-incarnation',
  text: `
    insert into incarnation (name, raised, known_at)
    select ${name},
      coalesce(max(raised) + $2::bigint + ceil(greatest(0, $1::double precision - max(known_at)) / 100)::bigint, 0),
      $1::double precision
    from incarnation
    on conflict (name) do update set known_at = greatest(incarnation.known_at, excluded.known_at)
    returning raised`,
  reaches: { all: 'once a minute: the state of the database' },
  isRepeatable: true,
}

/**
 * Raises the positions of an account that was last written in an earlier incarnation. It is another one then ($2 is its
 * epoch): what processes know of it may be what was lost.
 */
export const raiseAccount: Statement = {
  name: 'raise-account',
  text: `
    update account
    set position = position + (now.raised - account.raised),
      gaps = gaps || jsonb_build_array(jsonb_build_array(position, position + (now.raised - account.raised))),
      raised = now.raised, revision = revision + 1, epoch = $2::bigint
    from (${raisedNow}) as now
    where account.id = $1 and account.raised < now.raised`,
  reaches: 'account',
  isRepeatable: true,
}
