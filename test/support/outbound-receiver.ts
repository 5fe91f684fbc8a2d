import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

/** What a receiver was sent. */
export interface ReceivedRequest {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Something that listens on 127.0.0.1 until the test is finished. */
export interface Receiver {
  readonly port: number
  /** How many connections were made. */
  readonly connections: () => number
  /** Resolves when none is open. */
  readonly allClosed: () => Promise<void>
}

const listen = async (server: Server): Promise<Receiver> => {
  const open = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket: Socket) => {
    connections++
    open.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      open.delete(socket)
      server.emit('socket-closed')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  const allClosed = async () => {
    while (open.size > 0) await once(server, 'socket-closed')
  }
  return { port: (server.address() as AddressInfo).port, connections: () => connections, allClosed }
}

/** Opens a receiver that responds in HTTP as `respond` does, and keeps what it was sent. */
export const openReceiver = async (
  respond: (response: ServerResponse, request: IncomingMessage) => void,
): Promise<Receiver & { readonly received: readonly ReceivedRequest[] }> => {
  const received: ReceivedRequest[] = []
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request
    received.push({ method, url, headers, body: await text(request) })
    respond(response, request)
  })
  return { ...(await listen(server)), received }
}

/** Opens a receiver that does with its connections what `talk` does. */
export const openRawReceiver = (talk: (socket: Socket) => void): Promise<Receiver> =>
  listen(
    createSocketServer((socket) => {
      // Who does not read does not notice that the other end has gone.
      socket.resume()
      talk(socket)
    }),
  )

/** Opens a server of any kind as a receiver. */
export const openServerAsReceiver = (server: Server): Promise<Receiver> => listen(server)
