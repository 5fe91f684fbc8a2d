import type { Run } from '../database/open-database.ts'
import type { Statement, Value } from '../database/statement.ts'

/** So many rows are in memory at a time. */
const mostRows = 500

/** All rows that a statement gives page by page, each page beginning behind the key of the last row of the one before. */
export async function* readPages<Row extends object>(
  run: Run,
  statement: Statement,
  first: readonly Value[],
  keyOf: (row: Row) => readonly Value[],
): AsyncGenerator<readonly Row[], void, undefined> {
  let after = first
  for (;;) {
    const rows = await run<Row>(statement, [...after, mostRows])
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < mostRows) return
    after = keyOf(last)
  }
}
