/*
 * The journal: one append-only log of the writes of all accounts and of the registry. A write is durable when its line
 * is here; a checkpoint later copies lines to the files of accounts and removes needless segments. The journal knows
 * keys, numbers and bytes, and must not know what a step means, except outbox changes and removals.
 * Start with `openJournal`; `journal-index.ts` finds lines and names segments.
 */
import type { FileHandle } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { runBySize, runToEnd, type Work } from '../../scheduling.ts'
import { type Inventory, missingAdvice } from '../disk/directory.ts'
import {
  copyDurable,
  type FileOperations,
  isSystemError,
  readBytes,
  removeFile,
  replaceFile,
  SyncError,
  syncFolder,
} from '../disk/files.ts'
import { checkOwnership, type DiskGuard, type Ownership, OwnershipLost } from '../disk/ownership.ts'
import type { EntrySteps } from '../outbox/outbox.ts'
import { removal } from '../record/change-text.ts'
import { encodeLine } from '../record/checked-lines.ts'
import { StoreError, type StoreLog } from '../store.ts'
import {
  createJournalIndex,
  type DamagedStretch,
  findFirstWithoutGap,
  headKey,
  type JournalIndex,
  type LineLocation,
  type ListedSegments,
  listFirstWrites,
  locateSegment,
  type OpenSegment,
  type ReadLines,
  readLines,
  scanJournal,
  type WriteRange,
} from './journal-index.ts'

/** A segment that accepts lines at its end. */
interface SegmentFile {
  readonly path: string
  readonly size: () => number
  /**
   * Appends UTF-8 text, in pieces, and waits until it is on disk.
   * @throws SyncError when the content of the disk is unknown; OwnershipLost when another process writes the journal;
   * the system's error when the disk holds no part of the text
   */
  readonly append: (pieces: readonly Buffer[]) => Promise<void>
  readonly close: () => Promise<void>
}

/** The dependencies of writing segments. */
interface SegmentContext {
  readonly files: FileOperations
  readonly folder: string
  /** A folder of the same file system for new files that have no final name yet. */
  readonly asideFolder: string
  readonly ownership: Ownership
}

/** Creates a segment from a file that is open for appending, with the known size of the file. */
const useSegment = async (
  { files, folder, ownership }: SegmentContext,
  path: string,
  handle: FileHandle,
  startSize: number,
): Promise<SegmentFile> => {
  const { ino } = await files.stat(path, { bigint: true })
  let size = startSize

  /** Checks that no other process made the file grow or replaced it. */
  const checkSize = async (expected: number): Promise<void> => {
    const found = await files.stat(path, { bigint: true }).catch((error: unknown) => {
      throw isSystemError(error, 'ENOENT') ? new OwnershipLost(`${path} was removed`, error) : error
    })
    if (found.ino !== ino || found.size !== BigInt(expected))
      throw new OwnershipLost(`${path} was changed by another process`)
  }

  const undoAppend = async (tried: number): Promise<unknown> => {
    try {
      await checkOwnership(folder, ownership)
      if ((await handle.stat()).size > size + tried) throw new OwnershipLost(`${path} was changed by another process`)
      await handle.truncate(size)
      await handle.datasync()
      return undefined
    } catch (error) {
      return error
    }
  }

  const write = async (pieces: readonly Buffer[]): Promise<void> => {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
    try {
      for (const piece of pieces) await handle.appendFile(piece)
    } catch (error) {
      const failure = await undoAppend(length)
      throw failure === undefined ? error : new SyncError(path, true, failure)
    }
    try {
      await handle.datasync()
    } catch (error) {
      // A write that was reported as failed must not be there after a restart.
      await undoAppend(length)
      throw new SyncError(path, true, error)
    }
  }

  return {
    path,
    size: () => size,
    append: async (pieces) => {
      await checkSize(size)
      await write(pieces)
      const written = pieces.reduce((sum, piece) => sum + piece.length, size)
      await checkOwnership(folder, ownership)
      await checkSize(written).catch((error: unknown) => {
        // The text is on disk, so the write cannot be reported as failed.
        throw isSystemError(error) ? new SyncError(path, true, error) : error
      })
      size = written
    },
    close: () => handle.close(),
  }
}

const version = 1

