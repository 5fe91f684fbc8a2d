import type { SyncEvent } from './trace.ts'

/** Whether one event was over, for certain, before another began. */
export type Precedence = (one: SyncEvent, other: SyncEvent) => boolean

/** As the history was played: the answer of the one came before the other was sent. */
export const precedesInTime: Precedence = (one, other) => one.ended < other.started

/** Whenever the history is played: by its rounds, and by the order in which one replica does its steps in a round. */
export const precedesInPlan: Precedence = (one, other) => {
  if (one.during === other.number || other.during === one.number) return false
  if (one.round !== other.round) return one.round < other.round
  const inOrder = one.who === other.who || (one.during !== undefined && one.during === other.during)
  return inOrder && one.number < other.number
}
