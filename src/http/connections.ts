import { readFile } from 'node:fs/promises'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { type AddressInfo, type Socket, SocketAddress } from 'node:net'
import type { Logger } from 'pino'

/** The open connections of a server, and what is being answered on them. */
export interface Connections {
  /** To be told of each new connection. */
  readonly add: (socket: Socket) => void
  /** To be told of each request and its answer; gives how many of its connection wait for their answers now. */
  readonly addRequest: (request: IncomingMessage, response: ServerResponse) => number
  readonly count: () => number
  readonly list: () => Iterable<Socket>
  /** The answers on a connection that are not sent yet, in the order of their requests. */
  readonly listRunning: (socket: Socket) => readonly ServerResponse[]
  /** True while the rest of a request arrives that has its answer already. */
  readonly hasEarlyResponse: (socket: Socket) => boolean
}

const none: ServerResponse[] = []

/** No connection is open. */
export const createConnections = (): Connections => {
  const connections = new Map<Socket, ServerResponse[]>()
  return {
    add: (socket) => {
      connections.set(socket, none)
      socket.once('close', () => connections.delete(socket))
    },
    addRequest: ({ socket }, response) => {
      const responses = connections.get(socket)
      // A listener on each answer would tell when it is sent, and cost each request as much as judging its token.
      while (responses?.[0]?.closed === true) responses.shift()
      if (responses === undefined) return 0
      if (responses.length > 0) return responses.push(response)
      // A list that grows from nothing has room for 17, and there may be very many that wait for one answer.
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

const codes: ReadonlySet<unknown> = new Set([
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

/** True for an error that says that a connection broke: the other side went away, or the network did. */
export const isConnectionError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && codes.has(error.code)

const limitMilliseconds = 10_000

/**
 * Closes a server: it takes no more requests, and the promise resolves when the running ones are answered, at most 10 s
 * later. Unlike Node's own closing it waits for no connection on which no request was begun.
 */
export const closeGracefully = async (server: Server, connections: Connections): Promise<void> => {
  const leaveWhenAnswered = (socket: Socket) => (): void => {
    if (connections.listRunning(socket).length === 0) socket.destroySoon()
  }

  server.on('request', ({ socket }, response) => response.once('close', leaveWhenAnswered(socket)))
  const timer = setTimeout(() => server.closeAllConnections(), limitMilliseconds)
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    for (const socket of connections.list()) {
      const running = connections.listRunning(socket)
      if (running.length === 0) socket.destroy()
      for (const response of running) response.once('close', leaveWhenAnswered(socket))
    }
  })
  clearTimeout(timer)
}

const stalledCheckMilliseconds = 1_000

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
  }, stalledCheckMilliseconds).unref()
  server.once('close', () => clearInterval(timer))
}

/** Names the other side of a connection. */
export const formatPeer = (address: string | undefined, port: number | undefined): string => `${address} ${port}`

const tables = ['/proc/self/net/tcp', '/proc/self/net/tcp6']
// Of those that are established and have something in their queue: both ports, the address of the other side, the queue.
const line = /^ *\d+: [0-9A-F]+:([0-9A-F]{4}) ([0-9A-F]+):([0-9A-F]{4}) 01 (?!0{8})([0-9A-F]{8}):/gm

const readTable = async (path: string): Promise<string> => {
  try {
    return await readFile(path, 'latin1')
  } catch (error) {
    // Not Linux, without IPv6, or not mounted here: then it is not known.
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EACCES')) return ''
    throw error
  }
}

/** The kernel shows an address in words of four bytes, each as the number that this machine reads there. */
const showAddress = (hex: string): string => {
  const words = Buffer.from(hex, 'hex')
  const bytes = new Uint16Array(new Uint8Array([1, 0]).buffer)[0] === 1 ? words.swap32() : words
  if (bytes.length === 4) return bytes.join('.')
  const address = bytes.toString('hex').replace(/.{4}(?!$)/g, '$&:')
  return new SocketAddress({ address, family: 'ipv6' }).address
}

/**
 * How many bytes the other sides of our connections have not acknowledged, where it is any, by `formatPeer`. Only the kernel
 * knows, and only Linux tells; elsewhere nothing is known.
 */
export const listUnacknowledged = async (ourPort: number): Promise<ReadonlyMap<string, number>> => {
  const found = new Map<string, number>()
  for (const path of tables) {
    for (const [, local = '', address = '', port = '', queue = ''] of (await readTable(path)).matchAll(line)) {
      if (Number.parseInt(local, 16) !== ourPort) continue
      found.set(formatPeer(showAddress(address), Number.parseInt(port, 16)), Number.parseInt(queue, 16))
    }
  }
  return found
}

/** The network's side of connections: what TLS makes of one is another socket, which counts other bytes. */
export interface NetworkSockets {
  /** How many bytes were handed to the network for a connection, with what TLS adds. */
  readonly countSent: (socket: Socket) => number
  /** Drops those with which no request can come yet: TLS has not been agreed upon. */
  readonly dropUnfinished: () => void
}

/** Of a server without TLS: both sides are the same. */
export const plainSockets: NetworkSockets = {
  countSent: (socket) => socket.bytesWritten,
  dropUnfinished: () => undefined,
}

const nameOf = ({ remoteAddress, remotePort }: Socket): string => formatPeer(remoteAddress, remotePort)

/** Of a server with TLS, which has to listen on a port. To be made before it listens. */
export const createNetworkSockets = (server: Server): NetworkSockets => {
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

/**
 * Half of the time in which a stream of events says that it is alive: what a lost client does not acknowledge is seen twice
 * within 50 s.
 */
const lostCheckMilliseconds = 12_500

/** One that waits for something to say, and has handed all of it to the kernel: a download does not, or is over soon. */
const isStream = (connections: Connections, socket: Socket): boolean =>
  socket.writableLength === 0 &&
  connections.listRunning(socket).some(({ headersSent, writableEnded }) => headersSent && !writableEnded)

/**
 * Gives what looks once, and drops streams whose clients acknowledged nothing of what was under way at the look before.
 * The kernel takes the few bytes of a sign of life for whole days, and tries to send them for a quarter of an hour.
 */
export const createLookForLost = (connections: Connections, wire: NetworkSockets = plainSockets) => {
  /** What the other side had acknowledged, of those that had not acknowledged all. */
  let before = new WeakMap<Socket, number>()
  return async (ourPort: number): Promise<void> => {
    const streams = [...connections.list()].filter((socket) => isStream(connections, socket))
    if (streams.length === 0) return
    const unacknowledged = await listUnacknowledged(ourPort)
    const now = new WeakMap<Socket, number>()
    if (unacknowledged.size > 0) {
      for (const socket of streams) {
        const count = unacknowledged.get(formatPeer(socket.remoteAddress, socket.remotePort))
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
  { wire, log }: { readonly wire: NetworkSockets; readonly log: Pick<Logger, 'error'> },
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
  }, lostCheckMilliseconds).unref()
  server.once('close', () => clearInterval(timer))
}
