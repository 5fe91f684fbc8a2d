import { type Change, findPosition } from './change.ts'
import type { EncodedThing } from './encoded-thing.ts'

/** What takes the steps of an account one after another: an account that is loaded, or somebody who counts. */
export interface StepSink {
  /** The highest position that it was given. */
  readonly position: () => number
  /** Takes a step, that of a thing in its bytes or parsed. False when its id, or the name of its tag, was there before. */
  readonly put: (step: Change | EncodedThing) => boolean
}

/** Says whether a step that takes a position may come next. */
export type StepOrder = (kind: 'thing' | 'tombstone' | 'tag', position: number) => boolean

/** The order of writes: each position is one above the last. */
export const followOn =
  (sink: Pick<StepSink, 'position'>): StepOrder =>
  (_kind, position) =>
    position === sink.position() + 1

/** The order of a base with a position: things, tombstones and tags each ascend up to it. */
export const ascendTo = (end: number): StepOrder => {
  const last = { thing: 0, tombstone: 0, tag: 0 }
  return (kind, position) => {
    const isNext = position > last[kind] && position <= end
    last[kind] = position
    return isNext
  }
}

/** True when a step may come next. */
export const isInOrder = (step: Change | EncodedThing, order: StepOrder): boolean => {
  const position = findPosition(step)
  if (position === undefined) return true
  if ('bytes' in step || 'thing' in step) return order('thing', position)
  return order('tombstone' in step ? 'tombstone' : 'tag', position)
}
