import { basename } from 'node:path'
import { runBySize, type Work } from '../../slices.ts'
import type { DiskGuard } from '../disk/disk-guard.ts'
import { removeFile, syncFolder } from '../disk/durable-json-file.ts'
import type { KeptErrands } from '../errands/kept-errands.ts'
import { findUserId, registryKey } from '../record/journal-keys.ts'
import { encodeLine } from '../record/journal-line.ts'
import type { StepSink } from '../record/step-sink.ts'
import { removal } from '../record/write-steps.ts'
import { StoreFailed } from '../store.ts'
import type { Damage, RecoveredLine, WriteRange } from './found-lines.ts'
import { type Commit, countBytes, createGroupCommit } from './group-commit.ts'
import { copyLines, loadLines } from './load-lines.ts'
import { type KeptWrite, readLines } from './read-lines.ts'
import { type JournalParts, recoverJournal } from './recover-journal.ts'
import { createSegment, findFirstWrite, headKey } from './segment-file.ts'
import type { Segments } from './segments.ts'

/** The writes of all accounts and of the registry, in one order, until they stand in files of their own. */
export interface Journal {
  readonly folder: string
  /** The errands of all accounts; those that stand in no line of it any more are for the reader to add. */
  readonly errands: KeptErrands
  /** Number of the last write that is durable. */
  readonly lastWrite: () => number
  /** Number of the last write before which nothing was damaged when it was opened. */
  readonly lastWhole: () => number
  /** Number of the first write in it. */
  readonly firstWrite: () => number
  /** Makes a write durable, together with all others that wait. */
  readonly append: (commit: Commit) => void
  /** Adds a line of the journal's own; gives its number, which is above all others. @throws StoreFailed */
  readonly mark: (steps: string) => Promise<number>
  /** What was found of a key, after a write, when the journal was opened and has not been saved since. */
  readonly readWrites: (key: string, after: number) => Promise<readonly KeptWrite[]>
  /** Hands on those after one, and before another one, that are in no file of the account. @throws DamagedFile, LineChanged */
  readonly loadWrites: (key: string, range: WriteRange, sink: StepSink) => Promise<void>
  /** The bytes of their lines, some at once. @throws LineChanged */
  readonly copyWrites: (key: string, range: WriteRange) => AsyncIterable<Buffer>
  /** The write that removed an account which may have a file still; nothing before it counts. */
  readonly findRemoval: (key: string) => number | undefined
  /** Damage that an account may have suffered, when its own file holds its writes up to `saved`. */
  readonly findDamage: (key: string, saved: number) => Damage | undefined
  /** The same of damage that is known to be one of this key, however much there is of which that cannot be told. */
  readonly findNamedDamage: (key: string, saved: number) => Damage | undefined
  /** The number of the last write of a key that is durable, visible, and not in its own file. */
  readonly findUnsaved: (key: string) => number | undefined
  /** To be told that a key's own file holds its writes up to this one. */
  readonly noteSaved: (key: string, write: number) => void
  /** Begins a new segment now: what is before it can be brought to other files, and then be removed. @throws StoreFailed */
  readonly rotate: () => Promise<void>
  /** Number of its segments, without the newest. */
  readonly countOld: () => number
  /** Keys that keep segments from being removed. */
  readonly listUnsavedKeys: () => readonly string[]
  /** Removes the segments that nobody needs. */
  readonly removeNeedless: () => Promise<void>
  /** Resolves when nothing waits to be written. */
  readonly settle: () => Promise<void>
  readonly close: () => Promise<void>
}

/** What a journal needs beside its folder. */
export interface JournalOptions extends JournalParts {
  readonly guard: DiskGuard
  /** A new segment is begun when one has this many bytes. */
  readonly segmentBytes: number
  /** Called when a segment has become full, as the time to save what is in it. */
  readonly onFull: () => void
  /** Told of each batch of writes that became durable. */
  readonly onCommit: (writes: number, milliseconds: number) => void
  /** To write down, before segments are removed, what the journal will hold from now on. */
  readonly noteRemoval: (left: ReturnType<Segments['planRemoval']>) => Promise<void>
}

/** How long a write that may wait waits for one that may not. */
const mostWaitMs = 20

const readFirstWrite = (path: string): number => findFirstWrite(basename(path)) ?? 0

/** Pieces that are written together: each writing costs, and so does copying. */
const mostJoined = 64 * 1024

/** A batch with more bytes than this is encoded in slices. */
const mostAtOnce = 512 * 1024

const joinPieces = (pieces: readonly Buffer[]): readonly Buffer[] => {
  const joined: Buffer[] = []
  let [start, size] = [0, 0]
  const flush = (end: number): void => {
    if (end > start)
      joined.push(end - start === 1 ? (pieces[start] as Buffer) : Buffer.concat(pieces.slice(start, end), size))
    ;[start, size] = [end, 0]
  }
  for (const [index, { length }] of pieces.entries()) {
    if (size + length > mostJoined) flush(index)
    size += length
  }
  flush(pieces.length)
  return joined
}

/** The lines of a batch, in pieces, and how many bytes each line takes without its break. */
interface EncodedBatch {
  readonly pieces: readonly Buffer[]
  readonly sizes: readonly number[]
}

/** The lines of a batch whose first write has this number. */
function* joinLines(batch: readonly Commit[], first: number): Work<EncodedBatch> {
  const pieces: Buffer[] = []
  const sizes: number[] = []
  for (const [index, { key, steps }] of batch.entries()) {
    const line = yield* encodeLine({ write: first + index, batch: first, key }, steps)
    pieces.push(...line)
    sizes.push(line.reduce((sum, { length }) => sum + length, -1))
  }
  return { pieces: joinPieces(pieces), sizes }
}

