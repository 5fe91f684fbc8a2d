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
import { setTimeout as sleep } from 'node:timers/promises'
import { type CommandHandler, type ControlChannel, openControlChannel } from './control-channel.ts'
import { type Control, readControlFile } from './control-file.ts'
import { FolderRefused, withFolderAdvice } from './folder-refused.ts'
import { type OtherOwner, type TakenFolder, takeFolder } from './take-folder.ts'
import { signMilliseconds } from './watch-owner.ts'

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
const patienceSeconds = 15

/** What an owner does for others. */
export interface OwnFolderOptions {
  /** Runs what other processes send with `sendCommand`; it should not throw: its error is not shown to the sender. */
  readonly onCommand: CommandHandler
  /** Told when it takes seconds to find out whether the owner before has ended. */
  readonly onWait?: (sentence: string) => void
}

/**
 * Makes this process the only writer of an existing data folder, or says who is. Needs no clean-up after a crash.
 * @throws FolderRefused when the folder cannot be used, or when it has an owner that cannot be asked for anything
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
  const giveUpAt = Date.now() + patienceSeconds * 1000
  while (Date.now() < giveUpAt) {
    const taken = await takeFolder(control, port, onWait)
    if (taken !== 'again') return taken
    await sleep(20 + Math.random() * 30)
  }
  throw new FolderRefused(`data folder ${control.folder.path} is being released by another thingsync; try again later`)
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
  const signs = setInterval(() => void giveSign(), signMilliseconds).unref()
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
