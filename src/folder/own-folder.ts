/**
 * # One writer per data folder
 *
 * Who owns a folder stands on its file system (`owner-files.ts`), so that all see it who can write the folder, in
 * whatever container and on whatever machine. Node has no file locks, and a file survives the process that wrote it. So
 * an owner gives a sign of life every second, and is taken to have ended when the system says so, or, where it cannot be
 * asked, when no sign came for ten (`take-folder.ts`). Such an owner may only have been suspended: before anything that
 * it wrote is answered it looks whether the folder is still its own (`isHeld`), and who took the folder over leaves it
 * nothing to write to (`store/files/ownership.ts`).
 *
 * Beside this, an owner listens on a port of 127.0.0.1: the first free one of five that `control.json` names, or any
 * other. It proves the folder's key to all who ask, and runs the commands that they send. Who listens asks those ports
 * before it takes the folder; of two that ask at the same time the one on the later port gives way. This also keeps this
 * program apart from earlier versions, which know only the ports.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { askPort, type Occupant, type Owner } from './ask-owner.ts'
import { type CommandHandler, type ControlChannel, openControlChannel } from './control-channel.ts'
import { type Control, readControlFile } from './control-file.ts'
import { FolderRefused, withFolderAdvice } from './folder-refused.ts'
import { findOwnerFile } from './owner-files.ts'
import { type TakenFolder, takeFolder } from './take-folder.ts'
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

type Attempt = OwnedFolder | { readonly owner: { readonly pid: number; readonly port: number } } | 'again'

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
): Promise<OwnedFolder | { readonly owner: { readonly pid: number; readonly port: number } }> {
  const control = await readControlFile(folder)
  const deaf = new Map<number, number>()
  const giveUpAt = Date.now() + patienceSeconds * 1000
  while (Date.now() < giveUpAt) {
    const attempt = await withFolderAdvice(folder, () => claim({ control, onCommand, onWait, deaf, giveUpAt }))
    if (attempt !== 'again') return attempt
    await sleep(20 + Math.random() * 30)
  }
  throw new FolderRefused(`data folder ${folder} is being released by another thingsync; try again later`)
}

interface Claim extends Required<OwnFolderOptions> {
  readonly control: Control
  readonly deaf: Map<number, number>
  readonly giveUpAt: number
}

async function claim(asked: Claim): Promise<Attempt> {
  const { control, onCommand, deaf } = asked
  // Earlier versions write no owner's file: until there is one, who does not answer may be one of them at work.
  const isKnown = (await findOwnerFile(control.folder.path)) !== undefined
  for (const port of control.ports) {
    const channel = await openControlChannel(control, port, onCommand)
    if (channel) return confirm(asked, channel, isKnown)
    const occupant = await askPort(control, port, isKnown ? 1 : 5)
    if (occupant.kind === 'silent' && !isKnown) throw silence(control, port)
    if (occupant.kind === 'owner') return settle(port, occupant.owner)
    if (occupant.kind === 'nobody') {
      // Taken, yet nobody listens: just released, or an outgoing connection's own port, which may stay.
      deaf.set(port, (deaf.get(port) ?? 0) + 1)
      if ((deaf.get(port) ?? 0) < 5) return 'again'
    }
  }
  return confirm(asked, (await openControlChannel(control, 0, onCommand)) ?? noChannel, isKnown)
}

/** Where nobody can be reached an owner is known by its file alone. */
const noChannel: ControlChannel = {
  port: 0,
  setState: () => undefined,
  idle: async () => undefined,
  close: async () => undefined,
}

async function confirm({ control, giveUpAt, onWait }: Claim, channel: ControlChannel, isKnown: boolean) {
  const others = control.ports.filter((port) => port !== channel.port)
  try {
    while (true) {
      const occupants = await Promise.all(others.map((port) => askPort(control, port, isKnown ? 1 : 5)))
      const silent = occupants.findIndex((occupant) => occupant.kind === 'silent')
      if (silent >= 0 && !isKnown) throw silence(control, others[silent])
      const rivals = occupants.filter((occupant) => occupant.kind === 'owner')
      if (rivals.length === 0) break
      const owner = rivals.find((rival) => rival.owner.state === 'owner') ?? rivals.find(isBefore(control, channel))
      if (owner || Date.now() > giveUpAt) {
        await channel.close()
        return owner ? settle(owner.port, owner.owner) : 'again'
      }
      await sleep(20)
    }
    const taken = await takeFolder(control, channel.port, onWait)
    if (typeof taken === 'object' && 'file' in taken) return hold(taken, channel)
    await channel.close()
    return taken
  } catch (error) {
    await channel.close()
    throw error
  }
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
      // In this order: who finds the port closed finds the folder free.
      await file.free()
      await channel.close()
    },
  }
}

function isBefore(control: Control, channel: ControlChannel) {
  const findPlace = (port: number) =>
    control.ports.includes(port) ? control.ports.indexOf(port) : control.ports.length
  return (rival: Extract<Occupant, { kind: 'owner' }>) => findPlace(rival.port) < findPlace(channel.port)
}

function settle(port: number, owner: Owner): Attempt {
  return owner.state === 'owner' ? { owner: { pid: owner.pid, port } } : 'again'
}

function silence(control: Control, port: number | undefined): FolderRefused {
  return new FolderRefused(
    `data folder ${control.folder.path} may be in use: the program on port ${port} of 127.0.0.1 does not answer; ` +
      'stop it, or delete control.json while no thingsync uses the folder',
  )
}