const encodeBatch = (batch: readonly Commit[], first: number): EncodedBatch | Promise<EncodedBatch> =>
  runBySize(joinLines(batch, first), countBytes(batch) > mostAtOnce)

/** Opens the journal in a folder that exists; makes it when there is none. @throws StoreFailed */
export const openJournal = async (options: JournalOptions): Promise<Journal> => {
  const { folder, files, log, guard, segmentBytes, onFull, onCommit, noteRemoval } = options
  const { segments, found, ...recovered } = await guard.writing(() => recoverJournal(options))
  const { lines, removals, damages, errands } = found
  // Only accounts that were removed get beyond their damage.
  const overcome = new Map<string, number>()
  let { newest, lastWrite } = recovered
  let fullSize = segmentBytes
  // What an account held that was removed is to leave the journal soon.
  let mustRotate = removals.size > 0

  // Where the lines of the batch that was kept last begin and end.
  let places: RecoveredLine[] = []

  const appendBatch = async (batch: readonly Commit[]): Promise<void> => {
    const first = lastWrite + 1
    const { pieces, sizes } = await encodeBatch(batch, first)
    const { path } = newest
    let start = newest.size()
    await newest.append(pieces)
    places = sizes.map((size, index) => {
      const place = { path, write: first + index, start, end: start + size }
      start += size + 1
      return place
    })
  }

  const keep = async (batch: readonly Commit[]): Promise<void> => {
    const begin = performance.now()
    await guard.writing(() => appendBatch(batch))
    onCommit(batch.length, performance.now() - begin)
  }

  // Those of the registry are made of what is in memory when they are saved.
  const noteLine = ({ key, errands: steps }: Commit, write: number): void => {
    const place = places[write - (places[0]?.write ?? write)]
    if (key === headKey || key === registryKey || place === undefined) return
    if (steps === removal) {
      mustRotate = true
      removals.set(key, write)
      lines.delete(key)
      return
    }
    const ofKey = lines.get(key)
    if (ofKey === undefined) lines.set(key, [place])
    else ofKey.push(place)
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
      if (!(error instanceof StoreFailed)) throw error
      // The full segment goes on; a disk that is lost has been logged, and refuses the next write.
      log.warn({ err: error }, `${folder} takes no new file for now: ${error.message}`)
      fullSize = newest.size() + segmentBytes
      return
    }
    lastWrite += 1
    segments.add(newest.path, readFirstWrite(newest.path))
    onFull()
  }

  let rotation = Promise.resolve()
  const afterBatch = (): Promise<void> => {
    rotation = beginSegment()
    return rotation
  }
  const commits = createGroupCommit(keep, afterBatch, mostWaitMs)

  const noteErrands = ({ key, errands: steps = [] }: Commit, write: number): void => {
    const userId = findUserId(key)
    if (userId === undefined || steps.length === 0) return
    errands.note(userId, write, steps)
    segments.noteLine(registryKey, write)
  }

  const append = (commit: Commit): void =>
    commits.add({
      ...commit,
      kept: () => {
        lastWrite += 1
        if (commit.key !== headKey) segments.noteLine(commit.key, lastWrite)
        noteLine(commit, lastWrite)
        noteErrands(commit, lastWrite)
        commit.kept()
      },
    })

  const mark: Journal['mark'] = (steps) =>
    new Promise((resolve, failed) =>
      append({ key: headKey, steps: [Buffer.from(steps)], kept: () => resolve(lastWrite), failed }),
    )

  return {
    folder,
    errands,
    lastWrite: () => lastWrite,
    lastWhole: () => Math.min(lastWrite, ...damages.map(({ first }) => first - 1)),
    firstWrite: () => readFirstWrite(segments.oldest() ?? newest.path),
    append,
    mark,
    readWrites: (key, after) =>
      guard.reading(() => readLines(files, found.list(key, { after, before: Number.POSITIVE_INFINITY }))),
    loadWrites: (key, range, sink) => guard.reading(() => loadLines(files, found.list(key, range), sink)),
    copyWrites: (key, range) => copyLines(files, found.list(key, range)),
    findRemoval: (key) => removals.get(key),
    findDamage: (key, saved) => found.findDamage(key, Math.max(saved, overcome.get(key) ?? 0)),
    findNamedDamage: (key, saved) => found.findNamedDamage(key, Math.max(saved, overcome.get(key) ?? 0)),
    rotate: async () => {
      if (!segments.hasUnsaved()) return
      mustRotate = true
      await mark(JSON.stringify('checkpoint'))
      await rotation
    },
    findUnsaved: segments.findUnsaved,
    noteSaved: (key, write) => {
      segments.noteSaved(key, write)
      if (damages.length > 0) overcome.set(key, write)
      if ((removals.get(key) ?? Number.POSITIVE_INFINITY) <= write) removals.delete(key)
      const left = lines.get(key)?.filter((line) => line.write > write) ?? []
      if (left.length > 0) lines.set(key, left)
      else lines.delete(key)
    },
    countOld: segments.countOld,
    listUnsavedKeys: segments.listUnsavedKeys,
    removeNeedless: async () => {
      const needless = segments.listNeedless()
      if (needless.length === 0) return
      await noteRemoval(segments.planRemoval())
      await guard.writing(async () => {
        for (const segment of needless) {
          await removeFile(files, segment.path)
          // One by one: of those without a gap between them none must outlive a later one.
          await syncFolder(files, folder)
          segments.drop(segment)
        }
      })
    },
    settle: commits.settle,
    close: () => newest.close(),
  }
}
