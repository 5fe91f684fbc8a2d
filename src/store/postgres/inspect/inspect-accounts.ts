import { isGaps } from '../../account/records.ts'
import { type Change, findPosition } from '../../record/change.ts'
import { readChange } from '../../record/change-text.ts'
import { parseJson } from '../../record/json.ts'
import { isListOf, isNumber, isObjectOf, isPosition, isText, type Shape } from '../../record/shapes.ts'
import type { FoundFile } from '../../tools/inspect.ts'
import { keyOfName, keyOfTag, keyOfThing, scopeOf } from '../accounts/account-rows.ts'
import type { Run, Statement, Value } from '../database.ts'
import { findState } from '../notices.ts'
import * as statements from './inspect-tables.ts'
import { createFindings, type Findings, readPages } from './inspect-tables.ts'

// Each check returns what is wrong with a row, or undefined if the row is valid.

/** A row of `account`. */
interface AccountRow {
  readonly id: string
  readonly position: number
  readonly revision: number
  readonly recordsRemoved: number
  readonly raised: number
  readonly gaps: unknown
  /** The amount by which the database has raised positions. */
  readonly maxRaised: number
  readonly hasUser: boolean
}

/** A row of `item`, or of `earlier`; `top` is the account's position, null without an account. */
interface ItemRow {
  readonly account: string
  readonly key: string
  readonly position: number
  readonly step: string
  readonly top: number | null
  readonly gaps: unknown
}

/** A row of `record`; `top` is the account's revision. */
interface RecordRow {
  readonly account: string
  readonly scope: string
  readonly key: string
  readonly revision: number
  readonly step: string
  readonly top: number | null
}

/** A row of `delivery`. */
interface DeliveryRow {
  readonly account: string
  readonly key: string
  readonly name: string
  readonly dueAt: number | null
  readonly availableAt: number | null
  readonly top: number | null
}

/** A row of `open_listing`. */
interface ListingRow {
  readonly account: string
  readonly writer: string
  readonly name: string
  readonly listing: string
}

const noAccount = 'it belongs to an account that does not exist'

const checkAccount = (row: AccountRow): string | undefined => {
  const { position, revision, recordsRemoved, raised, gaps, maxRaised } = row
  if (!isPosition(position)) return `its position is ${position}`
  if (!(isPosition(revision) && revision >= 1)) return `its revision is ${revision}`
  if (!(recordsRemoved >= 0 && recordsRemoved <= revision))
    return `its records were removed at revision ${recordsRemoved}, and it is at ${revision}`
  if (!isGaps(gaps)) return 'its lost positions are not pairs of positions'
  const beyond = gaps.find(([, to]) => to > position)
  if (beyond !== undefined) return `positions up to ${beyond[1]} were lost, and it is at ${position}`
  return raised > maxRaised
    ? `its positions are raised by ${raised}, but the database raises positions by ${maxRaised} only`
    : undefined
}

const nameChanged = (change: Change): string | undefined => {
  if ('thing' in change) return keyOfThing(change.thing.id)
  if ('tombstone' in change) return keyOfThing(change.tombstone.id)
  return 'tag' in change ? keyOfTag(change.tag.name) : undefined
}

const checkBefore = (change: Change, position: number): string | undefined => {
  const item = 'thing' in change ? change.thing : 'tombstone' in change ? change.tombstone : undefined
  if (item !== undefined && item.createdPosition > position)
    return `its step says that it was created at ${item.createdPosition}, after its last change at ${position}`
  if ('thing' in change && change.thing.othersPosition > position)
    return `its step says that another session changed it at ${change.thing.othersPosition}, after ${position}`
  return undefined
}

/** Checks a current or earlier version of a thing, a deletion or a tag. */
const checkItem = ({ key, position, step, top, gaps }: ItemRow): string | undefined => {
  if (top === null) return noAccount
  const change = readChange(parseJson(step))
  const named = change && nameChanged(change)
  if (change === undefined || named === undefined) return 'its step is not valid for a thing, deletion or tag'
  if (named !== key) return `its step is of ${named}`
  const inStep = findPosition(change)
  if (inStep !== position) return `the row says position ${position}, its step ${inStep}`
  if (!(isPosition(position) && position >= 1)) return `its position is ${position}`
  if (position > top) return `its position is ${position}, above the account's, ${top}`
  const lost = isGaps(gaps) ? gaps.find(([from, to]) => position > from && position <= to) : undefined
  if (lost !== undefined) return `its position is ${position}, but positions ${lost[0] + 1} to ${lost[1]} were lost`
  return checkBefore(change, position)
}

const checkRecord = ({ scope, key, revision, step, top }: RecordRow): string | undefined => {
  if (top === null) return noAccount
  const change = readChange(parseJson(step))
  if (change === undefined || !('record' in change)) return 'its step is not valid for a record'
  const { record } = change
  if (scopeOf(record.kind, record.group) !== scope || keyOfName(record.key) !== key)
    return `its step is of ${scopeOf(record.kind, record.group)} ${keyOfName(record.key)}`
  return revision >= 1 && revision <= top ? undefined : `its revision is ${revision}, the account's ${top}`
}

