import { runBySize, type Work } from '../../slices.ts'
import type { DiskGuard } from '../disk/disk-guard.ts'
import { removeFile, syncFolder } from '../disk/durable-json-file.ts'
import { encodeLine } from '../record/journal-line.ts'
import { removal } from '../record/write-steps.ts'
import { StoreFailed } from '../store.ts'
import { type Commit, countBytes, createGroupCommit } from './group-commit.ts'
import type { JournalIndex, LinePlace, WriteRange } from './journal-index.ts'
import { type ReadLines, readLines } from './read-lines.ts'
import { type JournalParts, recoverJournal } from './recover-journal.ts'
import { createSegment, headKey } from './segment-file.ts'

/** What an account and the registry are read from beside their files. */
export interface JournalReader extends Pick<JournalIndex, 'errands' | 'removals' | 'findDamage'> {
  readonly folder: string
  /** Number of the last write that is durable. */
  readonly lastWrite: () => number
  /** The lines of a key that stand in no file of its own. */
  readonly read: (key: string, range: WriteRange) => ReadLines
}

/** The writes of all accounts and of the registry, in one order, until they stand in files of their own. */
export interface Journal
  extends JournalReader,
    Pick<JournalIndex, 'findUnsaved' | 'noteSaved' | 'listUnsavedKeys' | 'segments'> {
  /** Number of the last write before which nothing was damaged when it was opened. */
  readonly lastWhole: () => number
  /** Makes a write durable, together with all others that wait. */
  readonly append: (commit: Commit) => void
  /** Adds a line of the journal's own; gives its number, which is above all others. @throws StoreFailed */
  readonly mark: (steps: string) => Promise<number>
  /** Begins a new segment now: what is before it can be brought to other files, and then be removed. @throws StoreFailed */
  readonly rotate: () => Promise<void>
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
  readonly noteRemoval: (left: ReturnType<JournalIndex['planRemoval']>) => Promise<void>
}

/** How long a write that may wait waits for one that may not. */
const mostWaitMs = 20

/** Pieces that are written together: each writing costs, and so does copying. */
const mostJoined = 64 * 1024

/** A batch with more bytes than this is encoded in slices. */
const mostAtOnce = 512 * 1024

const joinPieces = (pieces: readonly Buffer[]): readonly Buffer[] => {
  const groups: Buffer[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const piece of pieces) {
    size += piece.length
    if (size <= mostJoined) groups.at(-1)?.push(piece)
    else {
      groups.push([piece])
      size = piece.length
    }
  }
  return groups.map((group) => (group.length === 1 ? (group[0] as Buffer) : Buffer.concat(group)))
}

/** The lines of a batch that is to stand at a place, in pieces, and where each of them stands then. */
function* encodeBatch(
  batch: readonly Commit[],
  { path, write: first, start }: Omit<LinePlace, 'end'>,
): Work<{ readonly pieces: readonly Buffer[]; readonly places: readonly LinePlace[] }> {
  const pieces: Buffer[] = []
  const places: LinePlace[] = []
  let next = start
  for (const [index, { key, steps }] of batch.entries()) {
    const line = yield* encodeLine({ write: first + index, batch: first, key }, steps)
    pieces.push(...line)
    const lineStart = next
    for (const { length } of line) next += length
    places.push({ path, write: first + index, start: lineStart, end: next - 1 })
  }
  return { pieces: joinPieces(pieces), places }
}

/** Opens the journal in a folder that exists; makes it when there is none. @throws StoreFailed */
export const openJournal = async (options: JournalOptions): Promise<Journal> => {
  const { folder, files, log, guard, segmentBytes, onFull, onCommit, noteRemoval } = options
  const { index, ...recovered } = await guard.writing(() => recoverJournal(options))
  let { newest, lastWrite } = recovered
  let fullSize = segmentBytes
  // What an account held that was removed is to leave the journal soon.
  let mustRotate = index.removals.size > 0
  // Where the lines of the batch stand that became durable last.
  let places: readonly LinePlace[] = []

  const appendBatch = async (batch: readonly Commit[]): Promise<void> => {
    const place = { path: newest.path, write: lastWrite + 1, start: newest.size() }
    const encoded = await runBySize(encodeBatch(batch, place), countBytes(batch) > mostAtOnce)
    await newest.append(encoded.pieces)
    places = encoded.places
  }

  const makeDurable = async (batch: readonly Commit[]): Promise<void> => {
    const begin = performance.now()
    await guard.writing(() => appendBatch(batch))
    onCommit(batch.length, performance.now() - begin)
  }

  const noteDurable = ({ key, errands }: Commit): void => {
    lastWrite += 1
    const place = places[lastWrite - (places[0]?.write ?? 0)]
    if (place !== undefined) index.note(key, errands, place)
    mustRotate ||= errands === removal
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
    index.addSegment(newest.path, lastWrite)
    onFull()
  }

  let rotation = Promise.resolve()
  const afterBatch = (): Promise<void> => {
    rotation = beginSegment()
    return rotation
  }
  const commits = createGroupCommit(makeDurable, afterBatch, mostWaitMs)

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
          // One by one: of those without a gap between them none must outlive a later one.
          await syncFolder(files, folder)
          index.drop(segment)
        }
      })
    },
    settle: commits.settle,
    close: () => newest.close(),
  }
}
