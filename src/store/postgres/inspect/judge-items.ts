import { isGaps } from '../../image/lost-positions.ts'
import { type Change, findPosition } from '../../record/change.ts'
import { parseJson } from '../../record/parse-json.ts'
import { isListOf, isNumber, isObjectOf, isPosition, isText, type Shape } from '../../record/shape.ts'
import { readChange } from '../../record/write-steps.ts'
import { keyOfName, keyOfTag, keyOfThing, scopeOf } from '../accounts/names.ts'

// Each of these says in which way a row is not what is written there; undefined of one that is.

/** A row of `account`. */
export interface AccountRow {
  readonly id: string
  readonly position: number
  readonly revision: number
  readonly recordsRemoved: number
  readonly raised: number
  readonly gaps: unknown
  /** How much the database has raised all positions at most. */
  readonly mostRaised: number
  readonly hasPerson: boolean
}

/** A row of `item`, or of `earlier`; `top` is the account's position, null without one. */
export interface ItemRow {
  readonly account: string
  readonly key: string
  readonly position: number
  readonly step: string
  readonly top: number | null
  readonly gaps: unknown
}

/** A row of `record`; `top` is the account's revision. */
export interface RecordRow {
  readonly account: string
  readonly scope: string
  readonly key: string
  readonly revision: number
  readonly step: string
  readonly top: number | null
}

/** A row of `delivery`. */
export interface DeliveryRow {
  readonly account: string
  readonly key: string
  readonly name: string
  readonly dueAt: number | null
  readonly availableAt: number | null
  readonly top: number | null
}

/** A row of `open_listing`. */
export interface ListingRow {
  readonly account: string
  readonly writer: string
  readonly name: string
  readonly listing: string
}

const noAccount = 'it is of an account that is not there'

export const judgeAccount = (row: AccountRow): string | undefined => {
  const { position, revision, recordsRemoved, raised, gaps, mostRaised } = row
  if (!isPosition(position)) return `its position is ${position}`
  if (!(isPosition(revision) && revision >= 1)) return `its revision is ${revision}`
  if (!(recordsRemoved >= 0 && recordsRemoved <= revision))
    return `its records were removed at revision ${recordsRemoved}, and it is at ${revision}`
  if (!isGaps(gaps)) return 'its lost positions are not pairs of positions'
  const beyond = gaps.find(([, to]) => to > position)
  if (beyond !== undefined) return `positions up to ${beyond[1]} were lost, and it is at ${position}`
  return raised > mostRaised
    ? `its positions are raised by ${raised}, those of the database by ${mostRaised}`
    : undefined
}

const nameChanged = (change: Change): string | undefined => {
  if ('thing' in change) return keyOfThing(change.thing.id)
  if ('tombstone' in change) return keyOfThing(change.tombstone.id)
  return 'tag' in change ? keyOfTag(change.tag.name) : undefined
}

const judgeBefore = (change: Change, position: number): string | undefined => {
  const item = 'thing' in change ? change.thing : 'tombstone' in change ? change.tombstone : undefined
  if (item !== undefined && item.createdPosition > position)
    return `its step says that it was created at ${item.createdPosition}, after its last change at ${position}`
  if ('thing' in change && change.thing.othersPosition > position)
    return `its step says that somebody else changed it at ${change.thing.othersPosition}, after ${position}`
  return undefined
}

/** A version of a thing, a deletion or a tag, which may be one of earlier. */
export const judgeItem = ({ key, position, step, top, gaps }: ItemRow): string | undefined => {
  if (top === null) return noAccount
  const change = readChange(parseJson(step))
  const named = change && nameChanged(change)
  if (change === undefined || named === undefined) return 'its step is not what is written for a thing, deletion or tag'
  if (named !== key) return `its step is of ${named}`
  const inStep = findPosition(change)
  if (inStep !== position) return `the row says position ${position}, its step ${inStep}`
  if (!(isPosition(position) && position >= 1)) return `its position is ${position}`
  if (position > top) return `its position is ${position}, above the account's, ${top}`
  const lost = isGaps(gaps) ? gaps.find(([from, to]) => position > from && position <= to) : undefined
  if (lost !== undefined) return `its position is ${position}, and those from ${lost[0] + 1} to ${lost[1]} were lost`
  return judgeBefore(change, position)
}

export const judgeRecord = ({ scope, key, revision, step, top }: RecordRow): string | undefined => {
  if (top === null) return noAccount
  const change = readChange(parseJson(step))
  if (change === undefined || !('record' in change)) return 'its step is not what is written for a record'
  const { record } = change
  if (scopeOf(record.kind, record.group) !== scope || keyOfName(record.key) !== key)
    return `its step is of ${scopeOf(record.kind, record.group)} ${keyOfName(record.key)}`
  return revision >= 1 && revision <= top ? undefined : `its revision is ${revision}, the account's ${top}`
}

const isTime: Shape = (value) => value === null || isNumber(value)

export const judgeDelivery = ({ key, name, dueAt, availableAt, top }: DeliveryRow): string | undefined => {
  if (top === null) return noAccount
  const named = parseJson(name)
  if (typeof named !== 'string') return 'its name is not JSON text'
  if (keyOfName(named) !== key) return `its name is of ${keyOfName(named)}`
  if (!(isTime(dueAt) && isTime(availableAt))) return `it is due at ${dueAt} and can be had at ${availableAt}`
  return (dueAt === null) === (availableAt === null) ? undefined : 'it is either due or settled, and says both'
}

const isListing = isObjectOf({ after: isPosition, omit: isListOf(isText), goneIds: isListOf(isText) })

export const judgeListing = ({ listing }: ListingRow): string | undefined =>
  isListing(parseJson(listing)) ? undefined : 'it is not what is written for an open listing'
