import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { nameOfPeer } from './list-unacknowledged.ts'

/** The network's side of connections: what TLS makes of one is another socket, which counts other bytes. */
export interface WireSockets {
  /** How many bytes were handed to the network for a connection, with what TLS adds. */
  readonly countSent: (socket: Socket) => number
  /** Drops those with which no request can come yet: TLS has not been agreed upon. */
  readonly dropUnfinished: () => void
}

/** Of a server without TLS: both sides are the same. */
export const plainSockets: WireSockets = { countSent: (socket) => socket.bytesWritten, dropUnfinished: () => undefined }

const nameOf = ({ remoteAddress, remotePort }: Socket): string => nameOfPeer(remoteAddress, remotePort)

/** Of a server with TLS, which has to listen on a port. To be made before it listens. */
export const createWireSockets = (server: Server): WireSockets => {
  const open = new Map<string, Socket>()
  const unfinished = new Set<string>()
  server.on('connection', (socket: Socket) => {
    const name = nameOf(socket)
    open.set(name, socket)
    unfinished.add(name)
    socket.once('close', () => {
      open.delete(name)
      unfinished.delete(name)
    })
  })
  server.on('secureConnection', (socket: Socket) => unfinished.delete(nameOf(socket)))
  return {
    countSent: (socket) => open.get(nameOf(socket))?.bytesWritten ?? 0,
    dropUnfinished: () => {
      for (const name of unfinished) open.get(name)?.destroy()
    },
  }
}
