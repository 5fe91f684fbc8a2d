import type { KeptThing } from '../../record/kept-thing.ts'
import { encodeChange } from '../../record/write-steps.ts'
import { encodeFlags, encodeNumbers, encodeTexts, encodeWholes } from '../database/encode-array.ts'
import type { Value } from '../database/statement.ts'
import type { WriteBatch } from './chain.ts'
import { keyOfName, keyOfTag, keyOfThing, scopeOf } from './names.ts'

/** The last state of something that has a position. */
interface ItemState {
  readonly position: number
  readonly step: string | Buffer
}

/** What becomes of a record, or of all of a scope. */
interface RecordStates {
  readonly put: Map<
    string,
    { readonly scope: string; readonly key: string; readonly revision: number; readonly step: string }
  >
  readonly gone: { readonly scope: string; readonly key: string }[]
}

const wholeScope = ''

const nameRecord = (scope: string, key: string): string => `${scope.length} ${scope}${key}`

/** The bytes of a thing's step. They are those of the write, which nobody changes. */
const stepBytes = ({ bytes, start, end }: KeptThing): Buffer => bytes.subarray(start - '{"thing":'.length, end + 1)

const collectItems = ({ writes }: WriteBatch): ReadonlyMap<string, ItemState> => {
  const states = new Map<string, ItemState>()
  for (const { write } of writes) {
    for (const [id, item] of write.items) {
      const thing = typeof item === 'number' ? write.readThing(item) : undefined
      if (thing !== undefined) states.set(keyOfThing(id), { position: thing.position, step: stepBytes(thing) })
      else if (typeof item !== 'number')
        states.set(keyOfThing(id), { position: item.position, step: encodeChange({ tombstone: item }) })
    }
    for (const [name, tag] of write.tags)
      states.set(keyOfTag(name), { position: tag.position, step: encodeChange({ tag }) })
  }
  return states
}

const collectRecords = ({ writes }: WriteBatch): RecordStates => {
  const { put, gone }: RecordStates = { put: new Map(), gone: [] }
  for (const { write, revision } of writes)
    for (let index = 0; index < write.length; index += 1) {
      const step = write.at(index)
      if (step === undefined || 'bytes' in step) continue
      if ('record' in step) {
        const [scope, key] = [scopeOf(step.record.kind, step.record.group), keyOfName(step.record.key)]
        put.set(nameRecord(scope, key), { scope, key, revision, step: encodeChange(step) })
      } else if ('removedRecord' in step) {
        const { kind, group } = step.removedRecord
        const [scope, key] = [scopeOf(kind, group), keyOfName(step.removedRecord.key)]
        put.delete(nameRecord(scope, key))
        gone.push({ scope, key })
      } else if ('removedRecords' in step) {
        const scope = scopeOf(step.removedRecords.kind, step.removedRecords.group)
        for (const [name, record] of put) if (record.scope === scope) put.delete(name)
        gone.push({ scope, key: wholeScope })
      }
    }
  return { put, gone }
}

const collectErrands = ({ writes }: WriteBatch): ReadonlyMap<string, number | null> => {
  const dueAt = new Map<string, number | null>()
  for (const { write } of writes)
    for (const change of write.errandSteps)
      if ('errand' in change) dueAt.set(change.errand.key, change.errand.dueAt)
      else dueAt.set(change.removedErrand.key, null)
  return dueAt
}

/** The values of `keepWrites` for some batches, each of another account. `now` is Unix time in milliseconds. */
export const writeColumns = (id: string, batches: readonly WriteBatch[], now: number): readonly Value[] => {
  const parts = batches.map((batch) => ({
    ...{ userId: batch.userId, last: batch.writes.at(-1) },
    ...{ epoch: batch.epoch, base: batch.base, raised: batch.raised },
    items: [...collectItems(batch)],
    records: collectRecords(batch),
    errands: [...collectErrands(batch)],
  }))
  const each = <Part>(list: (part: (typeof parts)[number]) => readonly Part[]) =>
    parts.flatMap((part) => list(part).map((item) => ({ userId: part.userId, item })))
  const items = each((part) => part.items)
  const put = each((part) => [...part.records.put.values()])
  const gone = each((part) => part.records.gone)
  const errands = each((part) => part.errands)
  const accounts = (rows: readonly { readonly userId: string }[]): Buffer => encodeTexts(rows.map((row) => row.userId))
  return [
    id,
    accounts(parts),
    encodeWholes(parts.map(({ epoch }) => epoch)),
    encodeWholes(parts.map(({ base }) => base)),
    encodeWholes(parts.map(({ last }) => last?.write.position ?? 0)),
    encodeWholes(parts.map(({ last }) => last?.revision ?? 0)),
    encodeFlags(parts.map(({ records }) => records.gone.length > 0)),
    encodeTexts(parts.map(({ last }) => last?.writer ?? '')),
    accounts(items),
    encodeTexts(items.map(({ item: [key] }) => key)),
    encodeWholes(items.map(({ item: [, { position }] }) => position)),
    encodeTexts(items.map(({ item: [, { step }] }) => step)),
    now,
    accounts(put),
    encodeTexts(put.map(({ item }) => item.scope)),
    encodeTexts(put.map(({ item }) => item.key)),
    encodeWholes(put.map(({ item }) => item.revision)),
    encodeTexts(put.map(({ item }) => item.step)),
    accounts(gone),
    encodeTexts(gone.map(({ item }) => item.scope)),
    encodeTexts(gone.map(({ item }) => item.key)),
    accounts(errands),
    encodeTexts(errands.map(({ item: [key] }) => keyOfName(key))),
    encodeTexts(errands.map(({ item: [key] }) => JSON.stringify(key))),
    encodeNumbers(errands.map(({ item: [, dueAt] }) => dueAt)),
    encodeWholes(parts.map(({ raised }) => raised)),
  ]
}