const encodeHead = (firstWrite: number): Buffer =>
  Buffer.concat(
    runToEnd(
      encodeLine({ write: firstWrite, batch: firstWrite, key: headKey }, [
        Buffer.from(JSON.stringify({ format: 'thingsync journal', version })),
      ]),
    ),
  )

/**
 * Creates a segment, with its head. The file is opened before it gets its name, and gets its name when it is on disk.
 * So where no file can be opened, there is no such segment.
 * @throws SyncError when the content of the disk is unknown, OwnershipLost; the system's error when there is no such
 * segment
 */
export const createSegment = async (context: SegmentContext, firstWrite: number): Promise<SegmentFile> => {
  const path = locateSegment(context.folder, firstWrite)
  const head = encodeHead(firstWrite)
  let handle: FileHandle | undefined
  try {
    await replaceFile({ ...context, path }, [head], async (aside) => {
      handle = await context.files.open(aside, 'a')
    })
    return await useSegment(context, path, handle as FileHandle, head.length)
  } catch (error) {
    await handle?.close()
    throw error
  }
}

/**
 * Replaces the newest segment by a copy that only the new owner has open. Late appends of a suspended owner then go to
 * a file without a name. @throws SyncError, OwnershipLost, the system's error
 */
const replaceSegment = (context: SegmentContext, path: string): Promise<void> => copyDurable(path, { ...context, path })

/** The state of the newest segment after a scan. */
interface FoundEnd {
  readonly size: number
  /** The offset after its last whole line, with the line break, which counts even if it is missing. */
  readonly end: number
  /** False when that line break is missing. */
  readonly isEnded: boolean
  readonly firstWrite: number
}

/**
 * Opens the newest segment for more writes. It cuts off what follows `end`, restores a missing last line break, and
 * writes a head that a crash prevented.
 */
