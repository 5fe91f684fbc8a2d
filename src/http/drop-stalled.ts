import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Connections } from './connections.ts'

const intervalMilliseconds = 1_000

/**
 * Drops clients that read nothing of their answer for so long: an answer that waits holds its listing. The server's own
 * time-out would do the same, with a timer for each request instead of one for those that wait.
 */
export const dropStalledClients = (server: Server, connections: Connections, milliseconds: number): void => {
  const stalled = new WeakSet<Socket>()
  const timer = setInterval(() => {
    for (const socket of connections.list()) {
      if (socket.writableLength > 0) {
        if (socket.timeout) continue
        stalled.add(socket)
        socket.setTimeout(milliseconds)
      } else if (stalled.delete(socket)) {
        // It reads again. A stream of events that is silent for so long is not one that nobody reads.
        socket.setTimeout(0)
      }
    }
  }, intervalMilliseconds).unref()
  server.once('close', () => clearInterval(timer))
}
