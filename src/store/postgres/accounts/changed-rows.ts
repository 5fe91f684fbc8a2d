import type { AccountLoading, AccountSteps } from '../../image/account.ts'
import type { Gaps } from '../../image/lost-positions.ts'
import { draftRecords, type Records } from '../../image/records.ts'
import type { Change } from '../../record/change.ts'
import { createThingScanner, type EncodedThing } from '../../record/encoded-thing.ts'
import { thingStart } from '../../record/thing-step.ts'
import { readChange } from '../../record/write-steps.ts'

/** A row of `listChanges`. Numbers that may be large come as numbers: positions stay below 2^53. */
export interface ChangedRow {
  readonly kind: 'account' | 'item' | 'record' | 'errand'
  /** A position; of an errand when it is due. */
  readonly place: number | null
  readonly epoch: number | null
  readonly revision: number | null
  readonly writer: string | null
  readonly forgets: boolean | null
  /** The step of the last change; of an errand its key, as JSON. */
  readonly step: string | null
  readonly raised: number | null
  readonly gaps: Gaps | null
}

/** Where an account is. */
export interface AccountPlace {
  readonly epoch: number
  readonly revision: number
  readonly position: number
  /** Who made the last write. */
  readonly writer: string
  /** By how much its positions were raised. */
  readonly raised: number
  readonly gaps: Gaps
}

/** What tells whether an account has moved since; revision 0 for one that was never written to. */
export type AccountMark = Pick<AccountPlace, 'epoch' | 'revision'>

/** The place of an account that was never written to, in a database of which positions are raised. */
export const placeOfNew = (raised: number): AccountPlace => ({
  ...{ epoch: 0, revision: 0, position: raised, writer: '', raised },
  gaps: raised === 0 ? [] : [[0, raised]],
})

/** What is new in an account. */
export interface AccountNews extends AccountPlace {
  /** Steps of things, tombstones and tags in the order of their positions. */
  readonly items: readonly ItemRow[]
  readonly records: readonly string[]
  /** True when the records are all that there are. */
  readonly areRecordsAll: boolean
  /** All errands. */
  readonly errands: ReadonlyMap<string, number>
}

/** Something that has a position. */
export interface ItemRow {
  readonly place: number
  readonly step: string
}

const isItemRow = (row: ChangedRow): row is ChangedRow & ItemRow => row.place !== null && row.step !== null

/** Takes rows apart; undefined when there is no such account. */
export const readNews = (rows: readonly ChangedRow[]): AccountNews | undefined => {
  const head = rows.find(({ kind }) => kind === 'account')
  if (head === undefined) return undefined
  const { epoch, revision, place: position, writer, forgets, raised, gaps } = head
  if (epoch === null || revision === null || position === null || writer === null) return undefined
  const items = rows.filter(({ kind }) => kind === 'item').filter(isItemRow)
  const errands = rows.filter(({ kind }) => kind === 'errand').filter(isItemRow)
  return {
    ...{ epoch, revision, position, writer, raised: raised ?? 0, gaps: gaps ?? [] },
    items: items.toSorted((a, b) => a.place - b.place),
    records: rows.flatMap(({ kind, step }) => (kind === 'record' && step !== null ? [step] : [])),
    areRecordsAll: forgets ?? false,
    errands: new Map(errands.map(({ step, place }) => [JSON.parse(step) as string, place])),
  }
}

/** A step of a row that is no thing. @throws Error when it is none that this program writes */
export const parseStep = (step: string): Change => {
  const change = readChange(JSON.parse(step))
  if (change === undefined) throw new Error(`a row is not what was written: ${step.slice(0, 200)}`)
  return change
}

/** Reads the steps of rows; a thing as its bytes, which are used again for the next one. */
export const createRowReader = (): ((step: string) => Change | EncodedThing) => {
  const scan = createThingScanner()
  return (step) => (step.startsWith('{"thing":') ? scan(Buffer.from(step), thingStart) : undefined) ?? parseStep(step)
}

/** Records with those of rows. */
export const addRecords = (records: Records, news: Pick<AccountNews, 'records' | 'areRecordsAll'>): Records => {
  const draft = draftRecords(news.areRecordsAll ? new Map() : records)
  for (const step of news.records) draft.apply(parseStep(step))
  return draft.finish()
}

/** What is new above a position, as the steps of one write. */
export const stepsOf = (news: AccountNews, above: number, records: Records): AccountSteps => {
  const items = news.items.filter(({ place }) => place > above)
  const read = createRowReader()
  const isRaised = (items.at(-1)?.place ?? above) < news.position
  return {
    length: items.length + (isRaised ? 1 : 0),
    at: (index) => {
      const item = items[index]
      return item === undefined ? { raisedTo: news.position } : read(item.step)
    },
    records,
  }
}

/** Puts items into an account that is being loaded. */
export const putItems = (loading: AccountLoading, items: readonly ItemRow[]): void => {
  const read = createRowReader()
  for (const { step } of items) loading.put(read(step))
}
