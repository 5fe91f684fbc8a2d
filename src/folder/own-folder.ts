/**
 * # One writer per data folder
 *
 * Node has no file locks, and a file that says "locked" survives the process that wrote it. What ends with a process,
 * however it ends, is its listening socket. So `control.json` in the folder names five ports of 127.0.0.1 and a key,
 * and the owner is who listens on the first of them that is free and proves the key to all who ask. The others find
 * the owner there and send it their commands.
 *
 * Who listens asks all other ports before it calls itself owner: when it listened first the other one finds it, so two
 * never both find nobody. Of two that ask at the same time the one on the later port of the list gives way.
 *
 * Limit: processes see each other on one machine and in one network namespace; a folder that is mounted into two
 * containers, or over a network, is not kept from the second one.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { askPort, type Occupant, type Owner } from './ask-owner.ts'
import { type CommandHandler, type ControlChannel, openControlChannel } from './control-channel.ts'
import { type Control, readControlFile } from './control-file.ts'
import { FolderRefused } from './folder-refused.ts'

/** A data folder that this process alone writes, until `release`. */
export interface OwnedFolder {
  /** The port of the control channel. */
  readonly port: number
  /** Takes no more commands; resolves when those that run have ended. Nobody else owns the folder yet. */
  readonly stopCommands: () => Promise<void>
  /** Gives the folder away. Call it after the store is closed. */
  readonly release: () => Promise<void>
}

/** How long to wait for an owner that is leaving, in seconds: longer than a server takes to finish its requests. */
const patienceSeconds = 15

type Attempt = OwnedFolder | { readonly owner: { readonly pid: number; readonly port: number } } | 'again'

/**
 * Makes this process the only writer of an existing data folder, or says who is. Needs no clean-up after a crash.
 * While the folder is owned, `onCommand` runs what other processes send with `sendCommand`; it should not throw: its
 * error is not shown to the sender.
 * @throws FolderRefused when the folder cannot be used, or when something on its ports does not answer within 5 s
 */
export async function ownFolder(
  folder: string,
  { onCommand }: { readonly onCommand: CommandHandler },
): Promise<OwnedFolder | { readonly owner: { readonly pid: number; readonly port: number } }> {
  const control = await readControlFile(folder)
  const deaf = new Map<number, number>()
  const giveUpAt = Date.now() + patienceSeconds * 1000
  while (Date.now() < giveUpAt) {
    const attempt = await claim(control, onCommand, deaf, giveUpAt)
    if (attempt !== 'again') return attempt
    await sleep(20 + Math.random() * 30)
  }
  throw new FolderRefused(`data folder ${folder} is being released by another thingsync; try again later`)
}

async function claim(
  control: Control,
  onCommand: CommandHandler,
  deaf: Map<number, number>,
  giveUpAt: number,
): Promise<Attempt> {
  for (const port of control.ports) {
    const channel = await openControlChannel(control, port, onCommand)
    if (channel) return confirm(control, channel, giveUpAt)
    const occupant = await askPort(control, port)
    if (occupant.kind === 'silent') throw silence(control, port)
    if (occupant.kind === 'owner') return settle(port, occupant.owner)
    if (occupant.kind === 'nobody') {
      // Taken, yet nobody listens: just released, or an outgoing connection's own port, which may stay.
      deaf.set(port, (deaf.get(port) ?? 0) + 1)
      if ((deaf.get(port) ?? 0) < 5) return 'again'
    }
  }
  throw new FolderRefused(
    `data folder ${control.folder.path}: other programs use all its ports (${control.ports.join(', ')}); ` +
      'stop one of them, or delete control.json while no thingsync uses the folder',
  )
}

async function confirm(control: Control, channel: ControlChannel, giveUpAt: number): Promise<Attempt> {
  const others = control.ports.filter((port) => port !== channel.port)
  try {
    while (true) {
      const occupants = await Promise.all(others.map((port) => askPort(control, port)))
      const silent = occupants.findIndex((occupant) => occupant.kind === 'silent')
      if (silent >= 0) throw silence(control, others[silent])
      const rivals = occupants.filter((occupant) => occupant.kind === 'owner')
      if (rivals.length === 0) break
      const owner = rivals.find((rival) => rival.owner.state === 'owner') ?? rivals.find(isBefore(control, channel))
      if (owner || Date.now() > giveUpAt) {
        await channel.close()
        return owner ? settle(owner.port, owner.owner) : 'again'
      }
      await sleep(20)
    }
  } catch (error) {
    await channel.close()
    throw error
  }
  channel.setState('owner')
  return {
    port: channel.port,
    stopCommands: async () => {
      channel.setState('leaving')
      await channel.idle()
    },
    release: channel.close,
  }
}

function isBefore(control: Control, channel: ControlChannel) {
  const ownPlace = control.ports.indexOf(channel.port)
  return (rival: Extract<Occupant, { kind: 'owner' }>) => control.ports.indexOf(rival.port) < ownPlace
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
