import type { Statement } from '../database/statement.ts'

const leaseSeconds = 30
const isAlive = `ends_at > clock_timestamp()`

/**
 * Takes a seat of an account's ($1) session ($2) for a process ($3), which lives, of so many ($4). When several take at once, who
 * comes second finds that `free` seats were left, and none given.
 */
export const takeSeat: Statement = {
  name: 'take-seat',
  text: `
    with free as (
      select number from generate_series(1, $4::integer) as number
      where not exists (
        select 1 from seat left join seat_holder on seat_holder.id = seat.holder and ${isAlive}
        where seat.account = $1 and seat.session = $2 and seat.number = number.number
          and (seat.holder = $3 or seat_holder.id is not null)
      )
    ), taken as (
      insert into seat (account, session, number, holder)
      select $1, $2, number, $3 from free order by random() limit 1
      on conflict (account, session, number) do update set holder = excluded.holder
      where seat.holder <> $3 and not exists (select 1 from seat_holder where id = seat.holder and ${isAlive})
      returning number
    )
    select (select count(*) from free)::integer as free, (select number from taken) as number`,
  reaches: 'account',
  isRepeatable: false,
}

/** A process ($4) leaves its seat ($3) of an account's ($1) session ($2). */
export const leaveSeat: Statement = {
  name: 'leave-seat',
  text: 'delete from seat where account = $1 and session = $2 and number = $3 and holder = $4',
  reaches: 'account',
  isRepeatable: true,
}

/** A process lives: what it holds stays held. */
export const renewHolder: Statement = {
  name: 'renew-holder',
  text: `
    insert into seat_holder (id, ends_at) values ($1, clock_timestamp() + interval '${leaseSeconds} seconds')
    on conflict (id) do update set ends_at = excluded.ends_at`,
  reaches: { all: 'every few seconds: this process' },
  isRepeatable: true,
}

/** A process ends: its seats are free. */
export const endHolder: Statement = {
  name: 'end-holder',
  text: `
    with ended as (delete from seat_holder where id = $1)
    delete from seat where holder = $1`,
  reaches: { all: 'once, when a process ends: all that it has' },
  isRepeatable: true,
}

/** Forgets processes that have not said for long that they live, and their seats. */
export const dropHolders: Statement = {
  name: 'drop-holders',
  text: `
    with ended as (
      delete from seat_holder where ends_at < clock_timestamp() - interval '1 minute' returning id
    )
    delete from seat using ended where seat.holder = ended.id`,
  reaches: { all: 'once a minute: what has ended' },
  isRepeatable: true,
}
