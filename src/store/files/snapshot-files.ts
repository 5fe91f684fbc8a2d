import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { BeginLoading } from '../account/account.ts'
import type { AccountDocument } from '../account/account-document.ts'
import { StoreFailed } from '../store.ts'
import type { StoreLog } from '../store-log.ts'
import { accountForm, emptyAccountSnapshot } from './account-file.ts'
import { showAccountPath } from './account-path.ts'
import { copyDamaged, listDamagedCopies } from './damaged-copy.ts'
import { type DirectorySnapshot, directoryForm, emptyDirectorySnapshot } from './directory-file.ts'
import type { DiskGuard } from './disk-guard.ts'
import {
  type DurableFile,
  discardAside,
  makeFolder,
  readDurable,
  removeFile,
  syncFolder,
  writeAside,
  writeDurable,
} from './durable-json-file.ts'
import type { FileOperations } from './file-operations.ts'
import type { InventoryKeeper } from './inventory.ts'
import { type LoadedAccount, loadAccountFile } from './load-account-file.ts'
import { missingAdvice } from './missing-files.ts'
import { DamagedFile } from './sealed-json.ts'
import type { Snapshot } from './snapshot.ts'

/** The files of accounts, and of the directory and all errands, each replaced as a whole. All throw StoreFailed. */
export interface SnapshotFiles {
  readonly readDirectory: () => Promise<DirectorySnapshot>
  readonly writeDirectory: (snapshot: DirectorySnapshot) => Promise<void>
  readonly readAccount: (userId: string) => Promise<Snapshot<AccountDocument>>
  /** Loads an account line by line; undefined when its file is not exactly what was written. */
  readonly loadAccount: (userId: string, begin: BeginLoading) => Promise<LoadedAccount | undefined>
  readonly writeAccount: (userId: string, snapshot: Snapshot<AccountDocument>) => Promise<void>
  /** Removes the file of an account, and the copies that were made of it. */
  readonly removeAccount: (userId: string) => Promise<void>
  /** Writes a file and removes it. */
  readonly check: () => Promise<void>
}

/** What snapshot files work with. */
export interface SnapshotFilesOptions {
  readonly folder: string
  readonly files: FileOperations
  readonly log: StoreLog
  readonly guard: DiskGuard
  readonly inventory: InventoryKeeper
}

/** Opens the files in a data folder; makes its folders. @throws StoreFailed */
export const openSnapshotFiles = async (options: SnapshotFilesOptions): Promise<SnapshotFiles> => {
  const { folder, files, log, inventory } = options
  const { reading, writing } = options.guard
  const accountsFolder = join(folder, 'accounts')
  const asideFolder = join(folder, 'unfinished')
  const folders = new Set<string>()
  const damaged = new Map<string, StoreFailed>()

  const keepFolder = async (path: string): Promise<void> => {
    if (!folders.has(path)) await makeFolder(files, path)
    folders.add(path)
  }

  const noteDamage = async (path: string, cause: DamagedFile): Promise<StoreFailed> => {
    const copy = await copyDamaged(files, path)
    const advice = 'repair it (and take its checksum line out) or put a backup in its place, then restart'
    log.error({ file: path, copy, reason: cause.message }, `${path} is damaged: ${cause.message}; ${advice}`)
    const failed = new StoreFailed(`${path} is damaged: ${cause.message}`, { cause })
    damaged.set(path, failed)
    return failed
  }

  const read = <Value>(file: DurableFile<Value>, fallback: Value): Promise<Value> =>
    reading(async () => {
      const known = damaged.get(file.path)
      if (known !== undefined) throw known
      try {
        return await readDurable(file, fallback)
      } catch (error) {
        throw error instanceof DamagedFile ? await noteDamage(file.path, error) : error
      }
    })

  const write = <Value>(file: DurableFile<Value>, value: Value): Promise<void> =>
    writing(async () => {
      await keepFolder(dirname(file.path))
      await writeDurable(file, value)
    })

  const accountFile = (userId: string) => ({
    path: join(accountsFolder, showAccountPath(userId)),
    asideFolder,
    form: accountForm(userId),
    files,
  })
  const directoryFile = { path: join(folder, 'directory.json'), asideFolder, form: directoryForm, files }

  const removeAccount = (userId: string): Promise<void> =>
    writing(async () => {
      const { path } = accountFile(userId)
      await keepFolder(dirname(path))
      await inventory.noteRemoval(userId)
      for (const copy of await listDamagedCopies(files, path)) await removeFile(files, copy)
      await removeFile(files, path)
      await syncFolder(files, dirname(path))
      damaged.delete(path)
    })

  const check = (): Promise<void> =>
    writing(async () => {
      const probe = join(asideFolder, `check.${randomUUID()}`)
      try {
        await writeAside(files, probe, ['{}\n'])
      } finally {
        await discardAside(files, probe)
      }
    })

  await writing(async () => {
    for (const path of [accountsFolder, asideFolder]) await keepFolder(path)
  })

  return {
    readDirectory: () => read(directoryFile, emptyDirectorySnapshot),
    writeDirectory: (snapshot) => write(directoryFile, snapshot),
    readAccount: async (userId) => {
      const file = accountFile(userId)
      const snapshot = await read(file, emptyAccountSnapshot)
      if (snapshot === emptyAccountSnapshot && inventory.hasAccount(userId))
        throw new StoreFailed(`${file.path} is missing; ${missingAdvice}`)
      return snapshot
    },
    loadAccount: (userId, begin) =>
      reading(async () => {
        const file = accountFile(userId)
        if (damaged.has(file.path)) return undefined
        const loaded = await loadAccountFile(file, userId, begin)
        // Whose file is missing is found out where files are read as a whole.
        return loaded?.write === 0 && inventory.hasAccount(userId) ? undefined : loaded
      }),
    writeAccount: async (userId, snapshot) => {
      await write(accountFile(userId), snapshot)
      inventory.noteWritten(userId)
    },
    removeAccount,
    check,
  }
}
