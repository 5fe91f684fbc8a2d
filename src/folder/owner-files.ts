import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, readlink, stat, unlink, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createFileAtomically, FolderError } from './data-folder.ts'

/**
 * # Who owns a data folder, on its file system
 *
 * `owner/N.json` names an owner; the one with the highest number is it. To own the folder is to make the file of the next
 * number, which the file system lets only one do, and to remove those of lower numbers. The highest one is never
 * removed: an owner that leaves writes into it that the folder is free. So no number is ever given twice, and who was
 * taken over finds its own file gone.
 */

/** What an owner says of itself. */
export interface OwnerRecord extends RunningProcess {
  readonly host: string
  /** The port of its control channel, on 127.0.0.1 of its own network. */
  readonly port: number
}

/** The highest owner's file, as it was found. */
export interface FoundOwner {
  readonly number: number
  /** Undefined when the file is not what an owner writes. */
  readonly record: OwnerRecord | undefined
  readonly isFree: boolean
  /** True when the file is where its owner made it, and not a copy of that. */
  readonly isOriginal: boolean
  /** Changes with each sign of life. */
  readonly sign: string
}

/** The file of an owner of a folder. */
export interface OwnerFile {
  readonly number: number
  /** Gives a sign of life; false when the file is gone, because another process has taken the folder over. */
  readonly touch: () => Promise<boolean>
  /** Writes that the folder is free, if it is still this owner's. */
  readonly free: () => Promise<void>
}

const about = 'who uses this folder; never delete it while thingsync runs anywhere on it'

// Both as long, so that one takes the place of the other in one small write.
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

/** The owner of the highest number; undefined when the folder never had one. */
export async function findOwnerFile(folder: string): Promise<FoundOwner | undefined> {
  for (let attempt = 0; ; attempt++) {
    const number = (await listNumbers(folder)).at(-1)
    if (number === undefined) return undefined
    try {
      return await readOwnerFile(folder, number)
    } catch (error) {
      // Another one took the folder over between the two questions.
      if (!hasCode(error, 'ENOENT', 'ESTALE') || attempt === 100) throw error
    }
  }
}

/** Opened anew each time: over a network nothing else shows what another machine wrote. */
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

/** Makes the owner's file that follows `found`; undefined when another one was faster. */
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
  // The one before finds out by this that it owns the folder no more.
  for (const before of await listNumbers(folder)) if (before < number) await remove(showPath(folder, before))
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

/** A change of times needs no open file, and no network file system answers it from what it remembers. */
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
    // Removed together with the folder, or taken over.
    if (!hasCode(error, 'ENOENT', 'ESTALE')) throw error
  }
}

/** How often an owner gives a sign of life. */
export const heartbeatMilliseconds = 1000

const lookMilliseconds = 500
const maxLooks = 20

/**
 * Watches the owner of a folder of whom nothing else is known. `silent`: in 20 looks within 10 s there was no sign, ten
 * times as long as one takes. Looks are counted, and no clock is read, so that neither a clock that is set nor a pause of
 * this process makes an owner look silent.
 */
export async function watchOwner(folder: string, found: FoundOwner): Promise<'alive' | 'silent' | 'replaced'> {
  for (let look = 0; look < maxLooks; look++) {
    await sleep(lookMilliseconds)
    const now = await findOwnerFile(folder)
    if (now?.number !== found.number || now.isFree) return 'replaced'
    if (now.sign !== found.sign) return 'alive'
  }
  return 'silent'
}

/** A process, named so that it is never taken for another one, where the system tells enough for that. */
export interface RunningProcess {
  readonly pid: number
  /** The system's run since its start, and the namespace that numbers its processes; empty where that cannot be told. */
  readonly place: string
  /** When the process was started, in the system's own count; empty where that cannot be told. */
  readonly startedAt: string
}

/** This process. Only Linux tells where processes are numbered, and only where `/proc` shows this very process. */
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

/** True when both were numbered in one namespace of one run of a system, so that one can tell whether the other lives. */
export const isSameNamespace = (a: RunningProcess, b: RunningProcess): boolean => a.place !== '' && a.place === b.place

/** True when a process of this place has ended for certain. */
export async function hasEnded({ pid, startedAt }: RunningProcess): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ESRCH') return true
    // It lives, and belongs to somebody else.
    if (code !== 'EPERM') throw error
  }
  const state = await readState(pid)
  // Where others' processes are hidden nothing is proved.
  if (state === undefined) return false
  return state.startedAt !== startedAt || state.isDead
}

async function readState(pid: number): Promise<{ readonly startedAt: string; readonly isDead: boolean } | undefined> {
  const stat = await readIfThere(() => readFile(`/proc/${pid}/stat`, 'utf8'))
  if (stat === undefined) return undefined
  // The name stands in parentheses and may hold any character; the state comes behind it, the start is the 22nd of all.
  const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const threads = state === 'Z' ? await readIfThere(() => readdir(`/proc/${pid}/task`)) : undefined
  // Killed and not yet buried by its parent: while a thread of it is left, that one may still write.
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
