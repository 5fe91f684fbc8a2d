import { createIdIndex } from '../../image/id-index.ts'
import { draftRecords, eachRecord } from '../../image/records.ts'
import { findPosition } from '../../record/change.ts'
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

  return {
    position: () => position,
    put: (step) => {
      const known = ids.size() + tags.size
      position = Math.max(position, findPosition(step) ?? 0)
      if ('bytes' in step) note(ids.takeJson(step.bytes, step.idStart, step.idEnd), true)
      else if ('thing' in step) note(ids.take(step.thing.id), true)
      else if ('tombstone' in step) note(ids.take(step.tombstone.id), false)
      else if ('tag' in step) tags.add(step.tag.name)
      else {
        records.apply(step)
        return true
      }
      return ids.size() + tags.size > known
    },
    totals: () => {
      const isEmpty = position === 0 && eachRecord(records.finish()).next().done === true
      return { position, things, deletions, isEmpty }
    },
  }
}
