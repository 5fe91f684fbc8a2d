import type { Statement } from '../database/statement.ts'

const sizeOf = (...tables: readonly string[]): string =>
  tables.map((table) => `(select sum(pg_total_relation_size(relid)) from pg_partition_tree('${table}'))`).join(' + ')

/** Counts everything. */
export const countRows: Statement = {
  name: 'count-rows',
  text: `
    select (select count(*) from person) as users,
      (select count(*) from app) as apps,
      (select count(*) from session) as sessions,
      (select count(*) from account) as accounts,
      items.things, items.deletions,
      (select count(*) from delivery where due_at is not null) as errands,
      pg_database_size(current_database()) as bytes,
      (${sizeOf('account', 'item', 'earlier', 'record', 'delivery')})::bigint as "accountBytes"
    from (
      select count(*) filter (where step like '{"thing":%') as things,
        count(*) filter (where step like '{"tombstone":%') as deletions
      from item
    ) as items`,
  reaches: { all: 'for "thingsync stats": all of them, counted' },
  isRepeatable: true,
}
