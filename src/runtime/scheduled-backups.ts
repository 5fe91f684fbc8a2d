import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, realpath, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Logger } from 'pino'
import type { Settings } from '../config/settings-table.ts'
import { isDatabaseUrl } from '../config/settings-table.ts'
import { systemEnvironment } from '../environment.ts'
import type { Observers } from '../http/request-log.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { isSystemError } from '../store/disk/files.ts'
import type { Store } from '../store/store.ts'
import { isInside, type WrittenBackup, writeBackup, writeBackupTo } from '../store/tools/backup.ts'
import { CommandFailed } from './command-errors.ts'
import { listStoreText } from './piecewise-jobs.ts'

// The order of the names is the order of the times. The server never touches other files in the folder.
const form = /^thingsync-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ)\.ndjson\.gz$/

/** Lists the scheduled backups in a folder, the oldest first. */
export const listBackups = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder)).filter((name) => form.test(name)).sort()

/** Returns the file name of a backup that is begun at a time (Unix time in seconds). */
export const nameBackup = (seconds: number): string =>
  `thingsync-${new Date(seconds * 1000).toISOString().slice(0, 19).replaceAll(':', '-')}Z.ndjson.gz`

/** Reads from the name of a backup when it was begun (Unix time in seconds). */
export const readBackupTime = (name: string): number => {
  const [date, time = ''] = (form.exec(name)?.[1] ?? '').split('T')
  return Date.parse(`${date}T${time.replaceAll('-', ':')}`) / 1000
}

/** Removes all scheduled backups but the newest `keep`, and returns their names. */
export const rotateBackups = async (folder: string, keep: number): Promise<readonly string[]> => {
  const removed = (await listBackups(folder)).slice(0, -keep)
  for (const name of removed) await rm(join(folder, name), { force: true })
  return removed
}

const maxShownCharacters = 500

/**
 * Pipes a backup into a shell command. The backup is complete when the command has read all of it and has ended with 0.
 * @throws CommandFailed with the end of the command's standard error
 */
async function pipeBackup(
  shellCommand: string,
  items: AsyncIterable<string>,
  createdAt: number,
): Promise<WrittenBackup> {
  const child = spawn('/bin/sh', ['-c', shellCommand], { stdio: ['pipe', 'ignore', 'pipe'] })
  let errorOutput = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errorOutput = `${errorOutput}${chunk}`.slice(-maxShownCharacters)
  })
  const ended = once(child, 'close') as Promise<[number | null]>
  // The callback of each write gets the error of a command that ended early.
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
    const why = errorOutput.trim() === '' ? '' : `: ${errorOutput.trim()}`
    throw new CommandFailed(
      `backup_command ended with ${exitCode ?? 'a signal'}${written ? '' : ' before it had read all input'}${why}`,
    )
  }
  return written
}

/** The state of scheduled backups. Times are Unix time in seconds. */
export interface BackupState {
  readonly last: number | null
  readonly next: number
  /** Why the last attempt failed; null when it did not fail. */
  readonly problem: string | null
}

/** Backups that a running server creates. */
export interface ScheduledBackups {
  readonly state: () => BackupState
  /** Stops the schedule, and resolves when the running backup has ended. */
  readonly close: () => Promise<void>
}

/** The options of a schedule, with a clock, so that a test does not wait. */
interface BackupSchedule {
  readonly everySeconds: number
  /** When the newest backup was begun (Unix time in seconds), if one is known. */
  readonly last: number | undefined
  /** Creates a backup, and returns a sentence about it. @throws when it cannot be created */
  readonly create: () => Promise<string>
  /** Unix time in milliseconds. */
  readonly now: () => number
  readonly log: Pick<Logger, 'info' | 'error'>
  readonly metrics?: Metrics | undefined
}

/**
 * A short interval: a timer for days is wrong after a suspended night, and Node has no timers for more than 24 days.
 */
const checkMilliseconds = 30_000
/** The delay after a failed backup, unless the interval of the schedule is shorter. */
const retrySeconds = 3600

