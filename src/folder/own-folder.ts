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
import { FolderError, withFolderAdvice } from './data-folder.ts'
import {
  createOwnerFile,
  type FoundOwner,
  findOwnerFile,
  hasEnded,
  heartbeatMilliseconds,
  isSameNamespace,
  type OwnerFile,
  type OwnerRecord,
  type RunningProcess,
  readOwnProcess,
  watchOwner,
} from './owner-files.ts'

/**
 * # One writer per data folder
 *
 * The file system of a folder says who owns it (`owner-files.ts`), so that every process that can write the folder sees it,
 * in any container and on any machine. Node has no file locks, and a file survives the process that wrote it. So an owner
 * gives a sign of life every second. It is taken to have ended when the system says so, or, where the system cannot be
 * asked, when no sign came for ten seconds (`take-folder.ts`). Such an owner may only have been suspended. Before it
 * responds to anything that it wrote, it looks whether the folder is still its own (`isHeld`), and the next owner leaves it
 * nothing to write to (`store/disk/ownership.ts`).
 *
 * An owner also listens on a free port of 127.0.0.1, which its file names. There it proves the folder's key to other
 * processes, and runs the commands that they send. The port decides nothing about who owns the folder.
 */

/** A data folder that this process alone writes, until `release`. */
export interface OwnedFolder {
  /** The port of the control channel; 0 where there is no network. */
  readonly port: number
  /** False when another process has taken the folder over; nothing that is written is to be answered then. */
  readonly isHeld: () => Promise<boolean>
  /** True when the owner before was only silent, and may come back to write. */
  readonly mayHaveRival: boolean
  /** Takes no more commands; resolves when those that run have ended. Nobody else owns the folder yet. */
  readonly stopCommands: () => Promise<void>
  /** Gives the folder away, once. Call it after the store is closed. */
  readonly release: () => Promise<void>
}

/** How long to wait for an owner that is leaving, in seconds: longer than a server takes to finish its requests. */
const maxLeavingSeconds = 15

/** What an owner does for others. */
interface OwnFolderOptions {
  /** Runs what other processes send with `sendCommand`; it should not throw: its error is not shown to the sender. */
  readonly onCommand: CommandHandler
  /** Told when it takes seconds to find out whether the owner before has ended. */
  readonly onWait?: (sentence: string) => void
}

/**
 * Makes this process the only writer of an existing data folder, or says who is. Needs no clean-up after a crash.
 * @throws FolderError when the folder cannot be used, or when it has an owner that cannot be asked for anything
 */
export async function ownFolder(
  folder: string,
  { onCommand, onWait = () => undefined }: OwnFolderOptions,
): Promise<OwnedFolder | OtherOwner> {
  const control = await readControlFile(folder)
  // It listens before its file names the port, and runs nothing until the folder is its own.
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

/** Where nobody can be reached an owner is known by its file alone. */
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

function hold({ file, mayHaveRival }: TakenFolder, channel: ControlChannel): OwnedFolder {
  let isLost = false
  let isReleased = false
  const isHeld = async () => {
    if (!isLost && !(await file.touch())) isLost = true
    return !isLost
  }
  const giveSign = async () => {
    try {
      await isHeld()
    } catch (error) {
      // A sign that cannot be given now may bring others to take over; what that costs is seen before the next answer.
      if (!(error instanceof Error && 'errno' in error)) throw error
    }
  }
  const signs = setInterval(() => void giveSign(), heartbeatMilliseconds).unref()
  channel.setState('owner')
  return {
    port: channel.port,
    isHeld,
    mayHaveRival,
    stopCommands: async () => {
      channel.setState('leaving')
      await channel.idle()
    },
    release: async () => {
      if (isReleased) return
      isReleased = true
      clearInterval(signs)
      channel.setState('leaving')
      // In this order: a process that finds the port closed finds the folder free.
      await file.free()
      await channel.close()
    },
  }
}

/** A folder that this process has taken on its file system. */
interface TakenFolder {
  readonly file: OwnerFile
  /** True when the owner before was only silent: it may have been suspended, and go on. */
  readonly mayHaveRival: boolean
}

/** Another process owns the folder, and runs commands at a port of 127.0.0.1. */
interface OtherOwner {
  readonly owner: { readonly pid: number; readonly port: number }
}

/**
 * Takes a folder that no process owns any more. An owner of the same place has ended or not, which is known at once; any
 * other one has ended when it gave no sign for 10 s, and `onWait` is told that this is waited for. `again`: another process
 * takes or leaves the folder right now.
 * @throws FolderError when it has an owner that this process cannot ask for anything
 */
async function takeFolder(
  control: Control,
  port: number,
  onWait: (sentence: string) => void,
): Promise<TakenFolder | OtherOwner | 'again'> {
  const folder = control.folder.path
  const own = await readOwnProcess()
  const found = await findOwnerFile(folder)
  const fate = found === undefined || found.isFree ? 'ended' : await checkOwner(control, { found, own, onWait })
  if (fate !== 'ended' && fate !== 'silent') return fate
  const file = await createOwnerFile(folder, found, { ...own, port })
  return file === undefined ? 'again' : { file, mayHaveRival: fate === 'silent' }
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
    return (await hasEnded(record)) ? 'ended' : askOwner(control, found, record)
  const who = `${record === undefined ? 'another process' : `process ${record.pid} on ${record.host}`}`
  onWait(`data folder ${path} was not released by ${who}, another container, start or machine; waiting 10 s for a sign`)
  const watched = await watchOwner(path, found)
  if (watched === 'replaced') return 'again'
  if (watched === 'silent') return 'silent'
  throw new FolderError(
    `data folder ${path} is in use by thingsync ${who}, in another container or on another machine; ` +
      'stop it first, or run this command there',
  )
}

async function askOwner(control: Control, found: FoundOwner, record: OwnerRecord) {
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
    `data folder ${control.folder.path} is in use by thingsync process ${pid}, which does not answer; stop it first`,
  )
}

/**
 * What became of a command. `nobody`: no process owns the folder, or its owner cannot be reached; nothing was run.
 * `failed`: the owner's work threw, its log says why. `unknown`: the owner ended or fell silent in the middle; the command
 * may have been run.
 */
type CommandResult =
  | { readonly status: 'done'; readonly outcome: unknown }
  | { readonly status: 'nobody' | 'failed' | 'unknown' }

/** Runs a command in the process that owns the data folder; waits 30 s for its outcome. */
export async function sendCommand(folder: string, command: unknown): Promise<CommandResult> {
  const control = await readControlFile(folder)
  const findOwner = () => withFolderAdvice(folder, () => findOwnerFile(control.folder.path))
  const giveUpAt = Date.now() + 15_000
  while (Date.now() < giveUpAt) {
    const found = await findOwner()
    // Port 0: the owner has no network.
    if (found === undefined || found.isFree || !found.record?.port) return { status: 'nobody' }
    const { port } = found.record
    const owner = await queryOwner(control, port)
    // Another process may have taken the folder since, at another port.
    if (owner === undefined && (await findOwner())?.number === found.number) return { status: 'nobody' }
    if (owner?.state === 'owner') {
      const sent = await postSealed(control, port, '/command', { ticket: owner.ticket, command }, 30)
      if (sent === 'silent' || sent === 'stranger') return { status: 'unknown' }
      // An owner begins its answer before it begins to work.
      const isUnheard = sent === 'nobody' || sent === 'cut off'
      const result = isUnheard ? { status: 'not run' } : (sent.value as CommandResult | { status: 'not run' })
      if (result.status !== 'not run') return result as CommandResult
    }
    await sleep(20)
  }
  return { status: 'nobody' }
}
