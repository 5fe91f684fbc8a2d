import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Certificate } from './certificate.ts'
import type { Connections } from './connections.ts'
import { createWireSockets, plainSockets, type WireSockets } from './wire-sockets.ts'

/** A server that notes its connections, with or without TLS. */
export interface HttpServer {
  readonly server: Server
  readonly wire: WireSockets
  /** Gives new connections another certificate. */
  readonly useCertificate: (certificate: Certificate) => void
}

/** Milliseconds in which TLS has to be agreed upon, and the head of a request has to arrive. */
const headTimeout = 15_000

/** Makes a server that does not listen yet; `timeout` is how many milliseconds a request may take to arrive. */
export const createHttpServer = (
  { timeout, certificate }: { readonly timeout: number; readonly certificate?: Certificate | undefined },
  connections: Connections,
  onRequest: RequestListener,
): HttpServer => {
  const options = {
    requestTimeout: timeout,
    headersTimeout: Math.min(timeout, headTimeout),
    connectionsCheckingInterval: 1_000,
    requireHostHeader: false,
  }
  if (certificate === undefined) {
    const server = createServer(options, onRequest)
    server.on('connection', connections.add)
    return { server, wire: plainSockets, useCertificate: () => undefined }
  }
  const server = createTlsServer({ ...options, ...certificate, handshakeTimeout: headTimeout }, onRequest)
  server.on('secureConnection', connections.add)
  // What cannot agree on TLS is closed by Node; its error is nobody's but the client's.
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  return {
    // Node's own types make it no kind of the other, which it is in all that is used of it here.
    server: server as unknown as Server,
    wire: createWireSockets(server as unknown as Server),
    useCertificate: (newer) => server.setSecureContext(newer),
  }
}
