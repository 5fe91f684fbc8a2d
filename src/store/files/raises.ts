import type { Change } from '../change.ts'
import { findPosition } from '../change.ts'

/**
 * All positions were raised at a restore, by so much. Clients may hold positions that were given after the backup was
 * made; no account may give them again, or these clients would miss what comes next.
 */
export interface Raise {
  /** Number of the journal's line that says so. */
  readonly write: number
  readonly by: number
}

const leastDistance = 1_000_000
const epochSeconds = Date.UTC(2020, 0, 1) / 1000

/**
 * How far to raise at a time (Unix time in milliseconds): by a million changes of one account, and a second's worth of
 * one more for every second, so that a backup that is restored again begins above what was given since the first time.
 */
export const chooseDistance = (now: number): number =>
  leastDistance + Math.max(0, Math.floor(now / 1000) - epochSeconds)

/** A write of an account, by its number in the journal. */
export interface NumberedChanges {
  readonly write: number
  readonly decode: (position: number) => readonly Change[]
}

/**
 * The changes of writes that go on from a position, in order, with the raises above `saved`, the last write that the
 * position includes.
 */
export const decodeWithRaises = (
  writes: readonly NumberedChanges[],
  raises: readonly Raise[],
  { saved, position: start }: { readonly saved: number; readonly position: number },
): readonly (readonly Change[])[] => {
  const steps: readonly NumberedChanges[] = [
    ...writes,
    ...raises
      .filter(({ write }) => write > saved)
      .map(({ write, by }) => ({ write, decode: (position: number) => [{ raisedTo: position + by }] })),
  ]
  let position = start
  return steps
    .toSorted((a, b) => a.write - b.write)
    .map(({ decode }) => {
      const changes = decode(position)
      position = changes.reduce((last, change) => findPosition(change) ?? last, position)
      return changes
    })
}
