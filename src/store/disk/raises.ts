import { raiseRecord } from '../image/lost-positions.ts'
import type { Change } from '../record/change.ts'

/**
 * All positions were raised at a restore, by so much. Clients may hold positions that were given after the backup was
 * made; no account may give them again, or these clients would miss what comes next.
 */
export interface Raise {
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
export const raiseStep = (step: Change, from: number, by: number): Change => {
  if ('thing' in step) {
    const position = step.thing.position + by
    return { thing: { ...step.thing, position, othersPosition: position } }
  }
  if ('tombstone' in step) return { tombstone: { ...step.tombstone, position: step.tombstone.position + by } }
  if ('tag' in step) return { tag: { ...step.tag, position: step.tag.position + by } }
  if ('record' in step) return { record: raiseRecord(step.record, from, by) }
  return step
}
