import type { Json } from '../model.ts'
import type { Change, StoredRecord } from '../record/change.ts'
import { isListOf, isPosition, type Shape } from '../record/shapes.ts'

/** The records of an account: by kind and group, then by key. Immutable. */
export type Records = ReadonlyMap<string, ReadonlyMap<string, Json>>

/** Records during a change; the base does not change. */
export interface RecordsDraft {
  readonly find: (kind: string, group: string, key: string) => Json | undefined
  /** Lists the records as they are now: a later `apply` does not change the result. */
  readonly list: (kind: string, group: string) => ReadonlyMap<string, Json>
  readonly apply: (change: Change) => void
  readonly finish: () => Records
}

const none: ReadonlyMap<string, Json> = new Map()

// The length keeps any two different pairs of texts different, whatever characters they contain.
const nameGroup = (kind: string, group: string): string => `${kind.length} ${kind}${group}`

const readGroup = (name: string): [kind: string, group: string] => {
  const start = name.indexOf(' ') + 1
  const end = start + Number(name.slice(0, start))
  return [name.slice(start, end), name.slice(end)]
}

/** Lists the records of one kind and group, by key. */
export const listRecords = (records: Records, kind: string, group: string): ReadonlyMap<string, Json> =>
  records.get(nameGroup(kind, group)) ?? none

/** Yields all records, one by one. */
export function* eachRecord(records: Records): Generator<StoredRecord, void, undefined> {
  for (const [name, values] of records) {
    const [kind, group] = readGroup(name)
    for (const [key, value] of values) yield { kind, group, key, value }
  }
}

/** Starts to collect changes over records. Groups without changes are shared with `base`. */
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

/** Ranges of positions of lost futures: the account never was at a position inside such a range, both ends excluded. */
export type Gaps = readonly (readonly [from: number, to: number])[]

/**
 * The key of the record with the gaps of an account that was moved out of a database after a failover. It is a record
 * like the records of the sync rules, so every store, journal and backup keeps it.
 */
const gapsKey = { kind: 'lost-positions', group: '', key: '' } as const

const isPair: Shape = (value) =>
  Array.isArray(value) && value.length === 2 && value.every(isPosition) && value[0] < value[1]
const areGaps = isListOf(isPair)

/** Returns true for a list of pairs of positions. */
export const isGaps = (value: unknown): value is Gaps => areGaps(value)

const readGaps = (value: unknown): Gaps => (isGaps(value) ? value : [])

/** Finds the gaps that an account brought along. */
export const findGaps = (records: Records): Gaps =>
  readGaps(listRecords(records, gapsKey.kind, gapsKey.group).get(gapsKey.key))

/**
 * Returns the record after a jump of the account's positions by `by`. With gaps, the account's positions are far apart.
 * A raised position may then be below a position that a client received since. So the whole jump becomes a gap as well.
 */
const jumpRecord = (record: StoredRecord, position: number, by: number): StoredRecord =>
  record.kind === gapsKey.kind ? { ...record, value: [...readGaps(record.value), [position, position + by]] } : record

/** Yields the records of an account, with `gaps` added to the gaps that it brought along. */
export function* withGaps(records: Iterable<StoredRecord>, gaps: Gaps): Generator<StoredRecord, void, undefined> {
  let brought: Gaps = []
  for (const record of records)
    if (record.kind === gapsKey.kind) brought = readGaps(record.value)
    else yield record
  const all = [...brought, ...gaps]
  if (all.length > 0) yield { ...gapsKey, value: all }
}

/**
 * A raise of all positions at a restore. Clients may hold positions from after the backup. No account may use them
 * again, because these clients would then miss the next changes.
 */
export interface PositionJump {
  /** Number of the journal's line that records the raise. */
  readonly write: number
  readonly by: number
}

const basePositions = 1_000_000
const positionsPerSecond = 10
const yearSeconds = 365 * 24 * 3600

/**
 * Chooses how far to raise positions at a time (Unix time in milliseconds). The distance must cover all positions that
 * one account may have used since the backup. Their number is lost; only `since` (Unix time in seconds) is known, the
 * time of the restored state. So the distance is a million, plus ten per second since then. A million covers any upload
 * or import, and no user and few programs make ten changes per second for long. A second restore of the same backup
 * begins above the positions used after the first one, by the same rule. When the time is unknown, or a clock is wrong,
 * the distance is the one for a year.
 */
export const chooseDistance = (now: number, since: number | undefined): number => {
  const seconds = since === undefined ? -1 : Math.floor(now / 1000) - since
  return basePositions + positionsPerSecond * (seconds < 0 ? yearSeconds : seconds)
}

/**
 * Moves a step of an account at `from` by `by` positions, to positions that no client received before (see
 * `chooseDistance`). Every thing, deletion and tag setting counts as changed by another session since, so clients that
 * knew later states receive all of them. `createdPosition` stays, so that clients that knew a thing see its deletion.
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
