import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, realpath, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Logger } from 'pino'
import { isDatabaseUrl } from '../config/setting-kinds.ts'
import type { Settings } from '../config/settings-table.ts'
import { systemEnvironment } from '../environment.ts'
import type { Observers } from '../http/request-log.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { isSystemError } from '../store/disk/files.ts'
import type { Store } from '../store/store.ts'
import { isInside, type WrittenBackup, writeBackup, writeBackupTo } from '../store/tools/backup.ts'
import { CommandFailed } from './command-errors.ts'
import { listStoreText } from './piecewise-jobs.ts'

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

const mostShownCharacters = 500

/**
 * Gives a backup to a command of the shell, on its standard input. It is made when the command has read all of it and
 * ended with 0.
 * @throws CommandFailed with what the command said
 */
async function pipeBackup(
  shellCommand: string,
  items: AsyncIterable<string>,
  createdAt: number,
): Promise<WrittenBackup> {
  const child = spawn('/bin/sh', ['-c', shellCommand], { stdio: ['pipe', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(-mostShownCharacters)
  })
  const ended = once(child, 'close') as Promise<[number | null]>
  // Each write is told; a command that ended early fails them.
  child.stdin.on('error', () => undefined)
  const write = (bytes: Buffer) =>
    new Promise<void>((resolve, reject) => {
      child.stdin.write(bytes, (error) => (error ? reject(error) : resolve()))
    })
  const written = await writeBackupTo(write, items, createdAt).catch((error: NodeJS.ErrnoException) => {
    child.stdin.destroy()
    if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED') return undefined
    child.kill()
    throw error
  })
  child.stdin.end()
  const [exitCode] = await ended
  if (exitCode !== 0 || written === undefined) {
    const why = said.trim() === '' ? '' : `: ${said.trim()}`
    throw new CommandFailed(
      `backup_command ended with ${exitCode ?? 'a signal'}${written ? '' : ' before its input did'}${why}`,
    )
  }
  return written
}

/** How backups on a schedule are going. Times are Unix time in seconds. */
export interface BackupState {
  readonly last: number | null
  readonly next: number
  /** Why the newest try failed; null when it did not. */
  readonly problem: string | null
}

/** Backups that are made while a server runs. */
export interface ScheduledBackups {
  readonly state: () => BackupState
  /** Begins none any more, and resolves when the one that is being made is done. */
  readonly close: () => Promise<void>
}

/** What schedules need of the world, so that a test needs no day. */
interface BackupSchedule {
  readonly everySeconds: number
  /** When the newest one was made (Unix time in seconds), if one is known. */
  readonly last: number | undefined
  /** Makes one; gives a sentence about it. @throws when it could not be made */
  readonly make: () => Promise<string>
  /** Unix time in milliseconds. */
  readonly now: () => number
  readonly log: Pick<Logger, 'info' | 'error'>
  readonly metrics?: Metrics | undefined
}

/** A timer for days would be wrong after a suspended night, and after a month it would be none. */
const lookMilliseconds = 30_000
/** After one that failed; sooner where they are made more often. */
const retrySeconds = 3600

/** Makes backups from now on: the first when the newest is old enough, at once when there is none. */
export const openScheduledBackups = (
  schedule: BackupSchedule,
): ScheduledBackups & { readonly look: () => Promise<void> } => {
  const { everySeconds, make, now, log, metrics } = schedule
  const seconds = (): number => Math.floor(now() / 1000)
  let last = schedule.last
  let next = last === undefined ? seconds() : last + everySeconds
  let problem: string | null = null
  let running = Promise.resolve()
  let isClosed = false

  const lookOnce = async (): Promise<void> => {
    // A clock that was set back must not put off the next one for longer than they are apart.
    next = Math.min(next, seconds() + everySeconds)
    if (isClosed || seconds() < next) return
    const begun = seconds()
    try {
      log.info(`backup: ${await make()}`)
      last = begun
      next = begun + everySeconds
      problem = null
    } catch (error) {
      // It was given up, so that the server can stop.
      if (isClosed) return
      problem = error instanceof Error ? error.message : String(error)
      next = seconds() + Math.min(retrySeconds, everySeconds)
      // Whatever it was, the server goes on; an operator has to know.
      log.error({ err: error }, `the backup failed: ${problem}`)
    }
    metrics?.noteBackup(problem === null)
  }
  const look = (): Promise<void> => {
    running = running.then(lookOnce)
    return running
  }
  const timer = setInterval(look, lookMilliseconds).unref()
  return {
    look,
    state: () => ({ last: last ?? null, next, problem }),
    close: async () => {
      isClosed = true
      clearInterval(timer)
      await running
    },
  }
}

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
  const now = () => systemEnvironment.now()
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
