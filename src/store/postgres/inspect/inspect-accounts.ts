import { parseJson } from '../../record/parse-json.ts'
import type { FoundFile } from '../../tools/inspect/describe-files.ts'
import type { Run } from '../database/open-database.ts'
import type { Statement, Value } from '../database/statement.ts'
import * as statements from '../statements/inspect.ts'
import { findState } from '../statements/notices.ts'
import { createFindings, type Findings } from './findings.ts'
import {
  type AccountRow,
  type DeliveryRow,
  type ItemRow,
  judgeAccount,
  judgeDelivery,
  judgeItem,
  judgeListing,
  judgeRecord,
  type ListingRow,
  type RecordRow,
} from './judge-items.ts'
import { readPages } from './read-pages.ts'

/** What was found of all accounts; of those that are whole only how many there are. */
export interface InspectedAccounts {
  readonly checked: number
  readonly files: readonly FoundFile[]
}

/** How the rows of a table are read, named and judged. */
interface RowWork<Row> {
  readonly statement: Statement
  readonly first: readonly Value[]
  readonly keyOf: (row: Row) => readonly Value[]
  readonly nameOf: (row: Row) => string
  readonly judge: (row: Row) => string | undefined
}

interface AccountText {
  /** The user, as JSON; null when there is none. */
  readonly person: string | null
  readonly bytes: number
}

const nameOwner = (person: string | null): string => {
  const user = person === null ? undefined : parseJson(person)
  const name = typeof user === 'object' && user !== null && 'name' in user ? user.name : undefined
  return name === undefined ? 'the account of no user' : `the account of ${name}`
}

/** Reads all accounts, and all that belongs to them, row by row, and says of which something is wrong. */
export const inspectAccounts = async (run: Run): Promise<InspectedAccounts> => {
  const [state] = await run<{ readonly isStandby: boolean }>(findState, [])
  const isStandby = state?.isStandby === true
  const damaged = new Map<string, Findings>()
  const forgotten: string[] = []
  let checked = 0

  const note = (account: string, row: string, wrong: string | undefined): void => {
    if (wrong === undefined) return
    const findings = damaged.get(account) ?? createFindings()
    damaged.set(account, findings)
    findings.add(row, wrong)
  }

  const inspectRows = async <Row extends { readonly account: string }>(work: RowWork<Row>): Promise<void> => {
    for await (const rows of readPages<Row>(run, work.statement, work.first, work.keyOf))
      for (const row of rows) note(row.account, work.nameOf(row), work.judge(row))
  }

  for await (const rows of readPages<AccountRow>(run, statements.inspectAccounts, [''], ({ id }) => [id]))
    for (const row of rows) {
      checked += 1
      note(row.id, '', judgeAccount(row))
      if (!row.hasPerson) forgotten.push(row.id)
    }
  await inspectRows<ItemRow>({
    ...{ statement: statements.inspectItems, first: ['', -1] },
    keyOf: ({ account, position }) => [account, position],
    nameOf: ({ key }) => key,
    judge: judgeItem,
  })
  await inspectRows<RecordRow>({
    ...{ statement: statements.inspectRecords, first: ['', '', ''] },
    keyOf: ({ account, scope, key }) => [account, scope, key],
    nameOf: ({ scope, key }) => `record ${scope} ${key}`,
    judge: judgeRecord,
  })
  await inspectRows<DeliveryRow>({
    ...{ statement: statements.inspectDeliveries, first: ['', ''] },
    keyOf: ({ account, key }) => [account, key],
    nameOf: ({ key }) => `delivery ${key}`,
    judge: judgeDelivery,
  })
  // A standby has nothing of these: they are not in the log that it follows.
  if (!isStandby) {
    await inspectRows<ItemRow>({
      ...{ statement: statements.inspectEarlier, first: ['', '', -1] },
      keyOf: ({ account, key, position }) => [account, key, position],
      nameOf: ({ key, position }) => `earlier ${key} at ${position}`,
      judge: judgeItem,
    })
    await inspectRows<ListingRow>({
      ...{ statement: statements.inspectListings, first: ['', '', ''] },
      keyOf: ({ account, writer, name }) => [account, writer, name],
      nameOf: ({ writer, name }) => `open listing ${writer} ${name}`,
      judge: judgeListing,
    })
  }

  const files: FoundFile[] = []
  for (const account of [...new Set([...damaged.keys(), ...forgotten])].sort()) {
    const [text] = await run<AccountText>(statements.describeAccount, [account])
    const { person = null, bytes = 0 } = text ?? {}
    const owner = nameOwner(person)
    const says = damaged.get(account)?.says()
    files.push({
      ...{ file: `account/${account}`, bytes },
      ...(says === undefined
        ? { state: 'note', says: `${owner}; nobody can read it` }
        : { state: 'damaged', says: `${says}; ${owner}` }),
    })
  }
  return { checked, files }
}
