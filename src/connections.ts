import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The open connections of a server, each with its answers that are not sent yet, in the order of their requests. */
export type Connections = ReadonlyMap<Socket, readonly ServerResponse[]>

/** Watches the connections of a server that does not listen yet. */
export const watchConnections = (server: Server): Connections => {
  const connections = new Map<Socket, ServerResponse[]>()
  server.on('connection', (socket: Socket) => {
    connections.set(socket, [])
    socket.once('close', () => connections.delete(socket))
  })
  server.on('request', ({ socket }, answer) => {
    // The one listener for everybody who asks: each costs every request.
    const answers = connections.get(socket)
    answers?.push(answer)
    answer.once('close', () => answers?.splice(answers.indexOf(answer), 1))
  })
  return connections
}
