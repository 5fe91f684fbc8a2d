import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, readlink, stat, unlink, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createFileAtomically, FolderError } from './data-folder.ts'

/**
 * # The owner files of a data folder
 *
 * `owner/N.json` names an owner; the file with the highest number names the current owner. To own the folder, a process
 * creates the file of the next number, which the file system allows only one process. Then it removes the files of
 * lower numbers. The file of the highest number is never removed: an owner that leaves writes into it that the folder
 * is free. So no number is ever used twice, and an owner that was replaced finds its own file missing.
 */

/** The record of an owner in its file. */
export interface OwnerRecord extends RunningProcess {
  readonly host: string
  /** The port of its control channel, on 127.0.0.1 of its own network. */
  readonly port: number
}

/** The owner file with the highest number, as it was read. */
export interface FoundOwner {
  readonly number: number
  /** Undefined when no owner has written this content. */
  readonly record: OwnerRecord | undefined
  readonly isFree: boolean
  /** True when this is the file that its owner created, and not a copy. */
  readonly isOriginal: boolean
  /** Changes with each heartbeat. */
  readonly sign: string
}

/** The file of an owner of a folder. */
export interface OwnerFile {
  readonly number: number
  /** Sends a heartbeat. Returns false when the file is gone, because another process has taken the folder over. */
  readonly touch: () => Promise<boolean>
  /** Marks the folder as free, if this owner still owns it. */
  readonly free: () => Promise<void>
}

const about = 'names the process that uses this folder; never delete it while thingsync runs on the folder'

// Both have the same length, so that one small write replaces one by the other.
const [held, free] = ['"held"', '"free"']
const showEnd = (state: string) => `,"state":${state}}\n`

const findNumber = (name: string): number | undefined =>
  /^\d{9}\.json$/.test(name) ? Number(name.slice(0, 9)) : undefined

const showPath = (folder: string, number: number): string =>
  join(folder, 'owner', `${String(number).padStart(9, '0')}.json`)

const hasCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))

