import { readFile } from 'node:fs/promises'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { type AddressInfo, type Socket, SocketAddress } from 'node:net'
import type { Logger } from 'pino'

/** The open connections of a server, and the running requests on them. */
export interface Connections {
  /** Adds a connection. Call it for each new one. */
  readonly add: (socket: Socket) => void
  /** Adds a request with its response; returns how many requests of the connection wait for their responses now. */
  readonly addRequest: (request: IncomingMessage, response: ServerResponse) => number
  readonly count: () => number
  readonly list: () => Iterable<Socket>
  /** Lists the responses on a connection that are not sent yet, in the order of their requests. */
  readonly listRunning: (socket: Socket) => readonly ServerResponse[]
  /** True while the rest of a request arrives whose response was sent already. */
  readonly hasEarlyResponse: (socket: Socket) => boolean
}

const noResponses: ServerResponse[] = []

/** Creates an empty list of connections. */
export const createConnections = (): Connections => {
  const connections = new Map<Socket, ServerResponse[]>()
  return {
    add: (socket) => {
      connections.set(socket, noResponses)
      socket.once('close', () => connections.delete(socket))
    },
    addRequest: ({ socket }, response) => {
      const responses = connections.get(socket)
      // Closed responses are removed here: a listener on each response would cost as much as checking the token.
      while (responses?.[0]?.closed === true) responses.shift()
      if (responses === undefined) return 0
      if (responses.length > 0) return responses.push(response)
      // An empty array that grows reserves 17 elements, and very many connections may wait for a single response.
      connections.set(socket, [response])
      return 1
    },
    count: () => connections.size,
    list: () => connections.keys(),
    hasEarlyResponse: (socket) => {
      const last = connections.get(socket)?.at(-1)
      return last?.writableEnded === true && !last.req.complete
    },
    listRunning: (socket) => connections.get(socket)?.filter((response) => !response.closed) ?? [],
  }
}

const connectionErrorCodes: ReadonlySet<unknown> = new Set([
  'EPIPE',
  'ECONNRESET',
  'ECONNABORTED',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
])

/** True for the error of a broken connection: the peer or the network went away. */
export const isConnectionError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && connectionErrorCodes.has(error.code)

const closeTimeoutMilliseconds = 10_000

/**
 * Closes a server, which accepts no more requests. Resolves when the responses to running requests are sent, at most 10
 * s later. Unlike Node's own `close` it does not wait for connections without a running request.
 */
export const closeGracefully = async (server: Server, connections: Connections): Promise<void> => {
  const closeWhenIdle = (socket: Socket) => (): void => {
    if (connections.listRunning(socket).length === 0) socket.destroySoon()
  }

  server.on('request', ({ socket }, response) => response.once('close', closeWhenIdle(socket)))
  const timer = setTimeout(() => server.closeAllConnections(), closeTimeoutMilliseconds)
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    for (const socket of connections.list()) {
      const running = connections.listRunning(socket)
      if (running.length === 0) socket.destroy()
      for (const response of running) response.once('close', closeWhenIdle(socket))
    }
  })
  clearTimeout(timer)
}

const stalledCheckMilliseconds = 1_000

/**
 * Drops clients that read nothing of their response for so many milliseconds, because a waiting response holds its
 * listing in memory. The server's own timeout would do the same, but with a timer for each request instead of a single
 * one.
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
        // The client reads again. Without this, the timeout would also close an event stream that is only silent.
        socket.setTimeout(0)
      }
    }
  }, stalledCheckMilliseconds).unref()
  server.once('close', () => clearInterval(timer))
}

/** Formats the peer of a connection as the key of `listUnacknowledged`. */
export const formatPeer = (address: string | undefined, port: number | undefined): string => `${address} ${port}`

const tablePaths = ['/proc/self/net/tcp', '/proc/self/net/tcp6']
// Matches established connections whose send queue is not empty: both ports, the peer's address, the queue's bytes.
const tableLine = /^ *\d+: [0-9A-F]+:([0-9A-F]{4}) ([0-9A-F]+):([0-9A-F]{4}) 01 (?!0{8})([0-9A-F]{8}):/gm

const readTable = async (path: string): Promise<string> => {
  try {
    return await readFile(path, 'latin1')
  } catch (error) {
    // Not Linux, no IPv6, or /proc is not mounted: then nothing is known.
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EACCES')) return ''
    throw error
  }
}

/** Parses an address of the kernel's table: words of four bytes, each in the byte order of this machine. */
const parseAddress = (hex: string): string => {
  const words = Buffer.from(hex, 'hex')
  const bytes = new Uint16Array(new Uint8Array([1, 0]).buffer)[0] === 1 ? words.swap32() : words
  if (bytes.length === 4) return bytes.join('.')
  const address = bytes.toString('hex').replace(/.{4}(?!$)/g, '$&:')
  return new SocketAddress({ address, family: 'ipv6' }).address
}

