import { mkdir, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Settings } from '../config/settings-table.ts'
import { isDatabaseUrl } from '../config/store-place.ts'
import type { Observers } from '../http/log-requests.ts'
import { isSystemError } from '../store/disk/file-operations.ts'
import type { Store } from '../store/store.ts'
import { isInside } from '../store/tools/backup/check-target.ts'
import { writeBackup } from '../store/tools/backup/write-backup.ts'
import { systemWorld } from '../world.ts'
import { listBackups, nameBackup, readBackupTime, rotateBackups } from './backup-folder.ts'
import { CommandFailed } from './command-failed.ts'
import { listStoreText } from './copies.ts'
import { pipeBackup } from './pipe-backup.ts'
import { openScheduledBackups, type ScheduledBackups } from './scheduled-backups.ts'

/**
 * Begins to make backups when the settings ask for them.
 * @throws CommandFailed when the folder cannot be used
 */
export async function startBackups(
  store: Store,
  settings: Settings,
  { log, metrics }: Observers,
): Promise<ScheduledBackups | undefined> {
  const { backupEvery: everySeconds, backupFolder: folder, backupCommand } = settings
  if (everySeconds === undefined) return undefined
  const dataFolder = isDatabaseUrl(settings.store) ? undefined : settings.data
  const now = () => systemWorld.now()
  const last = folder === undefined ? undefined : await prepareFolder(folder, dataFolder)
  let isStopping = false
  async function* listUntilStopped(): AsyncGenerator<string> {
    for await (const text of listStoreText(store)) {
      if (isStopping) throw new CommandFailed('the server stops')
      yield text
    }
  }
  const make = async (): Promise<string> => {
    const createdAt = Math.floor(now() / 1000)
    const text = listUntilStopped()
    if (folder === undefined) {
      const { bytes } = await pipeBackup(backupCommand ?? '', text, createdAt)
      return `${bytes} bytes given to backup_command`
    }
    const file = join(folder, nameBackup(createdAt))
    const { bytes } = await writeBackup({ file, dataFolder }, text, createdAt)
    const removed = await rotateBackups(folder, settings.backupKeep)
    return `${bytes} bytes written to ${file}${removed.length === 0 ? '' : `; removed ${removed.join(', ')}`}`
  }
  if (isDatabaseUrl(settings.store))
    log.info('backups: this server makes its own of the whole database; give backup_every to one server')
  const backups = openScheduledBackups({ everySeconds, last, make, now, log, metrics })
  void backups.look()
  return {
    state: backups.state,
    close: () => {
      isStopping = true
      return backups.close()
    },
  }
}

/** Makes the folder if it is missing; gives when the newest backup in it was made. */
async function prepareFolder(folder: string, dataFolder: string | undefined): Promise<number | undefined> {
  try {
    if (dataFolder !== undefined && (await isInside(await findPresent(folder), dataFolder)))
      throw new CommandFailed(`backup_folder: ${folder} is in the data folder; name a folder somewhere else`)
    await makeMissing(folder)
    const newest = (await listBackups(folder)).at(-1)
    return newest === undefined ? undefined : readBackupTime(newest)
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw new CommandFailed(`backup_folder: ${folder} cannot be used (${error.code})`)
  }
}

/** The folder, or the nearest one above it that is there. */
async function findPresent(folder: string): Promise<string> {
  try {
    return await realpath(folder)
  } catch (error) {
    if (!isSystemError(error, 'ENOENT') || dirname(folder) === folder) throw error
    return findPresent(dirname(folder))
  }
}

/** Not `recursive`: where the system takes no names in a folder that is there (`/proc`), Node would try for ever. */
async function makeMissing(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    if (isSystemError(error, 'EEXIST')) return
    if (!isSystemError(error, 'ENOENT') || (await findPresent(dirname(folder))) === dirname(folder)) throw error
    await makeMissing(dirname(folder))
    await mkdir(folder, { mode: 0o700 })
  }
}
