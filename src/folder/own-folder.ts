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
 * A file in the folder names its owner (`owner-files.ts`). So every process that can write the folder sees the owner,
 * in any container and on any machine. Node has no file locks, and a file survives its process. So the owner sends a
 * heartbeat every second. It has ended when the system says so, or, where the system cannot tell, after ten seconds
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
 * Takes a folder that has no owner. For an owner in the same process namespace the system tells at once whether it has
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
    return (await hasEnded(record)) ? 'ended' : askOwner(control, found, record)
  const name = record === undefined ? 'another process' : `process ${record.pid} on ${record.host}`
  onWait(
    `data folder ${path} was not released by ${name}, another container, start or machine; waiting 10 s for a heartbeat`,
  )
  const watched = await watchOwner(path, found)
  if (watched === 'replaced') return 'again'
  if (watched === 'silent') return 'silent'
  throw new FolderError(
    `data folder ${path} is in use by thingsync ${name}, in another container or on another machine; ` +
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
