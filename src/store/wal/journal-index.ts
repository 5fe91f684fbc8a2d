import { createStoredErrands, type ErrandSteps, type StoredErrands } from '../errands/stored-errands.ts'
import { findUserId, registryKey } from '../record/journal-line.ts'
import { removal } from '../record/write-steps.ts'
import type { DamagedStretch, ScannedSegment } from './scan-segment.ts'
import { headKey } from './segment-file.ts'

/** Where a write stands in the journal. */
export interface LinePlace {
  readonly path: string
  readonly write: number
  readonly start: number
  readonly end: number
}

/** Writes by their numbers, these two not included; without `before` all behind the first. */
export interface WriteRange {
  readonly after: number
  readonly before?: number
}

/** A stretch of the journal that cannot be read. */
export interface Damage extends DamagedStretch {
  readonly path: string
}

/** A segment that stays though those behind it were removed: its first write, and the number behind its last one. */
export interface Outlier {
  readonly first: number
  readonly next: number
}

type FoundLines = Pick<ScannedSegment, 'lines' | 'damaged'>

/** One file of a journal. */
export interface Segment {
  readonly path: string
  readonly first: number
  /** The number behind its last write; undefined in the newest. */
  next: number | undefined
  /** The last write of each key that is not in that key's own file yet. */
  readonly unsaved: Map<string, number>
}

/** Where the lines of a journal stand that are in no other file, and which of its files are needed for them. */
export interface JournalIndex {
  /** What the lines say of errands. */
  readonly errands: StoredErrands
  readonly damages: readonly Damage[]
  /** Adds the newest segment, with what was found in it; `next` is known when another one was begun behind it. */
  readonly addSegment: (path: string, first: number, found?: FoundLines, next?: number) => void
  /** To be told of each line in the newest segment; one of the journal's own says nothing. */
  readonly note: (key: string, errands: ErrandSteps | undefined, place: LinePlace) => void
  /** To be told that a key's own file holds its writes up to this one. */
  readonly noteSaved: (key: string, write: number) => void
  /** The lines of a key, in order; of an account that was removed, those after that. */
  readonly list: (key: string, range: WriteRange) => readonly LinePlace[]
  readonly listKeys: () => readonly string[]
  /** The writes that removed accounts which may have a file still; nothing before them counts. */
  readonly removals: ReadonlyMap<string, number>
  /** Damage that a key may have suffered, when its own file holds its writes up to `saved`. */
  readonly findDamage: (key: string, saved: number) => Damage | undefined
  /** The number of the last write of a key that is durable and not in its own file. */
  readonly findUnsaved: (key: string) => number | undefined
  /** Keys because of which a segment before the newest is still needed. */
  readonly listUnsavedKeys: () => readonly string[]
  /** The segments that are needed no more, oldest first; never the newest one. */
  readonly listNeedless: () => readonly Segment[]
  /** What will be there without the needless ones: where the journal begins that has no gap, and those before it. */
  readonly planRemoval: () => { readonly first: number; readonly outliers: readonly Outlier[] }
  /** Forgets a segment that was removed. */
  readonly drop: (segment: Segment) => void
  /** All of them, oldest first. */
  readonly segments: () => readonly Segment[]
}

/** A journal without files. */
export const createJournalIndex = (): JournalIndex => {
  const lines = new Map<string, LinePlace[]>()
  const removals = new Map<string, number>()
  const damages: Damage[] = []
  // Only accounts that were removed get beyond their damage.
  const overcome = new Map<string, number>()
  const errands = createStoredErrands()
  let segments: Segment[] = []

  const needSegment = (key: string, write: number): void => {
    const unsaved = segments.at(-1)?.unsaved
    unsaved?.set(key, Math.max(write, unsaved.get(key) ?? 0))
  }

  const note: JournalIndex['note'] = (key, steps, place) => {
    if (key === headKey) return
    needSegment(key, place.write)
    if (steps !== undefined && steps.length > 0) {
      errands.note(findUserId(key) ?? '', place.write, steps)
      needSegment(registryKey, place.write)
    }
    if (steps === removal) {
      removals.set(key, place.write)
      lines.delete(key)
      return
    }
    const ofKey = lines.get(key)
    if (ofKey === undefined) lines.set(key, [place])
    else ofKey.push(place)
  }

  const noteDamage = (damage: Damage): void => {
    damages.push(damage)
    // The segment stays as long as anybody misses what stood there.
    if (damage.keys === undefined) needSegment(headKey, Number.POSITIVE_INFINITY)
    else for (const key of damage.keys) if (key !== headKey) needSegment(key, damage.last)
  }

  const addSegment: JournalIndex['addSegment'] = (path, first, found, next) => {
    const before = segments.at(-1)
    if (before !== undefined) before.next ??= first
    segments.push({ path, first, next, unsaved: new Map() })
    for (const { key, errands: steps, write, start, end } of found?.lines ?? [])
      note(key, steps, { path, write, start, end })
    for (const stretch of found?.damaged ?? []) noteDamage({ ...stretch, path })
  }

  const noteSaved = (key: string, write: number): void => {
    for (const { unsaved } of segments) if ((unsaved.get(key) ?? Number.POSITIVE_INFINITY) <= write) unsaved.delete(key)
    if (damages.length > 0) overcome.set(key, write)
    if ((removals.get(key) ?? Number.POSITIVE_INFINITY) <= write) removals.delete(key)
    const left = lines.get(key)?.filter((line) => line.write > write) ?? []
    if (left.length > 0) lines.set(key, left)
    else lines.delete(key)
  }

  const findDamage = (key: string, saved: number): Damage | undefined => {
    const after = Math.max(saved, overcome.get(key) ?? 0)
    // Where it cannot be told whose writes are missing, all could not even log in, if it were the registry's.
    return damages.find(({ keys, last }) => last > after && (keys?.includes(key) ?? key !== registryKey))
  }

  const listNeedless = (): readonly Segment[] => segments.slice(0, -1).filter(({ unsaved }) => unsaved.size === 0)

  const planRemoval: JournalIndex['planRemoval'] = () => {
    const needless = listNeedless()
    const left = segments.filter((segment) => !needless.includes(segment))
    const lastGap = left.findLastIndex(({ next }, index) => index < left.length - 1 && next !== left[index + 1]?.first)
    const outliers = left.slice(0, lastGap + 1).map(({ first, next = first }) => ({ first, next }))
    return { first: left[lastGap + 1]?.first ?? 0, outliers }
  }

  return {
    errands,
    damages,
    addSegment,
    note,
    noteSaved,
    list: (key, { after, before = Number.POSITIVE_INFINITY }) =>
      (lines.get(key) ?? []).filter(({ write }) => write > after && write < before),
    listKeys: () => [...new Set([...lines.keys(), ...removals.keys()])],
    removals,
    findDamage,
    findUnsaved: (key) => segments.findLast(({ unsaved }) => unsaved.has(key))?.unsaved.get(key),
    listUnsavedKeys: () => [...new Set(segments.slice(0, -1).flatMap(({ unsaved }) => [...unsaved.keys()]))],
    listNeedless,
    planRemoval,
    drop: (dropped) => {
      segments = segments.filter((segment) => segment !== dropped)
    },
    segments: () => segments,
  }
}
