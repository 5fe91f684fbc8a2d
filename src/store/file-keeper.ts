import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import { emptyAccount } from './account-document.ts'
import { accountForm } from './account-file.ts'
import { showAccountPath } from './account-path.ts'
import { copyDamaged, listDamagedCopies } from './damaged-copy.ts'
import { directoryForm } from './directory-file.ts'
import { emptyDirectory } from './directory-state.ts'
import { createDiskGuard } from './disk-guard.ts'
import {
  type DurableFile,
  discardAside,
  readDurable,
  removeFile,
  SyncFailed,
  syncFolder,
  writeAside,
  writeDurable,
} from './durable-json-file.ts'
import { type FileOperations, isSystemError } from './file-operations.ts'
import type { Keeper, States } from './keeper.ts'
import { DamagedFile } from './sealed-json.ts'
import { StoreFailed } from './store.ts'
import type { StoreLog } from './store-log.ts'

/** What a file keeper works with. */
export interface FileKeeperOptions {
  readonly folder: string
  readonly files: FileOperations
  readonly log: StoreLog
}

/**
 * Keeps each account and the directory in a JSON file of its own, written whole. Folders that are missing are made,
 * and what a crash left unfinished is removed.
 * @throws StoreFailed when the folder cannot be used
 */
export const openFileKeeper = async ({ folder, files, log }: FileKeeperOptions): Promise<Keeper> => {
  const accountsFolder = join(folder, 'accounts')
  const asideFolder = join(folder, 'unfinished')
  const folders = new Set<string>()
  const damaged = new Map<string, StoreFailed>()
  const { reading, writing } = createDiskGuard(log)

  const keepFolder = async (path: string): Promise<void> => {
    if (folders.has(path)) return
    try {
      await files.mkdir(path, { mode: 0o700 })
    } catch (error) {
      if (!isSystemError(error, 'EEXIST')) throw error
    }
    await syncFolder(files, dirname(path))
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

  const load = <Value>(file: DurableFile<Value>, fallback: Value): Promise<Value> =>
    reading(async () => {
      const known = damaged.get(file.path)
      if (known !== undefined) throw known
      try {
        return await readDurable(file, fallback)
      } catch (error) {
        throw error instanceof DamagedFile ? await noteDamage(file.path, error) : error
      }
    })

  const putBack = async <Value>(file: DurableFile<Value>, value: Value): Promise<void> => {
    try {
      await writeDurable(file, value)
    } catch (error) {
      if (error instanceof SyncFailed && error.isReplaced) return
      log.error({ err: error, file: file.path }, `${file.path} may hold a change that was answered as failed`)
    }
  }

  const keep = <Value>(file: DurableFile<Value>, { before, next }: States<Value>): Promise<void> =>
    writing(async () => {
      await keepFolder(dirname(file.path))
      try {
        await writeDurable(file, next())
      } catch (error) {
        if (error instanceof SyncFailed && error.isReplaced) await putBack(file, before())
        throw error
      }
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
    const made = await files.mkdir(folder, { recursive: true, mode: 0o700 })
    if (made !== undefined) await syncFolder(files, dirname(folder))
    for (const path of [accountsFolder, asideFolder]) await keepFolder(path)
    for (const name of await files.readdir(asideFolder)) {
      await files.unlink(join(asideFolder, name))
      log.warn({ file: name }, `removed ${name}, which an interrupted write had left unfinished; nothing was lost`)
    }
  })

  return {
    loadDirectory: () => load(directoryFile, emptyDirectory),
    keepDirectory: (states) => keep(directoryFile, states),
    loadAccount: (userId) => load(accountFile(userId), emptyAccount),
    keepAccount: (userId, _changes, states) => keep(accountFile(userId), states),
    removeAccount,
    check,
  }
}
