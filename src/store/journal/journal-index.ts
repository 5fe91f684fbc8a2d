import type { FileHandle } from 'node:fs/promises'
import { type FileOperations, openFile, readBytes, readFileLines, withHandle } from '../disk/files.ts'
import { createStoredEntries, type EntrySteps, findEntrySteps, type StoredEntries } from '../outbox/outbox.ts'
import { followOn, type StepSink } from '../record/change.ts'
import { removal, takeSteps } from '../record/change-text.ts'
import { DamagedFile, findKey, findUserId, type JournalLine, readLine, registryKey } from '../record/checked-lines.ts'
import { headKey, locateSegment } from './segment-file.ts'

/** A line of a segment that is whole, and where it stands. `end` is behind its last byte before the line break. */
interface ScannedLine extends JournalLine {
  readonly start: number
  readonly end: number
  /** What it did to the errands of its account; undefined for nothing. */
  readonly errands: EntrySteps | undefined
}

/** A stretch of a segment that is not what was written. */
export interface DamagedStretch {
  readonly start: number
  readonly end: number
  /** Numbers of the writes that stood there, from first to last; none when `first` is above `last`. */
  readonly first: number
  readonly last: number
  /** Whose they were, or undefined where that cannot be made out. */
  readonly keys: readonly string[] | undefined
}

/** What a segment holds. */
interface ScannedSegment {
  readonly size: number
  readonly lines: readonly ScannedLine[]
  readonly damaged: readonly DamagedStretch[]
  /** How much of it is whole or damaged, with line breaks; what follows is a write that was never finished. */
  readonly end: number
  /** Number of the last write, those in damaged stretches included. */
  readonly lastWrite: number
}

const lineBreak = 0x0a

/** No line holds such bytes; they stand where the size of a file grew and its content did not reach the disk. */
const neverWritten = '\0\0'

const splitLines = (bytes: Buffer): readonly Buffer[] =>
  (bytes.toString('latin1').match(/[^\n]*\n|[^\n]+$/g) ?? []).map((line) => Buffer.from(line, 'latin1'))

const findLines = async (handle: FileHandle, size: number): Promise<readonly ScannedLine[]> => {
  const found: ScannedLine[] = []
  // One text for all lines of a key: there may be hundreds of thousands.
  const keys = new Map<string, string>()
  for await (const lines of readFileLines(handle, size))
    for (const { line, bytes, start } of lines) {
      if (line === undefined) continue
      const { write, batch } = line
      const key = keys.get(line.key) ?? line.key
      keys.set(key, key)
      found.push({ write, batch, key, start, end: start + bytes.length, errands: findEntrySteps(line, bytes) })
    }
  return found
}

/**
 * Where the writes of the newest segment end that reached the disk. A crash leaves a line without its end, or bytes
 * that were never written; behind these there may be whole lines, but only of the batch whose sync it prevented.
 */
const findTear = async (
  handle: FileHandle,
  size: number,
  found: readonly ScannedLine[],
  after: number,
): Promise<number> => {
  let end = 0
  let lastWrite = after
  for (const line of found) {
    const isHole = line.start > end && (await readBytes(handle, end, line.start)).includes(neverWritten)
    const missing = lastWrite + 1
    if (isHole && found.every(({ start, batch }) => start < line.start || batch <= missing)) return end
    end = line.end + 1
    lastWrite = Math.max(lastWrite, line.write)
  }
  const rest = await readBytes(handle, end, size)
  return !rest.includes(lineBreak) || rest.at(-1) === 0 || rest.includes(neverWritten) ? end : size
}

/**
 * Reads a segment whose first line must be of write `after + 1`, and whose last one is of write `next - 1`, or may be
 * any in the newest segment, where `next` is undefined. Only the newest segment may end in a write that was never
 * finished; anything else that is not a whole line, and any missing number, is damage.
 */
export const scanSegment = async (
  handle: FileHandle,
  after: number,
  next: number | undefined,
): Promise<ScannedSegment> => {
  const { size } = await handle.stat()
  const found = await findLines(handle, size)
  const end = next === undefined ? await findTear(handle, size, found, after) : size
  const lines: ScannedLine[] = []
  const damaged: DamagedStretch[] = []
  let lastWrite = after
  let wholeEnd = 0

  const noteDamage = async (stretchEnd: number, nextWrite: number | undefined): Promise<void> => {
    const pieces = splitLines(await readBytes(handle, wholeEnd, stretchEnd))
    const keys = pieces.map(findKey).filter((key) => key !== undefined)
    const last = nextWrite === undefined ? lastWrite + Math.max(1, pieces.length) : nextWrite - 1
    const isTold = keys.length === last - lastWrite || last === lastWrite
    damaged.push({ start: wholeEnd, end: stretchEnd, first: lastWrite + 1, last, keys: isTold ? keys : undefined })
    lastWrite = last
    wholeEnd = stretchEnd
  }

  for (const line of found) {
    if (line.start >= end || line.write <= lastWrite) continue
    if (line.start > wholeEnd || line.write > lastWrite + 1) await noteDamage(line.start, line.write)
    lines.push(line)
    lastWrite = line.write
    wholeEnd = line.end + 1
  }
  const isCutShort = next !== undefined && lastWrite < next - 1
  if (wholeEnd < end || isCutShort) await noteDamage(end, next)
  return { size, lines, damaged, end: wholeEnd, lastWrite }
}

