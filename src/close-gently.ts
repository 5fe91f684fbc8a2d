import type { Server } from 'node:http'
import type { Socket } from 'node:net'

const limitMilliseconds = 10_000

/**
 * Watches the connections of a server that does not listen yet. What it gives closes the server: it takes no more
 * requests and resolves when the running ones are answered, at most 10 s later. Unlike Node's own closing it waits for
 * no connection on which no request was begun.
 */
export const prepareClosing = (server: Server): (() => Promise<void>) => {
  const runningRequests = new Map<Socket, number>()
  let isClosing = false

  const count = (socket: Socket, difference: number): void => {
    const running = (runningRequests.get(socket) ?? 0) + difference
    if (!socket.destroyed) runningRequests.set(socket, running)
    if (isClosing && running === 0) socket.destroySoon()
  }
  server.on('connection', (socket: Socket) => {
    runningRequests.set(socket, 0)
    socket.once('close', () => runningRequests.delete(socket))
  })
  server.on('request', ({ socket }, answer) => {
    count(socket, 1)
    answer.once('close', () => count(socket, -1))
  })

  return async () => {
    isClosing = true
    const timer = setTimeout(() => server.closeAllConnections(), limitMilliseconds)
    await new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const [socket, running] of runningRequests) if (running === 0) socket.destroy()
    })
    clearTimeout(timer)
  }
}
