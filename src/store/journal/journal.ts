import { basename } from 'node:path'
import type { AccountLoading } from '../account/account.ts'
import type { DiskGuard } from '../files/disk-guard.ts'
import { removeFile, syncFolder } from '../files/durable-json-file.ts'
import { StoreFailed } from '../store.ts'
import { type Commit, createGroupCommit } from './group-commit.ts'
import { directoryKey, findUserId } from './journal-keys.ts'
import { encodeLine, encodeLongLine } from './journal-line.ts'
import type { KeptErrands } from './kept-errands.ts'
import { loadLines } from './load-lines.ts'
import { type KeptWrite, readLines } from './read-lines.ts'
import { type Damage, type JournalParts, recoverJournal } from './recover-journal.ts'
import { createSegment, findFirstWrite, headKey } from './segment-file.ts'

/** The writes of all accounts and of the directory, in one order, until they stand in files of their own. */
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
  /** What was found of a key when the journal was opened and has not been saved since. */
  readonly readWrites: (key: string) => Promise<readonly KeptWrite[]>
  /** Makes those after one, and before another one, again in an account; see `loadLines`. */
  readonly loadWrites: (key: string, range: WriteRange, loading: AccountLoading) => Promise<boolean>
  /** Damage that an account may have suffered, when its own file holds its writes up to `saved`. */
  readonly findDamage: (key: string, saved: number) => Damage | undefined
  /** The number of the last write of a key that is durable, visible, and not in its own file. */
  readonly findUnsaved: (key: string) => number | undefined
  /** To be told that a key's own file holds its writes up to this one. */
  readonly noteSaved: (key: string, write: number) => void
  /** Keys that keep segments from being removed. */
  readonly listUnsavedKeys: () => readonly string[]
  /** Removes the segments that nobody needs. */
  readonly removeNeedless: () => Promise<void>
  /** Resolves when nothing waits to be written. */
  readonly settle: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Writes by their numbers, these two not included. */
export interface WriteRange {
  readonly after: number
  readonly before: number
}

/** What a journal needs beside its folder. */
export interface JournalOptions extends JournalParts {
  readonly guard: DiskGuard
  /** A new segment is begun when one has this many bytes. */
  readonly segmentBytes: number
  /** Called when a segment has become full, as the time to save what is in it. */
  readonly onFull: () => void
  /** To write down, before segments are removed, that the journal begins with this write from now on. */
  readonly noteFirst: (firstWrite: number) => Promise<void>
}

/** How long a write that may wait waits for one that may not. */
const mostWaitMs = 20

const readFirstWrite = (path: string): number => findFirstWrite(basename(path)) ?? 0

/** The lines of a batch whose first write has this number, in pieces. */
const joinLines = (batch: readonly Commit[], first: number): readonly Buffer[] => {
  const pieces: Buffer[] = []
  let text = ''
  const flush = (): void => {
    if (text !== '') pieces.push(Buffer.from(text))
    text = ''
  }
  for (const [index, { key, steps }] of batch.entries()) {
    const line = { write: first + index, batch: first, key }
    if (typeof steps === 'string') text += encodeLine(line, steps)
    else {
      flush()
      pieces.push(...encodeLongLine(line, steps))
    }
  }
  flush()
  return pieces
}

/** Opens the journal in a folder that exists; makes it when there is none. @throws StoreFailed */
export const openJournal = async (options: JournalOptions): Promise<Journal> => {
  const { folder, files, log, guard, segmentBytes, onFull, noteFirst } = options
  const { segments, lines, damages, errands, ...recovered } = await guard.writing(() => recoverJournal(options))
  // Only accounts that were removed get beyond their damage.
  const overcome = new Map<string, number>()
  let { newest, lastWrite } = recovered
  let fullSize = segmentBytes

  const keep = (batch: readonly Commit[]): Promise<void> =>
    guard.writing(() => newest.append(joinLines(batch, lastWrite + 1)))

  const beginSegment = async (): Promise<void> => {
    if (newest.size() < fullSize) return
    try {
      const next = await guard.writing(() => createSegment(options, lastWrite + 1))
      await newest.close()
      newest = next
      fullSize = segmentBytes
    } catch (error) {
      if (!(error instanceof StoreFailed)) throw error
      // The full segment goes on; a disk that is lost has been logged, and refuses the next write.
      log.warn({ err: error }, `${folder} takes no new file for now`)
      fullSize = newest.size() + segmentBytes
      return
    }
    lastWrite += 1
    segments.add(newest.path)
    onFull()
  }

  const firstNeeded = (): number => readFirstWrite(segments.firstNeeded() ?? newest.path)

  const commits = createGroupCommit(keep, beginSegment, mostWaitMs)

  const noteErrands = ({ key, errands: steps = [] }: Commit, write: number): void => {
    const userId = findUserId(key)
    if (userId === undefined || steps.length === 0) return
    errands.note(userId, write, steps)
    segments.noteLine(directoryKey, write)
  }

  const append = (commit: Commit): void =>
    commits.add({
      ...commit,
      kept: () => {
        lastWrite += 1
        if (commit.key !== headKey) segments.noteLine(commit.key, lastWrite)
        noteErrands(commit, lastWrite)
        commit.kept()
      },
    })

  return {
    folder,
    errands,
    lastWrite: () => lastWrite,
    lastWhole: () => Math.min(lastWrite, ...damages.map(({ first }) => first - 1)),
    firstWrite: () => readFirstWrite(segments.oldest() ?? newest.path),
    append,
    mark: (steps) =>
      new Promise((resolve, failed) => append({ key: headKey, steps, kept: () => resolve(lastWrite), failed })),
    readWrites: (key) => guard.reading(() => readLines(files, lines.get(key) ?? [])),
    loadWrites: (key, { after, before }, loading) =>
      guard.reading(() => {
        const wanted = (lines.get(key) ?? []).filter(({ write }) => write > after && write < before)
        return loadLines(files, wanted, loading)
      }),
    findDamage: (key, saved) => {
      const whole = Math.max(saved, overcome.get(key) ?? 0)
      return damages.find(({ keys, last }) => last > whole && (keys?.includes(key) ?? true))
    },
    findUnsaved: segments.findUnsaved,
    noteSaved: (key, write) => {
      segments.noteSaved(key, write)
      if (damages.length > 0) overcome.set(key, write)
      const left = lines.get(key)?.filter((line) => line.write > write) ?? []
      if (left.length > 0) lines.set(key, left)
      else lines.delete(key)
    },
    listUnsavedKeys: segments.listUnsavedKeys,
    removeNeedless: async () => {
      if (segments.findNeedless() === undefined) return
      const first = firstNeeded()
      await noteFirst(first)
      await guard.writing(async () => {
        for (let path = segments.findNeedless(); path !== undefined; path = segments.findNeedless()) {
          if (readFirstWrite(path) >= first) return
          await removeFile(files, path)
          // One by one: a segment must not outlive a later one.
          await syncFolder(files, folder)
          segments.dropOldest()
        }
      })
    },
    settle: commits.settle,
    close: () => newest.close(),
  }
}
