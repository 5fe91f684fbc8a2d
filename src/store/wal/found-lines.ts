import { createKeptErrands, type KeptErrands } from '../errands/kept-errands.ts'
import { findUserId } from '../record/journal-keys.ts'
import { removal } from '../record/write-steps.ts'
import type { DamagedStretch, ScannedLine } from './scan-segment.ts'
import { headKey } from './segment-file.ts'

/** Where a write stands in the journal. */
export interface RecoveredLine {
  readonly path: string
  readonly write: number
  readonly start: number
  readonly end: number
}

/** Writes by their numbers, these two not included. */
export interface WriteRange {
  readonly after: number
  readonly before: number
}

/** A stretch of the journal that cannot be read. */
export interface Damage extends Pick<DamagedStretch, 'first' | 'last' | 'keys'> {
  readonly path: string
  readonly start: number
}

/** What was found in the segments of a journal: where its lines stand, and not what is in them. */
export interface FoundLines {
  /** The writes by key, in order; of an account that was removed, those after that. */
  readonly lines: Map<string, RecoveredLine[]>
  /** The writes that removed accounts, the last one of each. */
  readonly removals: Map<string, number>
  readonly damages: Damage[]
  /** What the lines say of errands. */
  readonly errands: KeptErrands
  /** Takes the next line; one of the journal's own says nothing. */
  readonly note: (path: string, line: ScannedLine) => void
  /** The lines of a key with writes after one and before another. */
  readonly list: (key: string, range: WriteRange) => readonly RecoveredLine[]
  /** Damage that a key may have suffered behind a write. */
  readonly findDamage: (key: string, after: number) => Damage | undefined
  /** The same of damage that is known to be one of this key, however much there is of which that cannot be told. */
  readonly findNamedDamage: (key: string, after: number) => Damage | undefined
}

/** Nothing was found yet. */
export const createFoundLines = (): FoundLines => {
  const lines = new Map<string, RecoveredLine[]>()
  const removals = new Map<string, number>()
  const damages: Damage[] = []
  const errands = createKeptErrands()

  const note: FoundLines['note'] = (path, { key, write, start, end, errands: steps }) => {
    if (key === headKey) return
    if (steps !== undefined) errands.note(findUserId(key) ?? '', write, steps)
    if (steps === removal) {
      removals.set(key, write)
      lines.delete(key)
      return
    }
    const ofKey = lines.get(key) ?? []
    lines.set(key, ofKey)
    ofKey.push({ path, write, start, end })
  }

  return {
    lines,
    removals,
    damages,
    errands,
    note,
    list: (key, { after, before }) => (lines.get(key) ?? []).filter(({ write }) => write > after && write < before),
    findDamage: (key, after) => damages.find(({ keys, last }) => last > after && (keys?.includes(key) ?? true)),
    findNamedDamage: (key, after) => damages.find(({ keys, last }) => last > after && keys?.includes(key)),
  }
}