const continueSegment = async (
  context: SegmentContext,
  path: string,
  { size, end, isEnded, firstWrite }: FoundEnd,
): Promise<SegmentFile> => {
  const { files, folder, ownership } = context
  const handle = await files.open(path, 'a', 0o600)
  try {
    const wholeEnd = isEnded ? end : end - 1
    // Checked after the file is open: a later owner copies the file (`ownership.ts`).
    await checkOwnership(folder, ownership)
    if (size !== wholeEnd) await handle.truncate(wholeEnd)
    const segment = await useSegment(context, path, handle, wholeEnd)
    if (end === 0) await segment.append([encodeHead(firstWrite)])
    else await segment.append([Buffer.from(isEnded ? '' : '\n')])
    await syncFolder(files, dirname(path))
    return segment
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** One write on its way to the disk. The journal calls exactly one of the two callbacks, in the order of the writes. */
export interface Commit {
  readonly key: string
  /** The write's steps as JSON, in pieces. */
  readonly steps: readonly Buffer[]
  /** The outbox changes among the steps. The registry's file must also hold them before the journal drops the write. */
  readonly entrySteps?: EntrySteps
  /** True for a write without a waiting client: it goes to the disk with the next urgent write. */
  readonly mayWait?: boolean
  /** Makes the write visible; called when it is on disk. */
  readonly durable: () => void
  readonly failed: (error: unknown) => void
}

/** Brings writes to the disk in batches of all writes that wait. */
interface GroupCommit {
  readonly add: (commit: Commit) => void
  /** Resolves when no write waits. */
  readonly settle: () => Promise<void>
}

const maxBatchLength = 16 * 1024 * 1024

const lengthOf = (steps: Commit['steps']): number => steps.reduce((sum, piece) => sum + piece.length, 0)

/** Counts the bytes of the steps of some writes. */
const countBytes = (commits: readonly Commit[]): number => commits.reduce((sum, { steps }) => sum + lengthOf(steps), 0)

const takeBatch = (waiting: Commit[]): readonly Commit[] => {
  let length = 0
  const end = waiting.findIndex(({ steps }, index) => {
    length += lengthOf(steps)
    return index > 0 && length > maxBatchLength
  })
  return waiting.splice(0, end === -1 ? waiting.length : end)
}

/**
 * Creates a group commit: while one batch is on its way, the next batch gathers. `makeDurable` makes a batch durable or
 * throws. After an error all waiting writes fail with it, because later writes build on earlier ones. `afterBatch` runs
 * before the next batch. A write that may wait starts no batch for `maxDelayMs`, because the cost of a batch is far
 * higher than the cost of its writes.
 */
export const createGroupCommit = (
  makeDurable: (batch: readonly Commit[]) => Promise<void>,
  afterBatch: () => Promise<void>,
  maxDelayMs: number,
): GroupCommit => {
  const waiting: Commit[] = []
  let isUrgent = false
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined

  const run = async (): Promise<void> => {
    while (isUrgent && waiting.length > 0) {
      clearTimeout(timer)
      timer = undefined
      const batch = takeBatch(waiting)
      isUrgent = waiting.length > 0
      try {
        await makeDurable(batch)
      } catch (error) {
        for (const { failed } of [...batch, ...waiting.splice(0)]) failed(error)
        continue
      }
      for (const { durable } of batch) durable()
      await afterBatch()
    }
    running = undefined
  }

  const commitNow = (): void => {
    isUrgent = true
    running ??= run()
  }

  return {
    add: (commit) => {
      waiting.push(commit)
      if (commit.mayWait !== true) commitNow()
      else timer ??= setTimeout(commitNow, maxDelayMs)
    },
    settle: async () => {
      while (waiting.length > 0 || running !== undefined) {
        commitNow()
        await running
      }
    },
  }
}

/** A journal after recovery, ready for new writes. */
interface RecoveredJournal {
  readonly index: JournalIndex
  readonly newest: SegmentFile
  readonly lastWrite: number
}

/** The dependencies of recovery. */
interface JournalParts extends SegmentContext {
  readonly log: StoreLog
  /** The inventory of the journal when it was last recorded; undefined when it never was. */
  readonly known: Pick<Inventory, 'first' | 'write' | 'outliers'> | undefined
}

const reportDamage = async (
  { files, log }: JournalParts,
  { path, handle }: OpenSegment,
  { start, end, first, last, keys }: DamagedStretch,
): Promise<void> => {
  const copy = `${path}.damaged-${start}`
  await files.writeFile(copy, await readBytes(handle, start, end), { mode: 0o600 })
  const whose = keys === undefined ? 'of unknown accounts, so no account with older files is served' : keys.join(', ')
  log.error(
    { file: path, offset: start, bytes: end - start, writes: [first, last], copy },
    `${path} is damaged at byte ${start} (${whose}); repair the line there, replace its checksum with --------, ` +
      `and restart; a copy of the damaged bytes is ${basename(copy)}`,
  )
}

/**
 * Logs what is cut off the newest segment. It first copies the bytes if they hold more than the beginning of a line.
 */
const copyCut = async (
  { files, log }: JournalParts,
  path: string,
  { cut, lastWrite }: { readonly cut: Buffer; readonly lastWrite: number },
): Promise<void> => {
  if (cut.length === 0) return
  const hasLines = cut.includes('\n')
  const copy = `${path}.cut-${crc32(cut).toString(16).padStart(8, '0')}`
  if (hasLines) await files.writeFile(copy, cut, { mode: 0o600 })
  log.warn(
    { file: path, bytes: cut.length, ...(hasLines ? { copy } : {}) },
    `cut ${cut.length} bytes off ${path}: a write that was interrupted before it was acknowledged, unless ` +
      `something else changed the file; the last whole write is ${lastWrite}`,
  )
}

/** Checks that no part of the journal is lost. After a loss, the same numbers and positions would be used again. */
const checkLoss = (
  { folder, known }: JournalParts,
  listed: ListedSegments,
  end: { readonly path: string; readonly lastWrite: number } | undefined,
): void => {
  if (known === undefined) return
  const firstFound = findFirstWithoutGap(listed)
  const lost =
    listed.outliers.find(({ first }) => !listed.firstWrites.includes(first))?.first ??
    (firstFound === undefined || firstFound > known.first ? known.first : undefined)
  if (lost !== undefined) throw new StoreError(`${locateSegment(folder, lost)} is missing; ${missingAdvice}`)
  if (end !== undefined && end.lastWrite < known.write)
    throw new StoreError(
      `${end.path} has lost its end: it ends at write ${end.lastWrite}, and write ${known.write} was on disk; ${missingAdvice}`,
    )
}

/** Reads all segments, and creates the first one when there is none. @throws StoreError when a part is lost */
const recoverJournal = async (parts: JournalParts): Promise<RecoveredJournal> => {
  const { folder, files, known, ownership } = parts
  const index = createJournalIndex()
  const listed = { firstWrites: await listFirstWrites(files, folder), outliers: known?.outliers ?? [] }
  checkLoss(parts, listed, undefined)
  const newestFound = listed.firstWrites.at(-1)
  if (newestFound === undefined) {
    const newest = await createSegment(parts, 1)
    index.addSegment(newest.path, 1)
    return { index, newest, lastWrite: 1 }
  }
  if (ownership.mayHavePreviousOwner) await replaceSegment(parts, locateSegment(folder, newestFound))

  let newest = undefined as SegmentFile | undefined
  const continueNewest = async ({ path, handle, firstWrite, size, end, lastWrite }: OpenSegment): Promise<void> => {
    checkLoss(parts, listed, { path, lastWrite: end === 0 ? firstWrite - 1 : lastWrite })
    await copyCut(parts, path, { cut: await readBytes(handle, end, size), lastWrite })
    const isEnded = end === 0 || (await readBytes(handle, end - 1, end)).toString() === '\n'
    newest = await continueSegment(parts, path, { size, end, isEnded, firstWrite })
  }

  const recover = async (segment: OpenSegment): Promise<void> => {
    const { path, firstWrite, next } = segment
    index.addSegment(path, firstWrite, segment, next)
    for (const stretch of segment.damaged) await reportDamage(parts, segment, stretch)
    if (next === undefined) await continueNewest({ ...segment, lastWrite: Math.max(segment.lastWrite, firstWrite) })
  }

  const lastWrite = await scanJournal(files, folder, listed, recover)
  if (newest === undefined) throw new Error(`${folder} has no newest segment`)
  return { index, newest, lastWrite: Math.max(lastWrite, newestFound) }
}

/** The parts of the journal that the loading of an account and the registry needs. */
export interface JournalReader extends Pick<JournalIndex, 'outbox' | 'removals' | 'findDamage'> {
  readonly folder: string
  /** Number of the last durable write. */
  readonly lastWrite: () => number
  /** Reads the lines of a key that are not in its own file. */
  readonly read: (key: string, range: WriteRange) => ReadLines
}

/** The writes of all accounts and of the registry, in one order, until their own files hold them. */
export interface Journal
  extends JournalReader,
    Pick<JournalIndex, 'findUnsaved' | 'noteSaved' | 'listUnsavedKeys' | 'segments'> {
  /** Number of the last write before any damage that was found at the opening. */
  readonly lastWhole: () => number
  /** Makes a write durable, together with all other waiting writes. */
  readonly append: (commit: Commit) => void
  /** Appends a line of the journal's own. Returns its number, which is above all others. @throws StoreError */
  readonly mark: (steps: string) => Promise<number>
  /** Begins a new segment now. Then the earlier segments can be saved to other files and removed. @throws StoreError */
  readonly rotate: () => Promise<void>
  /** Removes the segments that are not needed. */
  readonly removeNeedless: () => Promise<void>
  /** Resolves when no write waits for the disk. */
  readonly settle: () => Promise<void>
  readonly close: () => Promise<void>
}

/** The options of a journal. */
interface JournalOptions extends JournalParts {
  readonly guard: DiskGuard
  /** Size at which a new segment begins. */
  readonly segmentBytes: number
  /** Called when a segment is full and its lines should be saved. */
  readonly onFull: () => void
  /** Called after each batch of writes became durable. */
  readonly onCommit: (writes: number, milliseconds: number) => void
  /** Records, before segments are removed, what remains in the journal. */
  readonly noteRemoval: (left: ReturnType<JournalIndex['planRemoval']>) => Promise<void>
}

/** How long a write that may wait waits for an urgent write, in milliseconds. */
const maxWaitMs = 20

/** Maximum bytes of pieces that are joined: each system call has a cost, and so does copying. */
const maxJoined = 64 * 1024

/** A batch with more bytes than this is encoded in slices. */
const maxAtOnce = 512 * 1024

const joinPieces = (pieces: readonly Buffer[]): readonly Buffer[] => {
  const groups: Buffer[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const piece of pieces) {
    size += piece.length
    if (size <= maxJoined) groups.at(-1)?.push(piece)
    else {
      groups.push([piece])
      size = piece.length
    }
  }
  return groups.map((group) => (group.length === 1 ? (group[0] as Buffer) : Buffer.concat(group)))
}

/** Encodes a batch for an offset in the journal. Returns the lines in pieces, and the location of each line. */
function* encodeBatch(
  batch: readonly Commit[],
  { path, write: first, start }: Omit<LineLocation, 'end'>,
): Work<{ readonly pieces: readonly Buffer[]; readonly locations: readonly LineLocation[] }> {
  const pieces: Buffer[] = []
  const locations: LineLocation[] = []
  let next = start
  for (const [index, { key, steps }] of batch.entries()) {
    const line = yield* encodeLine({ write: first + index, batch: first, key }, steps)
    pieces.push(...line)
    const lineStart = next
    for (const { length } of line) next += length
    locations.push({ path, write: first + index, start: lineStart, end: next - 1 })
  }
  return { pieces: joinPieces(pieces), locations }
}

/** Opens the journal in an existing folder, and creates it when there is none. @throws StoreError */
export const openJournal = async (options: JournalOptions): Promise<Journal> => {
  const { folder, files, log, guard, segmentBytes, onFull, onCommit, noteRemoval } = options
  const { index, ...recovered } = await guard.writing(() => recoverJournal(options))
  let { newest, lastWrite } = recovered
  let fullSize = segmentBytes
  // The data of a removed account should leave the journal soon.
  let mustRotate = index.removals.size > 0
  // The line locations of the batch that became durable last.
  let locations: readonly LineLocation[] = []

  const appendBatch = async (batch: readonly Commit[]): Promise<void> => {
    const location = { path: newest.path, write: lastWrite + 1, start: newest.size() }
    const encoded = await runBySize(encodeBatch(batch, location), countBytes(batch) > maxAtOnce)
    await newest.append(encoded.pieces)
    locations = encoded.locations
  }

  const makeDurable = async (batch: readonly Commit[]): Promise<void> => {
    const begin = performance.now()
    await guard.writing(() => appendBatch(batch))
    onCommit(batch.length, performance.now() - begin)
  }

  const noteDurable = ({ key, entrySteps }: Commit): void => {
    lastWrite += 1
    const location = locations[lastWrite - (locations[0]?.write ?? 0)]
    if (location !== undefined) index.note(key, entrySteps, location)
    mustRotate ||= entrySteps === removal
  }

  const beginSegment = async (): Promise<void> => {
    if (newest.size() < fullSize && !mustRotate) return
    mustRotate = false
    try {
      const next = await guard.writing(() => createSegment(options, lastWrite + 1))
      await newest.close()
      newest = next
      fullSize = segmentBytes
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      // The full segment stays in use. A failed disk was logged already, and the next write fails.
      log.warn({ err: error }, `${folder}: no new segment can be created for now: ${error.message}`)
      fullSize = newest.size() + segmentBytes
      return
    }
    lastWrite += 1
    index.addSegment(newest.path, lastWrite)
    onFull()
  }

  let rotation = Promise.resolve()
  const afterBatch = (): Promise<void> => {
    rotation = beginSegment()
    return rotation
  }
  const commits = createGroupCommit(makeDurable, afterBatch, maxWaitMs)

  const append = (commit: Commit): void =>
    commits.add({
      ...commit,
      durable: () => {
        noteDurable(commit)
        commit.durable()
      },
    })

  const mark: Journal['mark'] = (steps) =>
    new Promise((resolve, failed) =>
      append({ key: headKey, steps: [Buffer.from(steps)], durable: () => resolve(lastWrite), failed }),
    )

  return {
    ...index,
    folder,
    lastWrite: () => lastWrite,
    lastWhole: () => Math.min(lastWrite, ...index.damages.map(({ first }) => first - 1)),
    append,
    mark,
    read: (key, range) => readLines(files, index.list(key, range)),
    rotate: async () => {
      if (index.segments().every(({ unsaved }) => unsaved.size === 0)) return
      mustRotate = true
      await mark(JSON.stringify('checkpoint'))
      await rotation
    },
    removeNeedless: async () => {
      const needless = index.listNeedless()
      if (needless.length === 0) return
      await noteRemoval(index.planRemoval())
      await guard.writing(async () => {
        for (const segment of needless) {
          await removeFile(files, segment.path)
          // One by one: within a row without gaps, no segment may outlive a later one after a crash.
          await syncFolder(files, folder)
          index.drop(segment)
        }
      })
    },
    settle: commits.settle,
    close: () => newest.close(),
  }
}