/** Starts a schedule of backups. The first is created when the newest is old enough, or at once when there is none. */
export const openScheduledBackups = (
  schedule: BackupSchedule,
): ScheduledBackups & { readonly check: () => Promise<void> } => {
  const { everySeconds, create, now, log, metrics } = schedule
  const seconds = (): number => Math.floor(now() / 1000)
  let last = schedule.last
  let next = last === undefined ? seconds() : last + everySeconds
  let problem: string | null = null
  let running = Promise.resolve()
  let isClosed = false

  const checkOnce = async (): Promise<void> => {
    // A clock that was set back must not delay the next backup by more than the interval.
    next = Math.min(next, seconds() + everySeconds)
    if (isClosed || seconds() < next) return
    const begun = seconds()
    try {
      log.info(`backup: ${await create()}`)
      last = begun
      next = begun + everySeconds
      problem = null
    } catch (error) {
      // The backup was broken off, so that the server can stop.
      if (isClosed) return
      problem = error instanceof Error ? error.message : String(error)
      next = seconds() + Math.min(retrySeconds, everySeconds)
      // The server goes on after any error; the administrator must know.
      log.error({ err: error }, `the backup failed: ${problem}`)
    }
    metrics?.noteBackup(problem === null)
  }
  const check = (): Promise<void> => {
    running = running.then(checkOnce)
    return running
  }
  const timer = setInterval(check, checkMilliseconds).unref()
  return {
    check,
    state: () => ({ last: last ?? null, next, problem }),
    close: async () => {
      isClosed = true
      clearInterval(timer)
      await running
    },
  }
}

/**
 * Starts the scheduled backups, if the settings request them.
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
  const create = async (): Promise<string> => {
    const createdAt = Math.floor(now() / 1000)
    const text = listUntilStopped()
    if (folder === undefined) {
      const { bytes } = await pipeBackup(backupCommand ?? '', text, createdAt)
      return `${bytes} bytes sent to backup_command`
    }
    const file = join(folder, nameBackup(createdAt))
    const { bytes } = await writeBackup({ file, dataFolder }, text, createdAt)
    const removed = await rotateBackups(folder, settings.backupKeep)
    return `${bytes} bytes written to ${file}${removed.length === 0 ? '' : `; removed ${removed.join(', ')}`}`
  }
  if (isDatabaseUrl(settings.store))
    log.info('backups: this server backs up the whole database; set backup_every on one server only')
  const backups = openScheduledBackups({ everySeconds, last, create, now, log, metrics })
  void backups.check()
  return {
    state: backups.state,
    close: () => {
      isStopping = true
      return backups.close()
    },
  }
}

/** Creates the folder if it is missing, and returns when its newest backup was begun (Unix time in seconds). */
async function prepareFolder(folder: string, dataFolder: string | undefined): Promise<number | undefined> {
  try {
    if (dataFolder !== undefined && (await isInside(await findExisting(folder), dataFolder)))
      throw new CommandFailed(`backup_folder: ${folder} is in the data folder; choose a folder outside it`)
    await createMissing(folder)
    const newest = (await listBackups(folder)).at(-1)
    return newest === undefined ? undefined : readBackupTime(newest)
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw new CommandFailed(`backup_folder: ${folder} cannot be used (${error.code}); check its path and permissions`)
  }
}

/** Returns the real path of the folder, or of the nearest existing folder above it. */
async function findExisting(folder: string): Promise<string> {
  try {
    return await realpath(folder)
  } catch (error) {
    if (!isSystemError(error, 'ENOENT') || dirname(folder) === folder) throw error
    return findExisting(dirname(folder))
  }
}

/** Creates missing folders. Not with `recursive`: Node never ends where a file system rejects all names (`/proc`). */
async function createMissing(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 })
  } catch (error) {
    if (isSystemError(error, 'EEXIST')) return
    if (!isSystemError(error, 'ENOENT') || (await findExisting(dirname(folder))) === dirname(folder)) throw error
    await createMissing(dirname(folder))
    await mkdir(folder, { mode: 0o700 })
  }
}
