import { type Change, findPosition } from './change.ts'
import type { EncodedThing } from './encoded-thing.ts'

/** What takes the steps of an account one after another: an account that is loaded, or somebody who counts. */
export interface StepSink {
  /** The highest position that it was given. */
  readonly position: () => number
  /** True when there is a thing with this id, or was one. */
  readonly hasId: (id: string) => boolean
  readonly hasTag: (name: string) => boolean
  /** Takes a thing in the bytes of its step. True when its id is new. */
  readonly putEncoded: (thing: EncodedThing) => boolean
  readonly put: (change: Change) => void
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
export const isInOrder = (change: Change, order: StepOrder): boolean => {
  const position = findPosition(change)
  if (position === undefined) return true
  if ('thing' in change) return order('thing', position)
  return order('tombstone' in change ? 'tombstone' : 'tag', position)
}

const isNew = (change: Change, { hasId, hasTag }: StepSink): boolean => {
  if ('thing' in change) return !hasId(change.thing.id)
  if ('tombstone' in change) return !hasId(change.tombstone.id)
  return !('tag' in change && hasTag(change.tag.name))
}

/** The same sink, which tells of each id and tag that it was given before. */
export const watchNew = (sink: StepSink, onKnown: () => void): StepSink => ({
  ...sink,
  putEncoded: (thing) => {
    const isFirst = sink.putEncoded(thing)
    if (!isFirst) onKnown()
    return isFirst
  },
  put: (change) => {
    if (!isNew(change, sink)) onKnown()
    sink.put(change)
  },
})