/**
 * Lists the peers of a port that have unacknowledged bytes: the number of bytes by `formatPeer`. Only the kernel knows
 * them, and only Linux shows it. On other systems the map is empty.
 */
export const listUnacknowledged = async (ourPort: number): Promise<ReadonlyMap<string, number>> => {
  const found = new Map<string, number>()
  for (const path of tablePaths) {
    for (const [, local = '', address = '', port = '', queue = ''] of (await readTable(path)).matchAll(tableLine)) {
      if (Number.parseInt(local, 16) !== ourPort) continue
      found.set(formatPeer(parseAddress(address), Number.parseInt(port, 16)), Number.parseInt(queue, 16))
    }
  }
  return found
}

/** The TCP sockets below the connections of a server. A TLS socket counts other bytes than its TCP socket. */
export interface NetworkSockets {
  /** Counts the bytes that were passed to the network for a connection, including the overhead of TLS. */
  readonly countSent: (socket: Socket) => number
  /** Drops connections that have not finished the TLS handshake, so no request can arrive on them yet. */
  readonly dropUnfinished: () => void
}

/** The sockets of a server without TLS, where a connection is its own TCP socket. */
export const plainSockets: NetworkSockets = {
  countSent: (socket) => socket.bytesWritten,
  dropUnfinished: () => undefined,
}

const getPeerKey = ({ remoteAddress, remotePort }: Socket): string => formatPeer(remoteAddress, remotePort)

/** Creates the sockets of a server with TLS that listens on a port. Call it before the server listens. */
export const createNetworkSockets = (server: Server): NetworkSockets => {
  const open = new Map<string, Socket>()
  const unfinished = new Set<string>()
  server.on('connection', (socket: Socket) => {
    const key = getPeerKey(socket)
    open.set(key, socket)
    unfinished.add(key)
    socket.once('close', () => {
      open.delete(key)
      unfinished.delete(key)
    })
  })
  server.on('secureConnection', (socket: Socket) => unfinished.delete(getPeerKey(socket)))
  return {
    countSent: (socket) => open.get(getPeerKey(socket))?.bytesWritten ?? 0,
    dropUnfinished: () => {
      for (const key of unfinished) open.get(key)?.destroy()
    },
  }
}

/** Half of the keep-alive interval of event streams, so that two checks see the unacknowledged bytes within 50 s. */
const lostCheckMilliseconds = 12_500

/**
 * Tells whether a connection carries an event stream that waits and has passed all its bytes to the kernel. A download
 * has bytes left, or ends soon.
 */
const isStream = (connections: Connections, socket: Socket): boolean =>
  socket.writableLength === 0 &&
  connections.listRunning(socket).some(({ headersSent, writableEnded }) => headersSent && !writableEnded)

/**
 * Creates a check that drops streams whose clients acknowledged none of the bytes that were under way at the previous
 * check. It is needed because the kernel accepts the few bytes of keep-alive comments for days, and retries for 15
 * minutes.
 */
export const createLostStreamCheck = (connections: Connections, wire: NetworkSockets = plainSockets) => {
  /** The acknowledged bytes of each stream that had unacknowledged ones at the previous check. */
  let previous = new WeakMap<Socket, number>()
  return async (ourPort: number): Promise<void> => {
    const streams = [...connections.list()].filter((socket) => isStream(connections, socket))
    if (streams.length === 0) return
    const unacknowledged = await listUnacknowledged(ourPort)
    const current = new WeakMap<Socket, number>()
    if (unacknowledged.size > 0) {
      for (const socket of streams) {
        const count = unacknowledged.get(formatPeer(socket.remoteAddress, socket.remotePort))
        if (count === undefined) continue
        const acknowledged = wire.countSent(socket) - count
        if (previous.get(socket) === acknowledged) socket.destroy()
        else current.set(socket, acknowledged)
      }
    }
    previous = current
  }
}

/** Drops event streams whose clients ended without closing the connection, as far as the system can show it. */
export const dropLostStreams = (
  server: Server,
  connections: Connections,
  { wire, log }: { readonly wire: NetworkSockets; readonly log: Pick<Logger, 'error'> },
): void => {
  const check = createLostStreamCheck(connections, wire)
  let isChecking = false
  const timer = setInterval(async () => {
    const address: AddressInfo | string | null = server.address()
    // The peer of a Unix socket is on this machine, so the kernel reports its end.
    if (isChecking || address === null || typeof address === 'string') return
    isChecking = true
    try {
      await check(address.port)
    } catch (error) {
      log.error({ err: error }, 'the check for lost clients failed')
    }
    isChecking = false
  }, lostCheckMilliseconds).unref()
  server.once('close', () => clearInterval(timer))
}
