import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Connections } from './connections.ts'

const limitMilliseconds = 10_000

/**
 * Closes a server: it takes no more requests, and the promise resolves when the running ones are answered, at most 10 s
 * later. Unlike Node's own closing it waits for no connection on which no request was begun.
 */
export const closeGently = async (server: Server, connections: Connections): Promise<void> => {
  const leaveWhenAnswered = (socket: Socket) => (): void => {
    if (connections.listRunning(socket).length === 0) socket.destroySoon()
  }

  server.on('request', ({ socket }, answer) => answer.once('close', leaveWhenAnswered(socket)))
  const timer = setTimeout(() => server.closeAllConnections(), limitMilliseconds)
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    for (const socket of connections.list()) {
      const running = connections.listRunning(socket)
      if (running.length === 0) socket.destroy()
      for (const answer of running) answer.once('close', leaveWhenAnswered(socket))
    }
  })
  clearTimeout(timer)
}
