import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

// Sorted by name they are sorted by time; nothing else in the folder is ever touched.
const form = /^thingsync-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ)\.ndjson\.gz$/

/** Backups in a folder that were made on a schedule, the oldest first. */
export const listBackups = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder)).filter((name) => form.test(name)).sort()

/** The file of one that is made at a time (Unix seconds). */
export const nameBackup = (seconds: number): string =>
  `thingsync-${new Date(seconds * 1000).toISOString().slice(0, 19).replaceAll(':', '-')}Z.ndjson.gz`

/** When a backup was begun (Unix seconds), by its name. */
export const readBackupTime = (name: string): number => {
  const [date, time = ''] = (form.exec(name)?.[1] ?? '').split('T')
  return Date.parse(`${date}T${time.replaceAll('-', ':')}`) / 1000
}

/** Removes all but the newest; gives the names of what was removed. */
export const rotateBackups = async (folder: string, keep: number): Promise<readonly string[]> => {
  const removed = (await listBackups(folder)).slice(0, -keep)
  for (const name of removed) await rm(join(folder, name), { force: true })
  return removed
}
