import { loadKept } from '../account/account.ts'
import { isEmptyAccount } from '../account/account-document.ts'
import { openJournal } from '../journal/journal.ts'
import { encodeChanges, encodeDirectoryChanges, encodeManyChanges, removal } from '../journal/write-steps.ts'
import type { Keeper, KeeperSource } from '../keeper.ts'
import type { StoreLog } from '../store-log.ts'
import { createTurns } from '../turns.ts'
import { createCheckpoints } from './checkpoints.ts'
import { type PreparedFolder, prepareDataFolder } from './data-format.ts'
import { createDiskGuard } from './disk-guard.ts'
import type { FileOperations } from './file-operations.ts'
import { writeFormat } from './format-file.ts'
import {
  directoryKey,
  findUserId,
  loadAccountLines,
  loadKeptAccount,
  loadKeptDirectory,
  showAccountKey,
} from './load-kept.ts'
import { chooseDistance, type Raise } from './raises.ts'
import { openSnapshotFiles } from './snapshot-files.ts'

/** What a file keeper works with. */
export interface FileKeeperOptions {
  readonly folder: string
  readonly files: FileOperations
  readonly log: StoreLog
  /** Unix time in milliseconds. */
  readonly now: () => number
  /** Size at which a segment of the journal is full, and what it holds is saved to the files of its accounts. */
  readonly segmentBytes: number
}

/**
 * Keeps every write as a line of one journal, and brings accounts and the directory to files of their own in the
 * background. Folders that are missing are made, what a crash left unfinished is removed, and a data folder of the
 * format before is brought to this one.
 * @throws StoreFailed when the folder cannot be used
 */
export const openFileKeeper = async (options: FileKeeperOptions): Promise<Keeper> => {
  const { folder, files, log, now, segmentBytes } = options
  const guard = createDiskGuard(log)
  // Keeps a file that is written and one that is removed apart.
  const fileTurns = createTurns()
  // Removals that are durable while the file of the account may still be there.
  const removals = new Map<string, number>()
  let source: KeeperSource | undefined

  const prepared = await guard.writing(() => prepareDataFolder({ folder, files, log }))
  const snapshots = await openSnapshotFiles({ folder, files, log, guard })

  const saveDirectory = async (held: KeeperSource): Promise<void> => {
    const write = journal.findUnsaved(directoryKey)
    if (write === undefined) return
    await snapshots.writeDirectory({ write, document: held.showDirectory() })
    journal.noteSaved(directoryKey, write)
  }

  const saveAccount = async (held: KeeperSource, userId: string): Promise<void> => {
    if (held.showAccount(userId) === undefined) await held.openAccount(userId)
    for (let busy = held.whenVisible(userId); busy !== undefined; busy = held.whenVisible(userId)) await busy
    // What is shown and the number of its last write belong together: nothing may be awaited between them.
    const document = held.showAccount(userId)
    const write = journal.findUnsaved(showAccountKey(userId))
    if (document === undefined || write === undefined) return
    const isRemoved = removals.get(userId) === write || isEmptyAccount(document)
    // What is saved after a raise must not be raised again.
    const snapshot = { write: Math.max(write, raises.at(-1)?.write ?? 0), document }
    await (isRemoved ? snapshots.removeAccount(userId) : snapshots.writeAccount(userId, snapshot))
    // It may have been removed while it was being saved, which is then still to do.
    if ((removals.get(userId) ?? 0) <= write) removals.delete(userId)
    journal.noteSaved(showAccountKey(userId), write)
  }

  const save = (key: string): Promise<void> =>
    fileTurns.take(key, async () => {
      const userId = findUserId(key)
      if (source === undefined) return
      if (key === directoryKey) await saveDirectory(source)
      else if (userId !== undefined) await saveAccount(source, userId)
    })

  const checkpoints = createCheckpoints(() => journal, save, log)
  const journal = await openJournal({
    folder: prepared.journalFolder,
    files,
    log,
    guard,
    segmentBytes,
    onFull: checkpoints.ask,
    findLastSaved: snapshots.findLastSaved,
  })
  const raises = await raisePositions(prepared).catch(async (error: unknown) => {
    await journal.close()
    throw error
  })

  /** What was restored before, and now if the folder is a copy. */
  async function raisePositions({ place, isCopy, raises }: PreparedFolder): Promise<readonly Raise[]> {
    if (!isCopy) return raises
    const write = await journal.mark(JSON.stringify('restored'))
    const raised = [...raises, { write, by: chooseDistance(now()) }]
    await guard.writing(() => writeFormat(folder, files, { place, raises: raised }))
    log.warn({ folder, write }, `${folder} was restored or copied; the positions of all accounts are raised`)
    return raised
  }

  const removeAccount = async (userId: string): Promise<void> => {
    const key = showAccountKey(userId)
    await new Promise<void>((resolve, failed) => {
      const kept = (): void => {
        removals.set(userId, journal.findUnsaved(key) ?? 0)
        resolve()
      }
      journal.append({ key, steps: JSON.stringify(removal), kept, failed })
    })
    await checkpoints.saveOrReport(key)
  }

  return {
    loadDirectory: () => loadKeptDirectory(snapshots, journal),
    keepDirectory: (changes, outcome) =>
      journal.append({ key: directoryKey, steps: encodeDirectoryChanges(changes), ...outcome }),
    loadAccount: async (userId, begin) => {
      const parts = { snapshots, journal, raises, removedAt: removals.get(userId) }
      return (await loadAccountLines(userId, parts, begin)) ?? loadKept(begin, await loadKeptAccount(userId, parts))
    },
    keepAccount: (userId, changes, outcome) =>
      journal.append({
        key: showAccountKey(userId),
        steps: 'encoded' in changes ? changes.encoded : encodeChanges(changes),
        ...outcome,
      }),
    encodeChanges: encodeManyChanges,
    removeAccount,
    releaseAccount: async (userId) => {
      const key = showAccountKey(userId)
      await save(key)
      return journal.findUnsaved(key) === undefined
    },
    begin: (held) => {
      source = held
      checkpoints.ask()
    },
    check: snapshots.check,
    close: async () => {
      await journal.settle()
      await checkpoints.settle()
      await journal.close()
    },
  }
}
