import { registryShapes } from '../../record/registry-shapes.ts'
import type { FoundFile } from '../../tools/inspect/describe-files.ts'
import { encodeTexts } from '../database/encode-array.ts'
import type { Run } from '../database/open-database.ts'
import type { Statement, Value } from '../database/statement.ts'
import * as statements from '../statements/inspect.ts'
import { createFindings } from './findings.ts'
import {
  findOwner,
  judgeKeyed,
  judgePerson,
  judgeSession,
  type KeyedRow,
  type PersonRow,
  type SessionRow,
} from './judge-registry.ts'
import { readPages } from './read-pages.ts'

/** How a table is read and judged. */
interface TableWork<Row> {
  readonly table: string
  readonly statement: Statement
  readonly keyOf: (row: Row) => readonly Value[]
  readonly first: readonly Value[]
  /** Says of each row of a page what is wrong with it. */
  readonly judge: (rows: readonly Row[]) => Promise<readonly (string | undefined)[]>
}

const inspectTable = async <Row extends object>(run: Run, work: TableWork<Row>): Promise<FoundFile> => {
  const findings = createFindings()
  let bytes = 0
  for await (const rows of readPages<Row>(run, work.statement, work.first, work.keyOf)) {
    const judged = await work.judge(rows)
    for (const [index, row] of rows.entries()) {
      findings.add(work.keyOf(row).join(' '), judged[index])
      bytes += 'item' in row ? Buffer.byteLength(String(row.item)) : 0
    }
  }
  const says = findings.says()
  return { file: work.table, bytes, ...(says === undefined ? { state: 'whole' } : { state: 'damaged', says }) }
}

const each =
  <Row>(judge: (row: Row) => string | undefined) =>
  async (rows: readonly Row[]) =>
    rows.map(judge)

/** Says of rows that are somebody's when nobody is there. */
const judgeOwners = async (run: Run, rows: readonly KeyedRow[]): Promise<readonly (string | undefined)[]> => {
  const owners = rows.map(findOwner)
  const asked = [...new Set(owners.filter((owner) => owner !== undefined))]
  const found = await run<{ readonly id: string }>(statements.findPersons, [encodeTexts(asked)])
  const ids = new Set(found.map(({ id }) => id))
  return owners.map((owner) =>
    owner === undefined || ids.has(owner) ? undefined : `it is of the user ${owner}, who is not there`,
  )
}

/** What is wrong with the tables of users, apps, sessions and the like, each as one. */
export const inspectRegistryTables = async (run: Run): Promise<readonly FoundFile[]> => {
  const keyed = (table: string, statement: Statement, kind: keyof typeof registryShapes, member: string) =>
    inspectTable<KeyedRow>(run, {
      ...{ table, statement, first: [''], keyOf: ({ key }) => [key] },
      judge: async (rows) => {
        const owners = await judgeOwners(run, rows)
        return rows.map(judgeKeyed(registryShapes[kind], member)).map((wrong, index) => wrong ?? owners[index])
      },
    })
  return [
    await inspectTable<PersonRow>(run, {
      ...{ table: 'person', statement: statements.inspectPersons, first: [''] },
      keyOf: ({ id }) => [id],
      judge: each(judgePerson),
    }),
    await keyed('app', statements.inspectApps, 'apps', 'clientId'),
    await inspectTable<SessionRow>(run, {
      ...{ table: 'session', statement: statements.inspectSessions, first: ['', ''] },
      keyOf: ({ account, id }) => [account, id],
      judge: each(judgeSession),
    }),
    await inspectTable<{ readonly hash: string; readonly kind: string; readonly hasSession: boolean }>(run, {
      ...{ table: 'session_hash', statement: statements.inspectSessionHashes, first: ['', ''] },
      keyOf: ({ hash, kind }) => [hash, kind],
      judge: each(({ hasSession }) => (hasSession ? undefined : 'it leads to a session that is not there')),
    }),
    await keyed('code', statements.inspectCodes, 'codes', 'hash'),
    await keyed('browser_session', statements.inspectBrowserSessions, 'browserSessions', 'hash'),
    await keyed('link', statements.inspectLinks, 'links', 'hash'),
    await keyed('server_key', statements.inspectServerKeys, 'keys', 'name'),
  ]
}
