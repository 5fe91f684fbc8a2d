import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { createSliceTimer, type Work } from '../../scheduling.ts'
import { type FileOperations, openFile, orIfMissing, readBytes, readFileLines, withHandle } from '../disk/files.ts'
import { createStoredEntries, type EntrySteps, findEntrySteps, type StoredEntries } from '../outbox/outbox.ts'
import { followOn, type StepSink } from '../record/change.ts'
import { passSteps, removal } from '../record/change-text.ts'
import { DamagedFile, findKey, findUserId, type JournalLine, readLine, registryKey } from '../record/checked-lines.ts'

/** The key of the first line of each segment, and of the journal's other lines about itself. */
export const headKey = 'journal'

const nameDigits = 12

/** Returns the path of a segment. Its name is the number of its first write, which is its head. */
export const locateSegment = (folder: string, firstWrite: number): string =>
  join(folder, `${String(firstWrite).padStart(nameDigits, '0')}.ndjson`)

const findFirstWrite = (name: string): number | undefined =>
  /^\d{12}\.ndjson$/.test(name) ? Number(name.slice(0, nameDigits)) : undefined

/** Lists the first writes of the segments in a folder, oldest first; the list is empty when the folder is missing. */
export const listFirstWrites = async (
  files: Pick<FileOperations, 'readdir'>,
  folder: string,
): Promise<readonly number[]> =>
  (await orIfMissing(files.readdir(folder), []))
    .map(findFirstWrite)
    .filter((first) => first !== undefined)
    .sort((a, b) => a - b)

/** A whole line of a segment, with its location. `end` is the offset of its line break. */
interface ScannedLine extends JournalLine {
  readonly start: number
  readonly end: number
  /** The outbox changes of the line; undefined when it has none. */
  readonly entrySteps: EntrySteps | undefined
}

/** A damaged stretch of a segment. */
export interface DamagedStretch {
  readonly start: number
  readonly end: number
  /** Numbers of the first and the last write in the stretch; it holds no write when `first` is above `last`. */
  readonly first: number
  readonly last: number
  /** The keys of these writes; undefined when they cannot be determined. */
  readonly keys: readonly string[] | undefined
}

/** The content of a segment. */
interface ScannedSegment {
  readonly size: number
  readonly lines: readonly ScannedLine[]
  readonly damaged: readonly DamagedStretch[]
  /**
   * The end of its whole or damaged lines, with line breaks. The bytes after it are a write that was never finished.
   */
  readonly end: number
  /** Number of the last write, including writes in damaged stretches. */
  readonly lastWrite: number
}

const lineBreak = 0x0a

/** No line contains these bytes. They appear where a file grew and its content did not reach the disk. */
const neverWritten = '\0\0'

const splitLines = (bytes: Buffer): readonly Buffer[] =>
  (bytes.toString('latin1').match(/[^\n]*\n|[^\n]+$/g) ?? []).map((line) => Buffer.from(line, 'latin1'))

const findLines = async (handle: FileHandle, size: number): Promise<readonly ScannedLine[]> => {
  const found: ScannedLine[] = []
  // One string for all lines of a key: there may be hundreds of thousands of lines.
  const keys = new Map<string, string>()
  for await (const lines of readFileLines(handle, size))
    for (const { line, bytes, start } of lines) {
      if (line === undefined) continue
      const { write, batch } = line
      const key = keys.get(line.key) ?? line.key
      keys.set(key, key)
      found.push({ write, batch, key, start, end: start + bytes.length, entrySteps: findEntrySteps(line, bytes) })
    }
  return found
}

/**
 * Finds the end of the writes in the newest segment that reached the disk. A crash leaves a line without its end, or
 * bytes that were never written. Whole lines may follow these bytes, but only lines of the batch whose sync failed.
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
 * Reads a segment. Its first line must be write `after + 1` and its last line write `next - 1`. In the newest segment
 * `next` is undefined, and the last line may be any write. Only the newest segment may end in an unfinished write. Any
 * other incomplete line, and any missing number, is damage.
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
    const hasAllKeys = keys.length === last - lastWrite || last === lastWrite
    damaged.push({ start: wholeEnd, end: stretchEnd, first: lastWrite + 1, last, keys: hasAllKeys ? keys : undefined })
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

/** The location of a write in the journal. */
export interface LineLocation {
  readonly path: string
  readonly write: number
  readonly start: number
  readonly end: number
}

