import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, readlink, stat, unlink, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type CommandHandler,
  type Control,
  type ControlChannel,
  openControlChannel,
  postSealed,
  queryOwner,
  readControlFile,
} from './control-channel.ts'
import { createFileAtomically, FolderError, withFolderAdvice } from './data-folder.ts'

/**
 * # The owner files of a data folder
 *
 * `owner/N.json` names an owner; the file with the highest number names the current owner. To own the folder, a process
 * creates the file of the next number, which the file system allows only one process. Then it removes the files of
 * lower numbers. The file of the highest number is never removed: an owner that leaves writes into it that the folder
 * is free. So no number is ever used twice, and an owner that was replaced finds its own file missing.
 */

/** The record of an owner in its file. */
interface OwnerRecord extends RunningProcess {
  readonly host: string
  /** The port of its control channel, on 127.0.0.1 of its own network. */
  readonly port: number
}

/** The owner file with the highest number, as it was read. */
interface FoundOwner {
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
interface OwnerFile {
  readonly number: number
  /** Sends a heartbeat. Returns false when the file is missing, because another process has taken the folder over. */
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
    throw new FolderError(
      `${path} is not a file; stop each thingsync that uses the folder, on all machines, then delete it`,
    )
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
const heartbeatMilliseconds = 1000

const checkMilliseconds = 500
const maxChecks = 20

/**
 * Watches an owner that is known only by its file. `silent`: 20 checks within 10 s saw no heartbeat, which is ten
 * times the interval of heartbeats. The checks are counted and no clock is read, so that neither a changed clock nor a
 * pause of this process makes an owner look silent.
 */
async function watchOwner(folder: string, found: FoundOwner): Promise<'alive' | 'silent' | 'replaced'> {
  for (let check = 0; check < maxChecks; check++) {
    await sleep(checkMilliseconds)
    const now = await findOwnerFile(folder)
    if (now?.number !== found.number || now.isFree) return 'replaced'
    if (now.sign !== found.sign) return 'alive'
  }
  return 'silent'
}

/** The identity of a process, unique where the system shows enough. */
interface RunningProcess {
  readonly pid: number
  /** The boot of the system and the namespace of its process ids; empty where the system does not show them. */
  readonly place: string
  /** The start time of the process, in the units of the system; empty where the system does not show it. */
  readonly startedAt: string
}

/** Reads the identity of this process. Only Linux shows it, and only where `/proc` shows this process. */
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
const isSameNamespace = (a: RunningProcess, b: RunningProcess): boolean => a.place !== '' && a.place === b.place

/** Returns true when a process of this namespace has certainly ended. */
async function hasEnded({ pid, startedAt }: RunningProcess): Promise<boolean> {
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

/**
 * # One writer per data folder
 *
 * A file in the folder names its owner (`OwnerFile`). So every process that can write the folder sees the owner,
 * in any container and on any machine. Node has no file locks, and a file survives its process. So the owner sends a
 * heartbeat every second. It has ended when the system says so, or, where the system cannot show it, after ten seconds
 * without a heartbeat (`takeFolder`). Such an owner may only be suspended. Before it confirms a write, it checks that
 * it still owns the folder (`isHeld`), and the next owner leaves it no file to write to (`store/disk/ownership.ts`).
 *
 * An owner also listens on a free port of 127.0.0.1, which its file names (`control-channel.ts`). There it proves to
 * other processes that it has the key of the folder, and runs their commands. The port does not decide who owns the
 * folder.
 */

/** A data folder that only this process writes, until `release`. */
export interface OwnedFolder {
  /** The port of the control channel; 0 where there is no network. */
  readonly port: number
  /** Returns false when another process has taken the folder over. Then no write may be confirmed. */
  readonly isHeld: () => Promise<boolean>
  /** True when the previous owner was only silent: it may be suspended, and write again. */
  readonly mayHavePreviousOwner: boolean
  /** Rejects new commands, and resolves when the running commands have ended. The process still owns the folder. */
  readonly stopCommands: () => Promise<void>
  /** Releases the folder; a second call does nothing. Call it after the store is closed. */
  readonly release: () => Promise<void>
}

/** Maximum wait for an owner that is leaving: longer than a server takes to finish its requests. */
const maxLeavingSeconds = 15

/** The callbacks of an owner. */
interface OwnFolderOptions {
  /** Runs a command that another process sends with `sendCommand`. The sender does not see an error that it throws. */
  readonly onCommand: CommandHandler
  /** Is called with a sentence when it takes seconds to find out whether the previous owner has ended. */
  readonly onWait?: (sentence: string) => void
}

/**
 * Makes this process the only writer of an existing data folder, or returns its owner. Needs no clean-up after a crash.
 * @throws FolderError when the folder cannot be used, or when its owner does not respond to this process
 */
export async function ownFolder(
  folder: string,
  { onCommand, onWait = () => undefined }: OwnFolderOptions,
): Promise<OwnedFolder | OtherOwner> {
  const control = await readControlFile(folder)
  // The channel listens before the owner file names its port. It runs no command until this process owns the folder.
  const channel = (await openControlChannel(control, onCommand)) ?? noChannel
  try {
    const taken = await withFolderAdvice(folder, () => takeWhenLeft(control, channel.port, onWait))
    if ('file' in taken) return hold(taken, channel)
    await channel.close()
    return taken
  } catch (error) {
    await channel.close()
    throw error
  }
}

/** The channel without a network: other processes then know the owner only by its file. */
const noChannel: ControlChannel = {
  port: 0,
  setState: () => undefined,
  idle: async () => undefined,
  close: async () => undefined,
}

async function takeWhenLeft(
  control: Control,
  port: number,
  onWait: (sentence: string) => void,
): Promise<TakenFolder | OtherOwner> {
  const giveUpAt = Date.now() + maxLeavingSeconds * 1000
  while (Date.now() < giveUpAt) {
    const taken = await takeFolder(control, port, onWait)
    if (taken !== 'again') return taken
    await sleep(20 + Math.random() * 30)
  }
  throw new FolderError(`data folder ${control.folder.path} is being released by another thingsync; try again later`)
}

function hold({ file, mayHavePreviousOwner }: TakenFolder, channel: ControlChannel): OwnedFolder {
  let isLost = false
  let isReleased = false
  const isHeld = async () => {
    if (!isLost && !(await file.touch())) isLost = true
    return !isLost
  }
  const sendHeartbeat = async () => {
    try {
      await isHeld()
    } catch (error) {
      // After a failed heartbeat another process may take over. `isHeld` finds that before the next write is confirmed.
      if (!(error instanceof Error && 'errno' in error)) throw error
    }
  }
  const heartbeat = setInterval(() => void sendHeartbeat(), heartbeatMilliseconds).unref()
  channel.setState('owner')
  return {
    port: channel.port,
    isHeld,
    mayHavePreviousOwner,
    stopCommands: async () => {
      channel.setState('leaving')
      await channel.idle()
    },
    release: async () => {
      if (isReleased) return
      isReleased = true
      clearInterval(heartbeat)
      channel.setState('leaving')
      // In this order: a process that finds the port closed must find the folder free.
      await file.free()
      await channel.close()
    },
  }
}

/** A folder whose owner file names this process. */
interface TakenFolder {
  readonly file: OwnerFile
  /** True when the previous owner was only silent: it may be suspended, and go on. */
  readonly mayHavePreviousOwner: boolean
}

/** Another process that owns the folder and runs commands on a port of 127.0.0.1. */
interface OtherOwner {
  readonly owner: { readonly pid: number; readonly port: number }
}

/**
 * Takes a folder that has no owner. For an owner in the same process namespace the system shows at once whether it has
 * ended. Any other owner has ended after 10 s without a heartbeat, and `onWait` is called before this wait. Returns
 * `again` while another process takes or leaves the folder.
 * @throws FolderError when the folder has an owner that does not respond to this process
 */
async function takeFolder(
  control: Control,
  port: number,
  onWait: (sentence: string) => void,
): Promise<TakenFolder | OtherOwner | 'again'> {
  const folder = control.folder.path
  const own = await readOwnProcess()
  const found = await findOwnerFile(folder)
  const outcome = found === undefined || found.isFree ? 'ended' : await checkOwner(control, { found, own, onWait })
  if (outcome !== 'ended' && outcome !== 'silent') return outcome
  const file = await createOwnerFile(folder, found, { ...own, port })
  return file === undefined ? 'again' : { file, mayHavePreviousOwner: outcome === 'silent' }
}

interface OwnerCheck {
  readonly found: FoundOwner
  readonly own: RunningProcess
  readonly onWait: (sentence: string) => void
}

async function checkOwner(control: Control, { found, own, onWait }: OwnerCheck) {
  const { path } = control.folder
  const { record } = found
  if (record !== undefined && isSameNamespace(record, own))
    return (await hasEnded(record)) ? 'ended' : requestIdentity(control, found, record)
  const name = record === undefined ? 'another process' : `process ${record.pid} on ${record.host}`
  onWait(
    `data folder ${path} was not released by ${name} in another container, on another machine or before a restart; waiting 10 s for a heartbeat`,
  )
  const watched = await watchOwner(path, found)
  if (watched === 'replaced') return 'again'
  if (watched === 'silent') return 'silent'
  throw new FolderError(
    `data folder ${path} is in use by thingsync ${name}, in another container or on another machine; ` +
      'stop it first, or run this command there',
  )
}

async function requestIdentity(control: Control, found: FoundOwner, record: OwnerRecord) {
  const { pid, port } = record
  // Port 0: the owner has no network.
  const owner = port === 0 ? undefined : await queryOwner(control, port)
  if (owner !== undefined) return owner.state === 'owner' ? { owner: { pid: owner.pid, port } } : 'again'
  // The file in a copy of a folder is about the owner of the other folder.
  if (!found.isOriginal) return 'ended'
  // A process that is killed closes its port a moment before the system says that it has ended.
  for (let look = 0; look < 20; look++) {
    const now = await findOwnerFile(control.folder.path)
    // Another process, or this owner at another port, may have taken the folder since.
    if (now?.number !== found.number || now.isFree || (await hasEnded(record))) return 'again'
    await sleep(50)
  }
  throw new FolderError(
    `data folder ${control.folder.path} is in use by thingsync process ${pid}, which does not respond; stop it first`,
  )
}

/**
 * The result of a command.
 * - `done`: the owner has run it.
 * - `no owner`: no process owns the folder, or its owner cannot be reached; nothing was run.
 * - `failed`: the command threw in the owner; the log of the owner says why.
 * - `unknown`: the owner ended or became silent during the command; the command may have been run.
 */
type CommandResult =
  | { readonly status: 'done'; readonly outcome: unknown }
  | { readonly status: 'no owner' | 'failed' | 'unknown' }

/**
 * Runs a command in the process that owns the data folder, and waits up to 30 s for its outcome.
 * @throws FolderError
 */
export async function sendCommand(folder: string, command: unknown): Promise<CommandResult> {
  const control = await readControlFile(folder)
  const findOwner = () => withFolderAdvice(folder, () => findOwnerFile(control.folder.path))
  const giveUpAt = Date.now() + 15_000
  while (Date.now() < giveUpAt) {
    const found = await findOwner()
    // Port 0: the owner has no network.
    if (found === undefined || found.isFree || !found.record?.port) return { status: 'no owner' }
    const { port } = found.record
    const owner = await queryOwner(control, port)
    // Another process may have taken the folder since, at another port.
    if (owner === undefined && (await findOwner())?.number === found.number) return { status: 'no owner' }
    if (owner?.state === 'owner') {
      const sent = await postSealed(control, port, '/command', { ticket: owner.ticket, command }, 30)
      if (sent === 'silent' || sent === 'unauthenticated') return { status: 'unknown' }
      // An owner sends the response headers before it runs the command.
      const isNotReceived = sent === 'unreachable' || sent === 'cut off'
      const result = isNotReceived ? { status: 'not run' } : (sent.value as CommandResult | { status: 'not run' })
      if (result.status !== 'not run') return result as CommandResult
    }
    await sleep(20)
  }
  return { status: 'no owner' }
}
