import type { StoredRecord } from '../record/change.ts'
import { isListOf, isPosition, type Shape } from '../record/shape.ts'
import { listRecords, type Records } from './records.ts'

/** Positions that were given in a future that is lost, if at all: between each pair the account never was. */
export type Gaps = readonly (readonly [from: number, to: number])[]

/**
 * Where they stand in an account that was moved out of a database that a failover has put back: a record like those of
 * the rules, which every store, journal and backup carries on.
 */
const place = { kind: 'lost-positions', group: '', key: '' } as const

const isPair: Shape = (value) =>
  Array.isArray(value) && value.length === 2 && value.every(isPosition) && value[0] < value[1]
const areGaps = isListOf(isPair)

/** True for pairs of positions. */
export const isGaps = (value: unknown): value is Gaps => areGaps(value)

const readGaps = (value: unknown): Gaps => (isGaps(value) ? value : [])

/** The gaps that an account has brought along. */
export const findGaps = (records: Records): Gaps =>
  readGaps(listRecords(records, place.kind, place.group).get(place.key))

/**
 * A record of an account at a position that goes on so much further on. Where gaps were brought along its positions lie so
 * far apart that what is raised may stay below one that was given since, so that all of those count as lost, too.
 */
export const raiseRecord = (record: StoredRecord, position: number, by: number): StoredRecord =>
  record.kind === place.kind ? { ...record, value: [...readGaps(record.value), [position, position + by]] } : record

/** The records of an account that takes gaps along, with those that it has brought. */
export function* withGaps(records: Iterable<StoredRecord>, gaps: Gaps): Generator<StoredRecord, void, undefined> {
  let brought: Gaps = []
  for (const record of records)
    if (record.kind === place.kind) brought = readGaps(record.value)
    else yield record
  const all = [...brought, ...gaps]
  if (all.length > 0) yield { ...place, value: all }
}