/** A range of write numbers, both ends excluded. Without `before` it has no upper end. */
export interface WriteRange {
  readonly after: number
  readonly before?: number
}

/** A stretch of the journal that cannot be read. */
interface Damage extends DamagedStretch {
  readonly path: string
}

/** A segment that stays after later ones were removed: the number of its first write, and the one after its last. */
export interface Outlier {
  readonly first: number
  readonly next: number
}

type FoundLines = Pick<ScannedSegment, 'lines' | 'damaged'>

/** One file of a journal. */
interface Segment {
  readonly path: string
  readonly first: number
  /** The number after its last write; undefined in the newest segment. */
  next: number | undefined
  /** The last write of each key that the key's own file does not hold yet. */
  readonly unsaved: Map<string, number>
}

/** Finds the journal's lines that no other file holds, and the segments that are needed for them. */
export interface JournalIndex {
  /** The durable outbox entries, according to the lines. */
  readonly outbox: StoredEntries
  readonly damages: readonly Damage[]
  /** Adds the newest segment with its content. `next` is known when a later segment exists. */
  readonly addSegment: (path: string, first: number, found?: FoundLines, next?: number) => void
  /** Records a line of the newest segment; the journal's own lines have no effect. */
  readonly note: (key: string, steps: EntrySteps | undefined, location: LineLocation) => void
  /** Records that a key's own file holds its writes up to this one. */
  readonly noteSaved: (key: string, write: number) => void
  /** Lists the lines of a key, in order; for a removed account only the lines after its removal. */
  readonly list: (key: string, range: WriteRange) => readonly LineLocation[]
  readonly listKeys: () => readonly string[]
  /** The writes that removed accounts whose file may still exist. Earlier writes of these accounts have no effect. */
  readonly removals: ReadonlyMap<string, number>
  /** Finds damage that may concern a key whose own file holds its writes up to `saved`. */
  readonly findDamage: (key: string, saved: number) => Damage | undefined
  /** Finds the number of the last durable write of a key that its own file does not hold. */
  readonly findUnsaved: (key: string) => number | undefined
  /** Lists the keys that still need a segment before the newest one. */
  readonly listUnsavedKeys: () => readonly string[]
  /** Lists the segments that are not needed any more, oldest first; never the newest segment. */
  readonly listNeedless: () => readonly Segment[]
  /** Computes the state after needless segments are removed: the start of the part without gaps, and the outliers. */
  readonly planRemoval: () => { readonly first: number; readonly outliers: readonly Outlier[] }
  /** Drops a removed segment from the index. */
  readonly drop: (segment: Segment) => void
  /** Lists all segments, oldest first. */
  readonly segments: () => readonly Segment[]
}