const isTime: Shape = (value) => value === null || isNumber(value)

const checkDelivery = ({ key, name, dueAt, availableAt, top }: DeliveryRow): string | undefined => {
  if (top === null) return noAccount
  const named = parseJson(name)
  if (typeof named !== 'string') return 'its name is not JSON text'
  if (keyOfName(named) !== key) return `its name is of ${keyOfName(named)}`
  if (!(isTime(dueAt) && isTime(availableAt))) return `it is due at ${dueAt} and available at ${availableAt}`
  return (dueAt === null) === (availableAt === null) ? undefined : 'it is both due and settled'
}

const isListing = isObjectOf({ after: isPosition, omit: isListOf(isText), missingIds: isListOf(isText) })

const checkListing = ({ listing }: ListingRow): string | undefined =>
  isListing(parseJson(listing)) ? undefined : 'it is not valid for an open listing'

/** The findings of all accounts. Accounts without a finding are counted only. */
interface InspectedAccounts {
  readonly checked: number
  readonly files: readonly FoundFile[]
}

/** How the rows of a table are read, named and checked. */
interface RowWork<Row> {
  readonly statement: Statement
  readonly first: readonly Value[]
  readonly keyOf: (row: Row) => readonly Value[]
  readonly nameOf: (row: Row) => string
  readonly check: (row: Row) => string | undefined
}

interface AccountText {
  /** The user as JSON; null if there is none. */
  readonly user: string | null
  readonly bytes: number
}

const nameOwner = (item: string | null): string => {
  const user = item === null ? undefined : parseJson(item)
  const name = typeof user === 'object' && user !== null && 'name' in user ? user.name : undefined
  return name === undefined ? 'the account of no user' : `the account of ${name}`
}

/** Reads all rows of all accounts, and reports the damaged ones. */
export const inspectAccounts = async (run: Run): Promise<InspectedAccounts> => {
  const [state] = await run<{ readonly isStandby: boolean }>(findState, [])
  const isStandby = state?.isStandby === true
  const damaged = new Map<string, Findings>()
  const withoutUser: string[] = []
  let checked = 0

  const note = (account: string, row: string, wrong: string | undefined): void => {
    if (wrong === undefined) return
    const findings = damaged.get(account) ?? createFindings()
    damaged.set(account, findings)
    findings.add(row, wrong)
  }

  const inspectRows = async <Row extends { readonly account: string }>(work: RowWork<Row>): Promise<void> => {
    for await (const rows of readPages<Row>(run, work.statement, work.first, work.keyOf))
      for (const row of rows) note(row.account, work.nameOf(row), work.check(row))
  }

  for await (const rows of readPages<AccountRow>(run, statements.inspectAccounts, [''], ({ id }) => [id]))
    for (const row of rows) {
      checked += 1
      note(row.id, '', checkAccount(row))
      if (!row.hasUser) withoutUser.push(row.id)
    }
  await inspectRows<ItemRow>({
    ...{ statement: statements.inspectItems, first: ['', -1] },
    keyOf: ({ account, position }) => [account, position],
    nameOf: ({ key }) => key,
    check: checkItem,
  })
  await inspectRows<RecordRow>({
    ...{ statement: statements.inspectRecords, first: ['', '', ''] },
    keyOf: ({ account, scope, key }) => [account, scope, key],
    nameOf: ({ scope, key }) => `record ${scope} ${key}`,
    check: checkRecord,
  })
  await inspectRows<DeliveryRow>({
    ...{ statement: statements.inspectDeliveries, first: ['', ''] },
    keyOf: ({ account, key }) => [account, key],
    nameOf: ({ key }) => `delivery ${key}`,
    check: checkDelivery,
  })
  // A standby does not have these unlogged tables: they are not in the log that it replays.
  if (!isStandby) {
    await inspectRows<ItemRow>({
      ...{ statement: statements.inspectEarlier, first: ['', '', -1] },
      keyOf: ({ account, key, position }) => [account, key, position],
      nameOf: ({ key, position }) => `earlier ${key} at ${position}`,
      check: checkItem,
    })
    await inspectRows<ListingRow>({
      ...{ statement: statements.inspectListings, first: ['', '', ''] },
      keyOf: ({ account, writer, name }) => [account, writer, name],
      nameOf: ({ writer, name }) => `open listing ${writer} ${name}`,
      check: checkListing,
    })
  }

  const files: FoundFile[] = []
  for (const account of [...new Set([...damaged.keys(), ...withoutUser])].sort()) {
    const [text] = await run<AccountText>(statements.describeAccount, [account])
    const { user: item = null, bytes = 0 } = text ?? {}
    const owner = nameOwner(item)
    const says = damaged.get(account)?.says()
    files.push({
      ...{ file: `account/${account}`, bytes },
      ...(says === undefined
        ? { state: 'note', says: `${owner}; no user can read it` }
        : { state: 'damaged', says: `${says}; ${owner}` }),
    })
  }
  return { checked, files }
}
