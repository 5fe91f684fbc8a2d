import { createIdIndex } from '../../image/id-index.ts'
import { draftRecords, eachRecord } from '../../image/records.ts'
import { type Change, findPosition } from '../../record/change.ts'
import type { StepSink } from '../../record/step-sink.ts'

/** What an account holds, in numbers. */
export interface AccountTotals {
  readonly position: number
  readonly things: number
  readonly deletions: number
  /** True when nothing was ever written to it, or it was removed. */
  readonly isEmpty: boolean
}

/** Counts what an account holds while its steps pass. */
export interface AccountCount extends StepSink {
  readonly totals: () => AccountTotals
}

/** Begins to count an account at a position. Of what passes only the ids are remembered, outside of the heap. */
export const beginCount = (start: number): AccountCount => {
  const ids = createIdIndex()
  const tags = new Set<string>()
  const records = draftRecords(new Map())
  let position = start
  let [things, deletions] = [0, 0]

  const note = (slot: number, isThing: boolean): void => {
    const before = ids.newestOf(slot)
    if (before === 1) things -= 1
    if (before === -1) deletions -= 1
    if (isThing) things += 1
    else deletions += 1
    ids.setNewest(slot, isThing ? 1 : -1)
  }

  const put = (change: Change): void => {
    position = Math.max(position, findPosition(change) ?? 0)
    if ('thing' in change) note(ids.take(change.thing.id), true)
    else if ('tombstone' in change) note(ids.take(change.tombstone.id), false)
    else if ('tag' in change) tags.add(change.tag.name)
    else records.apply(change)
  }

  return {
    position: () => position,
    hasId: (id) => ids.find(id) !== undefined,
    hasTag: (name) => tags.has(name),
    put,
    putEncoded: (thing) => {
      const known = ids.size()
      const slot = ids.takeJson(thing.bytes, thing.idStart, thing.idEnd)
      position = Math.max(position, thing.position)
      note(slot, true)
      return slot === known
    },
    totals: () => {
      const isEmpty = position === 0 && eachRecord(records.finish()).next().done === true
      return { position, things, deletions, isEmpty }
    },
  }
}
