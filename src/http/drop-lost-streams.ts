import type { Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Logger } from 'pino'
import type { Connections } from './connections.ts'
import { listUnacknowledged, nameOfPeer } from './list-unacknowledged.ts'
import { plainSockets, type WireSockets } from './wire-sockets.ts'

/**
 * Half of the time in which a stream of events says that it is alive: what a lost client does not acknowledge is seen twice
 * within 50 s.
 */
const intervalMilliseconds = 12_500

/** One that waits for something to say, and has handed all of it to the kernel: a download does not, or is over soon. */
const isStream = (connections: Connections, socket: Socket): boolean =>
  socket.writableLength === 0 &&
  connections.listRunning(socket).some(({ headersSent, writableEnded }) => headersSent && !writableEnded)

/**
 * Gives what looks once, and drops streams whose clients acknowledged nothing of what was under way at the look before.
 * The kernel takes the few bytes of a sign of life for whole days, and tries to send them for a quarter of an hour.
 */
export const createLookForLost = (connections: Connections, wire: WireSockets = plainSockets) => {
  /** What the other side had acknowledged, of those that had not acknowledged all. */
  let before = new WeakMap<Socket, number>()
  return async (ourPort: number): Promise<void> => {
    const streams = [...connections.list()].filter((socket) => isStream(connections, socket))
    if (streams.length === 0) return
    const unacknowledged = await listUnacknowledged(ourPort)
    const now = new WeakMap<Socket, number>()
    if (unacknowledged.size > 0) {
      for (const socket of streams) {
        const count = unacknowledged.get(nameOfPeer(socket.remoteAddress, socket.remotePort))
        if (count === undefined) continue
        const acknowledged = wire.countSent(socket) - count
        if (before.get(socket) === acknowledged) socket.destroy()
        else now.set(socket, acknowledged)
      }
    }
    before = now
  }
}

/** Drops streams of events whose clients are gone without a word, as far as the system tells. */
export const dropLostStreams = (
  server: Server,
  connections: Connections,
  { wire, log }: { readonly wire: WireSockets; readonly log: Pick<Logger, 'error'> },
): void => {
  const look = createLookForLost(connections, wire)
  let isLooking = false
  const timer = setInterval(async () => {
    const address: AddressInfo | string | null = server.address()
    // Of a Unix socket the other side is on this machine, and its end is told.
    if (isLooking || address === null || typeof address === 'string') return
    isLooking = true
    try {
      await look(address.port)
    } catch (error) {
      log.error({ err: error }, 'it could not be seen which clients are lost')
    }
    isLooking = false
  }, intervalMilliseconds).unref()
  server.once('close', () => clearInterval(timer))
}