async function listNumbers(folder: string): Promise<number[]> {
  try {
    const names = await readdir(join(folder, 'owner'))
    return names
      .map(findNumber)
      .filter((number) => number !== undefined)
      .sort((a, b) => a - b)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}

/** Reads the owner file with the highest number; undefined when the folder never had an owner. */
export async function findOwnerFile(folder: string): Promise<FoundOwner | undefined> {
  for (let attempt = 0; ; attempt++) {
    const number = (await listNumbers(folder)).at(-1)
    if (number === undefined) return undefined
    try {
      return await readOwnerFile(folder, number)
    } catch (error) {
      // Another process has taken the folder over between the two reads.
      if (!hasCode(error, 'ENOENT', 'ESTALE') || attempt === 100) throw error
    }
  }
}

/** Reads an owner file. Opens it each time: on a network file system only that shows what another machine wrote. */
async function readOwnerFile(folder: string, number: number): Promise<FoundOwner> {
  const path = showPath(folder, number)
  if (!(await stat(path)).isFile())
    throw new FolderError(`${path} is no file; when no thingsync uses the folder anywhere, delete it`)
  const handle = await open(path, 'r')
  try {
    const { ino, mtimeNs } = await handle.stat({ bigint: true })
    const text = await handle.readFile('utf8')
    const record = parseRecord(text)
    return {
      number,
      record,
      isFree: text.endsWith(showEnd(free)),
      isOriginal: record?.inode === String(ino),
      sign: `${mtimeNs} ${text}`,
    }
  } finally {
    await handle.close()
  }
}

function parseRecord(text: string): (OwnerRecord & { readonly inode: string }) | undefined {
  try {
    const { pid, place, startedAt, host, port, inode } = Object(JSON.parse(text))
    const isRecord = [place, startedAt, host, inode].every((value) => typeof value === 'string')
    return isRecord && Number.isInteger(pid) && Number.isInteger(port)
      ? { pid, place, startedAt, host, port, inode }
      : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Creates the owner file with the number after `found`; undefined when another process was faster. */
export async function createOwnerFile(
  folder: string,
  found: FoundOwner | undefined,
  owner: RunningProcess & { readonly port: number },
): Promise<OwnerFile | undefined> {
  await mkdir(join(folder, 'owner'), { recursive: true, mode: 0o700 })
  const number = (found?.number ?? 0) + 1
  const path = showPath(folder, number)
  const record = { about, id: randomUUID(), host: hostname(), ...owner }
  const write = (inode: bigint) => `${JSON.stringify({ ...record, inode: String(inode) }).slice(0, -1)}${showEnd(held)}`
  if (!(await createFileAtomically(path, write))) return undefined
  // So the previous owner finds out that it does not own the folder any more.
  for (const lower of await listNumbers(folder)) if (lower < number) await remove(showPath(folder, lower))
  if ((await listNumbers(folder)).some((other) => other > number)) {
    await remove(path)
    return undefined
  }
  return { number, touch: () => touch(path), free: () => writeFree(path) }
}

async function remove(path: string): Promise<void> {
  try {
    await unlink(path)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
}

/** Changes the times of a file. That needs no open file, and network file systems do not serve it from a cache. */
async function touch(path: string): Promise<boolean> {
  try {
    const now = new Date()
    await utimes(path, now, now)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ESTALE')) return false
    throw error
  }
}

async function writeFree(path: string): Promise<void> {
  try {
    const handle = await open(path, 'r+')
    try {
      const { size } = await handle.stat()
      await handle.write(showEnd(free), size - showEnd(free).length)
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (error) {
    // The folder was removed, or another process has taken it over.
    if (!hasCode(error, 'ENOENT', 'ESTALE')) throw error
  }
}

/** The interval of the heartbeats of an owner. */
export const heartbeatMilliseconds = 1000

const checkMilliseconds = 500
const maxChecks = 20

/**
 * Watches an owner about which only its file tells. `silent`: 20 checks within 10 s saw no heartbeat, which is ten
 * times the interval of heartbeats. The checks are counted and no clock is read, so that neither a changed clock nor a
 * pause of this process makes an owner look silent.
 */
export async function watchOwner(folder: string, found: FoundOwner): Promise<'alive' | 'silent' | 'replaced'> {
  for (let check = 0; check < maxChecks; check++) {
    await sleep(checkMilliseconds)
    const now = await findOwnerFile(folder)
    if (now?.number !== found.number || now.isFree) return 'replaced'
    if (now.sign !== found.sign) return 'alive'
  }
  return 'silent'
}

/** The identity of a process, unique where the system tells enough. */
export interface RunningProcess {
  readonly pid: number
  /** The boot of the system and the namespace of its process ids; empty where the system does not tell them. */
  readonly place: string
  /** The start time of the process, in the units of the system; empty where the system does not tell it. */
  readonly startedAt: string
}

/** Reads the identity of this process. Only Linux tells it, and only where `/proc` shows this process. */
export async function readOwnProcess(): Promise<RunningProcess> {
  const unknown: RunningProcess = { pid: process.pid, place: '', startedAt: '' }
  const shown = await readIfThere(() => readlink('/proc/self'))
  if (shown !== String(process.pid)) return unknown
  const boot = await readIfThere(() => readFile('/proc/sys/kernel/random/boot_id', 'utf8'))
  const namespace = await readIfThere(() => readlink('/proc/self/ns/pid'))
  const state = await readState(process.pid)
  if (boot === undefined || namespace === undefined || state === undefined) return unknown
  return { pid: process.pid, place: `${boot.trim()} ${namespace}`, startedAt: state.startedAt }
}

/** Returns true when both processes are in one namespace of one boot, so that each can check whether the other runs. */
export const isSameNamespace = (a: RunningProcess, b: RunningProcess): boolean => a.place !== '' && a.place === b.place

/** Returns true when a process of this namespace has certainly ended. */
export async function hasEnded({ pid, startedAt }: RunningProcess): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ESRCH') return true
    // It runs, and belongs to another user.
    if (code !== 'EPERM') throw error
  }
  const state = await readState(pid)
  // Where the system hides the processes of other users, nothing is certain.
  if (state === undefined) return false
  return state.startedAt !== startedAt || state.isDead
}

async function readState(pid: number): Promise<{ readonly startedAt: string; readonly isDead: boolean } | undefined> {
  const stat = await readIfThere(() => readFile(`/proc/${pid}/stat`, 'utf8'))
  if (stat === undefined) return undefined
  // The name is in parentheses and may hold any character. The state follows it, and the start time is the 22nd field.
  const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const threads = state === 'Z' ? await readIfThere(() => readdir(`/proc/${pid}/task`)) : undefined
  // A zombie: while one of its threads is left, that thread may still write.
  return { startedAt: rest[18] ?? '', isDead: state === 'X' || (state === 'Z' && (threads?.length ?? 0) <= 1) }
}

async function readIfThere<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM', 'ENOTDIR', 'EINVAL'].includes(code)) return undefined
    throw error
  }
}
