import { basename, join } from 'node:path'
import { loadKept } from '../account/account.ts'
import { isEmptyAccount } from '../account/account-document.ts'
import { errandChangesOf } from '../change.ts'
import { openJournal } from '../journal/journal.ts'
import { directoryKey, findUserId, showAccountKey } from '../journal/journal-keys.ts'
import { encodeChanges, encodeDirectoryChanges, encodeManyChanges, removal } from '../journal/write-steps.ts'
import type { Keeper, KeeperSource } from '../keeper.ts'
import { StoreFailed } from '../store.ts'
import type { StoreLog } from '../store-log.ts'
import { createTurns } from '../turns.ts'
import { createCheckpoints } from './checkpoints.ts'
import { type PreparedFolder, prepareDataFolder } from './data-format.ts'
import { createDiskGuard } from './disk-guard.ts'
import type { FileOperations } from './file-operations.ts'
import { writeFormat } from './format-file.ts'
import { createInventoryKeeper } from './inventory.ts'
import { loadAccountLines, loadKeptAccount, loadKeptDirectory } from './load-kept.ts'
import { listAccountFiles, missingAdvice } from './missing-files.ts'
import { guardNames, type Ownership } from './ownership.ts'
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
  readonly ownership: Ownership
}

/** What must be there and what is; says what is not. */
const nameKnownAccounts = (
  { folder, log }: FileKeeperOptions,
  { inventory }: PreparedFolder,
  paths: readonly string[],
): ReadonlySet<string> => {
  const found = new Set(paths.map((path) => basename(path)))
  const missing = inventory?.accounts.filter((name) => !found.has(name)) ?? []
  if (missing.length > 0)
    log.error(
      { folder, missing },
      `${missing.length} files of accounts are missing (${missing.slice(0, 3).join(', ')}); these accounts are not ` +
        `served; ${missingAdvice}`,
    )
  return new Set([...missing, ...found])
}

/**
 * Keeps every write as a line of one journal, and brings accounts and the directory to files of their own in the
 * background. Folders that are missing are made, what a crash left unfinished is removed, and a data folder of the
 * format before is brought to this one.
 * @throws StoreFailed when the folder cannot be used
 */
export const openFileKeeper = async (options: FileKeeperOptions): Promise<Keeper> => {
  const { folder, log, now, segmentBytes, ownership } = options
  const files = guardNames(options.files, folder, ownership)
  const guard = createDiskGuard(log)
  // Keeps a file that is written and one that is removed apart.
  const fileTurns = createTurns()
  // Removals that are durable while the file of the account may still be there.
  const removals = new Map<string, number>()
  let source: KeeperSource | undefined

  const prepared = await guard.writing(() => prepareDataFolder({ folder, files, log }))
  const found = await guard.reading(() => listAccountFiles(files, folder))
  const inventory = createInventoryKeeper(nameKnownAccounts(options, prepared, found), (accounts, first = 0) => {
    firstWrite = Math.max(firstWrite, first)
    const known = { at: Math.floor(now() / 1000), first: firstWrite, write: journal.lastWrite(), accounts }
    return guard.writing(() => writeFormat(folder, files, { place: prepared.place, raises, inventory: known }))
  })
  const snapshots = await openSnapshotFiles({ folder, files, log, guard, inventory })

  const saveDirectory = async (held: KeeperSource): Promise<void> => {
    const write = journal.findUnsaved(directoryKey)
    if (write === undefined) return
    // What is shown, the errands, and the number of the last write belong together: nothing is awaited between them.
    const errands = journal.errands.list()
    const errandsWrite = Math.min(write, journal.lastWhole())
    await snapshots.writeDirectory({ write, document: held.showDirectory(), errands, errandsWrite })
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
    ownership,
    asideFolder: join(folder, 'unfinished'),
    known: prepared.inventory,
    onFull: checkpoints.ask,
    noteFirst: (first) => inventory.save(first),
  })
  // Before its removal is written down the oldest file of the journal must be there.
  let firstWrite = Math.max(journal.firstWrite(), prepared.inventory?.first ?? 0)
  let raises = prepared.raises
  try {
    if (prepared.isCopy) raises = await raisePositions(prepared)
    if (prepared.isCopy || prepared.inventory === undefined) await inventory.save()
  } catch (error) {
    await journal.close()
    throw error
  }

  /** What was restored before, and now. */
  async function raisePositions({ raises: before, inventory: known }: PreparedFolder): Promise<readonly Raise[]> {
    const write = await journal.mark(JSON.stringify('restored'))
    log.warn({ folder, write }, `${folder} was restored or copied; the positions of all accounts are raised`)
    return [...before, { write, by: chooseDistance(now(), known?.at) }]
  }

  const removeAccount = async (userId: string): Promise<void> => {
    const key = showAccountKey(userId)
    await new Promise<void>((resolve, failed) => {
      const kept = (): void => {
        removals.set(userId, journal.findUnsaved(key) ?? 0)
        resolve()
      }
      journal.append({ key, steps: JSON.stringify(removal), errands: removal, kept, failed })
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
    keepAccount: (userId, changes, outcome, haste) =>
      journal.append({
        key: showAccountKey(userId),
        steps: 'encoded' in changes ? changes.encoded : encodeChanges(changes),
        errands: 'encoded' in changes ? changes.errands : errandChangesOf(changes),
        mayWait: haste === 'soon',
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
      try {
        await inventory.save()
      } catch (error) {
        // Without it nothing is wrong; only losses that come later may go untold.
        if (!(error instanceof StoreFailed)) throw error
        log.warn({ err: error }, `${folder} was closed without a word of what it holds: ${error.message}`)
      }
      await journal.close()
    },
  }
}