/** Creates an index without segments. */
export const createJournalIndex = (): JournalIndex => {
  const lines = new Map<string, LineLocation[]>()
  const removals = new Map<string, number>()
  const damages: Damage[] = []
  // Only the removal of an account clears its damage.
  const clearedUpTo = new Map<string, number>()
  const outbox = createStoredEntries()
  let segments: Segment[] = []

  const needSegment = (key: string, write: number): void => {
    const unsaved = segments.at(-1)?.unsaved
    unsaved?.set(key, Math.max(write, unsaved.get(key) ?? 0))
  }

  const note: JournalIndex['note'] = (key, steps, location) => {
    if (key === headKey) return
    needSegment(key, location.write)
    if (steps !== undefined && steps.length > 0) {
      outbox.note(findUserId(key) ?? '', location.write, steps)
      needSegment(registryKey, location.write)
    }
    if (steps === removal) {
      removals.set(key, location.write)
      lines.delete(key)
      return
    }
    const ofKey = lines.get(key)
    if (ofKey === undefined) lines.set(key, [location])
    else ofKey.push(location)
  }

  const noteDamage = (damage: Damage): void => {
    damages.push(damage)
    // The segment stays as long as any key may lack writes of the stretch.
    if (damage.keys === undefined) needSegment(headKey, Number.POSITIVE_INFINITY)
    else for (const key of damage.keys) if (key !== headKey) needSegment(key, damage.last)
  }

  const addSegment: JournalIndex['addSegment'] = (path, first, found, next) => {
    const before = segments.at(-1)
    if (before !== undefined) before.next ??= first
    segments.push({ path, first, next, unsaved: new Map() })
    for (const { key, entrySteps, write, start, end } of found?.lines ?? [])
      note(key, entrySteps, { path, write, start, end })
    for (const stretch of found?.damaged ?? []) noteDamage({ ...stretch, path })
  }

  const noteSaved = (key: string, write: number): void => {
    for (const { unsaved } of segments) if ((unsaved.get(key) ?? Number.POSITIVE_INFINITY) <= write) unsaved.delete(key)
    if (damages.length > 0) clearedUpTo.set(key, write)
    if ((removals.get(key) ?? Number.POSITIVE_INFINITY) <= write) removals.delete(key)
    const left = lines.get(key)?.filter((line) => line.write > write) ?? []
    if (left.length > 0) lines.set(key, left)
    else lines.delete(key)
  }

  const findDamage = (key: string, saved: number): Damage | undefined => {
    const after = Math.max(saved, clearedUpTo.get(key) ?? 0)
    // When the keys of lost writes are unknown, the registry is exempt: otherwise no user could log in.
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
    outbox,
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

/** The segments of a journal by their first writes, oldest first, and the segments that are followed by a gap. */
export interface ListedSegments {
  readonly firstWrites: readonly number[]
  readonly outliers: readonly Outlier[]
}

/** Finds the first segment after which no segment is missing. */
export const findFirstWithoutGap = ({ firstWrites, outliers }: ListedSegments): number | undefined =>
  firstWrites.find((found) => !outliers.some(({ first }) => first === found))

/** A segment with its open file. */
export interface OpenSegment extends ScannedSegment {
  readonly path: string
  readonly handle: FileHandle
  readonly firstWrite: number
  /** The number after its last write; undefined for the newest segment. */
  readonly next: number | undefined
}

/**
 * Reads the segments of a journal, one after the other. Returns the number of the last write.
 * @throws NotAFile, the system's error
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
    // The writes in between were saved, and their removal was recorded.
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

/** A line of one key in the journal, without its line break. */
interface ReadLine {
  readonly write: number
  readonly bytes: Buffer
}

/** Groups of lines. The bytes of a group are valid until the next group. */
export type ReadLines = AsyncIterable<readonly ReadLine[]>

/** Maximum bytes of several lines in one read. */
const windowBytes = 1024 * 1024

/** Groups lines into stretches of one file that are read at once. Only a stretch with a single line may be larger. */
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
  buffer: Buffer,
): Promise<readonly ReadLine[]> => {
  const begin = group[0]?.start ?? 0
  await handle.read(buffer, 0, sizeOf(group), begin)
  return group.map(({ path, start, end, write }) => {
    const bytes = buffer.subarray(start - begin, end - begin)
    if (readLine(bytes)?.write !== write) throw new DamagedFile(`${path} has changed at byte ${start}`)
    return { write, bytes }
  })
}

/** Reads lines again, in order. @throws DamagedFile when a line has changed, the system's error */
export async function* readLines(
  files: FileOperations,
  lines: readonly LineLocation[],
): AsyncGenerator<readonly ReadLine[]> {
  let buffer = Buffer.alloc(0)
  for (const group of groupLines(lines)) {
    if (sizeOf(group) > buffer.length) buffer = Buffer.allocUnsafeSlow(Math.max(sizeOf(group), 2 * buffer.length))
    yield await withHandle(files.open(group[0]?.path ?? '', 'r'), (handle) => readGroup(handle, group, buffer))
  }
}

function* passWrite({ write, bytes }: ReadLine, sink: StepSink): Work<void> {
  if (yield* passSteps(bytes, sink, followOn(sink))) return
  throw new DamagedFile(`the steps of write ${write} are not complete, or do not follow position ${sink.position()}`)
}

/** Passes the steps of writes to an account, in order and in slices. @throws DamagedFile, and what the lines throw */
export const passLines = async (lines: ReadLines, sink: StepSink): Promise<void> => {
  const timer = createSliceTimer()
  for await (const group of lines)
    for (const line of group) {
      for (const _ of passWrite(line, sink)) if (timer.isDue()) await timer.yieldTurn()
      if (timer.isDue()) await timer.yieldTurn()
    }
}
