import type { Json } from '../model.ts'
import type { Change, StoredRecord } from '../record/change.ts'
import { isListOf, isPosition, type Shape } from '../record/shapes.ts'

/** The records of an account: by kind and group, then by key. Never changed in place. */
export type Records = ReadonlyMap<string, ReadonlyMap<string, Json>>

/** Records while changes are collected over them; `base` stays as it is. */
export interface RecordsDraft {
  readonly find: (kind: string, group: string, key: string) => Json | undefined
  /** Those of now: what is applied later does not change them. */
  readonly list: (kind: string, group: string) => ReadonlyMap<string, Json>
  readonly apply: (change: Change) => void
  readonly finish: () => Records
}

const none: ReadonlyMap<string, Json> = new Map()

// The length keeps any two different pairs of texts different, whatever characters they hold.
const nameGroup = (kind: string, group: string): string => `${kind.length} ${kind}${group}`

const readGroup = (name: string): [kind: string, group: string] => {
  const start = name.indexOf(' ') + 1
  const end = start + Number(name.slice(0, start))
  return [name.slice(start, end), name.slice(end)]
}

/** The records of one kind and group, by key. */
export const listRecords = (records: Records, kind: string, group: string): ReadonlyMap<string, Json> =>
  records.get(nameGroup(kind, group)) ?? none

/** All records, one by one. */
export function* eachRecord(records: Records): Generator<StoredRecord, void, undefined> {
  for (const [name, values] of records) {
    const [kind, group] = readGroup(name)
    for (const [key, value] of values) yield { kind, group, key, value }
  }
}

/** Begins to collect changes over records. Groups that no change touches are shared with `base`. */
export const draftRecords = (base: Records): RecordsDraft => {
  const touched = new Map<string, Map<string, Json>>()

  const find = (kind: string, group: string): ReadonlyMap<string, Json> =>
    touched.get(nameGroup(kind, group)) ?? listRecords(base, kind, group)

  const list = (kind: string, group: string): ReadonlyMap<string, Json> => {
    const changed = touched.get(nameGroup(kind, group))
    return changed === undefined ? listRecords(base, kind, group) : new Map(changed)
  }

  const touch = (kind: string, group: string): Map<string, Json> => {
    const name = nameGroup(kind, group)
    const values = touched.get(name) ?? new Map(base.get(name))
    touched.set(name, values)
    return values
  }

  const apply = (change: Change): void => {
    if ('record' in change) {
      const { kind, group, key, value } = change.record
      touch(kind, group).set(key, value)
    } else if ('removedRecord' in change) {
      const { kind, group, key } = change.removedRecord
      if (find(kind, group).has(key)) touch(kind, group).delete(key)
    } else if ('removedRecords' in change) {
      const { kind, group } = change.removedRecords
      touched.set(nameGroup(kind, group), new Map())
    }
  }

  const finish = (): Records => {
    if (touched.size === 0) return base
    const next = new Map(base)
    for (const [name, values] of touched) {
      if (values.size === 0) next.delete(name)
      else next.set(name, values)
    }
    return next
  }

  return { find: (kind, group, key) => find(kind, group).get(key), list, apply, finish }
}

/** Positions that were given in a future that is lost, if at all: between each pair the account never was. */
export type Gaps = readonly (readonly [from: number, to: number])[]

/**
 * Where they stand in an account that was moved out of a database that a failover has put back: a record like those of
 * the rules, which every store, journal and backup carries on.
 */
const gapsKey = { kind: 'lost-positions', group: '', key: '' } as const

const isPair: Shape = (value) =>
  Array.isArray(value) && value.length === 2 && value.every(isPosition) && value[0] < value[1]
const areGaps = isListOf(isPair)

/** True for pairs of positions. */
export const isGaps = (value: unknown): value is Gaps => areGaps(value)

const readGaps = (value: unknown): Gaps => (isGaps(value) ? value : [])

/** The gaps that an account has brought along. */
export const findGaps = (records: Records): Gaps =>
  readGaps(listRecords(records, gapsKey.kind, gapsKey.group).get(gapsKey.key))

/**
 * A record of an account at a position that goes on so much further on. Where gaps were brought along its positions lie so
 * far apart that what is raised may stay below one that was given since, so that all of those count as lost, too.
 */
const jumpRecord = (record: StoredRecord, position: number, by: number): StoredRecord =>
  record.kind === gapsKey.kind ? { ...record, value: [...readGaps(record.value), [position, position + by]] } : record

/** The records of an account that takes gaps along, with those that it has brought. */
export function* withGaps(records: Iterable<StoredRecord>, gaps: Gaps): Generator<StoredRecord, void, undefined> {
  let brought: Gaps = []
  for (const record of records)
    if (record.kind === gapsKey.kind) brought = readGaps(record.value)
    else yield record
  const all = [...brought, ...gaps]
  if (all.length > 0) yield { ...gapsKey, value: all }
}

/**
 * All positions were raised at a restore, by so much. Clients may hold positions that were given after the backup was
 * made; no account may give them again, or these clients would miss what comes next.
 */
export interface PositionJump {
  /** Number of the journal's line that says so. */
  readonly write: number
  readonly by: number
}

const atOnce = 1_000_000
const perSecond = 10
const yearSeconds = 365 * 24 * 3600

/**
 * How far to raise at a time (Unix time in milliseconds), beyond what was restored: by as many positions as one account
 * may have been given since. Nothing that is left says how many these were, only `since` (Unix time in seconds), when
 * what is restored was still known. So it is a million, which covers any upload or import, and ten for each second, which
 * no person and few programs keep up for long. The same backup, restored again later, begins above what was given since
 * the first time by the same rule. Where the time is not known, or a clock is wrong, a year is assumed.
 */
export const chooseDistance = (now: number, since: number | undefined): number => {
  const seconds = since === undefined ? -1 : Math.floor(now / 1000) - since
  return atOnce + perSecond * (seconds < 0 ? yearSeconds : seconds)
}

/**
 * The same step of an account at `from` that goes on `by` positions further on, where no client was given any before (see
 * `chooseDistance`). Every thing, deletion and tag setting counts as changed by somebody else since, so that clients that
 * knew later states are listed all of it; `createdPosition` stays, so that those who knew a thing hear of its deletion.
 */
export const encodeJump = (step: Change, from: number, by: number): Change => {
  if ('thing' in step) {
    const position = step.thing.position + by
    return { thing: { ...step.thing, position, othersPosition: position } }
  }
  if ('tombstone' in step) return { tombstone: { ...step.tombstone, position: step.tombstone.position + by } }
  if ('tag' in step) return { tag: { ...step.tag, position: step.tag.position + by } }
  if ('record' in step) return { record: jumpRecord(step.record, from, by) }
  return step
}
