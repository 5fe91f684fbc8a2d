import type { Server } from 'node:http'
import type { Connections } from './connections.ts'

const intervalMilliseconds = 1_000

/**
 * Drops clients that read nothing of their answer for so long: an answer that waits holds its listing. The server's own
 * time-out would do the same, with a timer for each request instead of one for those that wait.
 */
export const dropStalledClients = (server: Server, connections: Connections, milliseconds: number): void => {
  const timer = setInterval(() => {
    for (const socket of connections.list()) {
      if (socket.writableLength > 0 && !socket.timeout) socket.setTimeout(milliseconds)
    }
  }, intervalMilliseconds).unref()
  server.once('close', () => clearInterval(timer))
}
