import type { EncodedThing } from '../../record/encoded-thing.ts'
import { encodeChange } from '../../record/write-steps.ts'
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
const stepBytes = ({ bytes, start, end }: EncodedThing): Buffer => bytes.subarray(start - '{"thing":'.length, end + 1)

/** The items of a batch as they are after it, by their keys. */
export const collectItems = ({ writes }: WriteBatch): ReadonlyMap<string, ItemState> => {
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

/** What becomes of the records of a batch. */
export const collectRecords = ({ writes }: WriteBatch): RecordStates => {
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

/** When the errands of a batch are due, null for what is settled, by their keys. */
export const collectErrands = ({ writes }: WriteBatch): ReadonlyMap<string, number | null> => {
  const dueAt = new Map<string, number | null>()
  for (const { write } of writes)
    for (const change of write.errandSteps)
      if ('errand' in change) dueAt.set(change.errand.key, change.errand.dueAt)
      else dueAt.set(change.removedErrand.key, null)
  return dueAt
}
