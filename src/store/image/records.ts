import type { Json } from '../model.ts'
import type { Change, StoredRecord } from '../record/change.ts'

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