/** Where a write stands in the journal. */
export interface LineLocation {
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
interface Damage extends DamagedStretch {
  readonly path: string
}

/** A segment that stays though those behind it were removed: its first write, and the number behind its last one. */
export interface Outlier {
  readonly first: number
  readonly next: number
}

type FoundLines = Pick<ScannedSegment, 'lines' | 'damaged'>

/** One file of a journal. */
interface Segment {
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
  readonly errands: StoredEntries
  readonly damages: readonly Damage[]
  /** Adds the newest segment, with what was found in it; `next` is known when another one was begun behind it. */
  readonly addSegment: (path: string, first: number, found?: FoundLines, next?: number) => void
  /** To be told of each line in the newest segment; one of the journal's own says nothing. */
  readonly note: (key: string, errands: EntrySteps | undefined, place: LineLocation) => void
  /** To be told that a key's own file holds its writes up to this one. */
  readonly noteSaved: (key: string, write: number) => void
  /** The lines of a key, in order; of an account that was removed, those after that. */
  readonly list: (key: string, range: WriteRange) => readonly LineLocation[]
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
  const lines = new Map<string, LineLocation[]>()
  const removals = new Map<string, number>()
  const damages: Damage[] = []
  // Only accounts that were removed get beyond their damage.
  const overcome = new Map<string, number>()
  const errands = createStoredEntries()
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

/** The segments of a journal by their first writes, oldest first, and behind which of them some are gone. */
export interface ListedSegments {
  readonly firstWrites: readonly number[]
  readonly outliers: readonly Outlier[]
}

/** The first of the segments between which none is missing. */
export const findFirstWithoutGap = ({ firstWrites, outliers }: ListedSegments): number | undefined =>
  firstWrites.find((found) => !outliers.some(({ first }) => first === found))

/** A segment whose file is open. */
export interface OpenSegment extends ScannedSegment {
  readonly path: string
  readonly handle: FileHandle
  readonly firstWrite: number
  /** The number behind its last write; undefined for the newest. */
  readonly next: number | undefined
}

/**
 * Reads the segments of a journal, one after the other; gives the number of the last write. @throws NoFile, the
 * system's error
 */
export const scanJournal = async (
  files: Pick<FileOperations, 'open' | 'stat'>,
  folder: string,
  { firstWrites, outliers }: ListedSegments,
  visit: (segment: OpenSegment) => Promise<void>,
): Promise<number> => {
  let lastWrite = 0
  let expected: number | undefined
  for (const [index, firstWrite] of firstWrites.entries()) {
    const next = outliers.find(({ first }) => first === firstWrite)?.next ?? firstWrites[index + 1]
    // What stood between was saved, and its removal written down.
    if (expected !== firstWrite) lastWrite = firstWrite - 1
    expected = next
    const path = locateSegment(folder, firstWrite)
    await withHandle(openFile(files, path), async (handle) => {
      const scanned = await scanSegment(handle, lastWrite, next)
      lastWrite = scanned.lastWrite
      await visit({ ...scanned, path, handle, firstWrite, next })
    })
  }
  return lastWrite
}

/** A write of one key as it stands in the journal, without its line break. */
interface ReadLine {
  readonly write: number
  readonly bytes: Buffer
}

/** Some at once, whose bytes are there until the next ones. */
export type ReadLines = AsyncIterable<readonly ReadLine[]>

/** What is read at once of many lines. */
const windowBytes = 1024 * 1024

/** Splits lines into stretches of one file that are read at once; only one of a single line may be large. */
const groupLines = (lines: readonly LineLocation[]): readonly (readonly LineLocation[])[] => {
  const groups: LineLocation[][] = []
  for (const line of lines) {
    const group = groups.at(-1)
    const first = group?.[0]
    if (first !== undefined && first.path === line.path && line.end - first.start <= windowBytes) group?.push(line)
    else groups.push([line])
  }
  return groups
}

const sizeOf = (group: readonly LineLocation[]): number => (group.at(-1)?.end ?? 0) - (group[0]?.start ?? 0)

const readGroup = async (
  handle: FileHandle,
  group: readonly LineLocation[],
  room: Buffer,
): Promise<readonly ReadLine[]> => {
  const begin = group[0]?.start ?? 0
  await handle.read(room, 0, sizeOf(group), begin)
  return group.map(({ path, start, end, write }) => {
    const bytes = room.subarray(start - begin, end - begin)
    if (readLine(bytes)?.write !== write) throw new DamagedFile(`${path} has changed at byte ${start}`)
    return { write, bytes }
  })
}

/** Reads lines back, in order. @throws DamagedFile when one is not what it was, the system's error */
export async function* readLines(
  files: FileOperations,
  lines: readonly LineLocation[],
): AsyncGenerator<readonly ReadLine[]> {
  let room = Buffer.alloc(0)
  for (const group of groupLines(lines)) {
    if (sizeOf(group) > room.length) room = Buffer.allocUnsafeSlow(Math.max(sizeOf(group), 2 * room.length))
    yield await withHandle(files.open(group[0]?.path ?? '', 'r'), (handle) => readGroup(handle, group, room))
  }
}

/** Hands on the steps of writes to an account, in order. @throws DamagedFile, and what the lines throw */
export const takeLines = async (lines: ReadLines, sink: StepSink): Promise<void> => {
  for await (const group of lines)
    for (const { write, bytes } of group)
      if (!takeSteps(bytes, sink, followOn(sink)))
        throw new DamagedFile(
          `the steps of write ${write} are not complete, or do not follow position ${sink.position()}`,
        )
}
