import type { Statement } from '../database/statement.ts'
import { raisedNow } from './raises.ts'

const tell = (name: string, text: string, reaches: Statement['reaches']): Statement => ({
  ...{ name, text, reaches },
  isRepeatable: false,
})

/** Whether a database holds anything yet. */
export const findAnything: Statement = {
  name: 'find-anything',
  text: `select exists (select from person) or exists (select from app) or exists (select from account) as "isFilled"`,
  reaches: { all: 'once, before everything is copied' },
  isRepeatable: true,
}

/** Connections of other programs of ours; those of one process have its number in their name. */
export const countOthers: Statement = {
  name: 'count-others',
  text: `
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and application_name like 'thingsync %' and application_name <> current_setting('application_name')`,
  reaches: { all: 'once, before everything is copied' },
  isRepeatable: true,
}

export const copyAccount = tell(
  'copy-account',
  `insert into account (id, epoch, position, revision, writer, raised)
   values ($1, floor(random() * 9007199254740991)::bigint, $2, 1, '', coalesce((${raisedNow}), 0))`,
  'account',
)
export const copyItems = tell(
  'copy-items',
  `insert into item (account, key, position, step)
   select $1, * from unnest($2::text[], $3::bigint[], $4::text[])`,
  'account',
)
export const copyRecords = tell(
  'copy-records',
  `insert into record (account, scope, key, revision, step)
   select $1, scope, key, 1, step from unnest($2::text[], $3::text[], $4::text[]) as given (scope, key, step)`,
  'account',
)
export const copyErrands = tell(
  'copy-errands',
  `insert into delivery (account, key, name, due_at, available_at)
   select $1, key, name, due_at, due_at from unnest($2::text[], $3::text[], $4::double precision[])
     as given (key, name, due_at)`,
  'account',
)
