import { chmod, lstat, rm } from 'node:fs/promises'
import { type AddressInfo, connect, type ListenOptions, type Server } from 'node:net'

/** A Unix socket by its path, or a socket that listens already (systemd passes its file descriptor). */
export type ListenSocket =
  | {
      readonly path: string
      /** File mode as for `chmod`, for example 0o660. Users that may write to the socket may connect. */
      readonly mode: number
    }
  | { readonly fd: number }

/** Where to listen: on the socket, if there is one, else on host and port. */
export interface ListenTarget {
  readonly host: string
  /** 0 takes a free port. */
  readonly port: number
  readonly socket?: ListenSocket | undefined
}

/** Where a server listens now. */
export interface ListenResult {
  /** `127.0.0.1:8484`, or `unix:/run/thingsync.sock`. */
  readonly address: string
  /** 0 on a Unix socket. */
  readonly port: number
  /** True for a Unix socket. Its clients are local programs without a network address. */
  readonly isUnix: boolean
}

/**
 * Starts listening. A stale Unix socket of an earlier server is replaced. No client can connect to the new one before
 * it has its mode.
 * @throws SocketError, and errors of the system
 */
export const listen = async (server: Server, { host, port, socket }: ListenTarget): Promise<ListenResult> => {
  if (socket === undefined) return await open(server, { host, port })
  if ('fd' in socket) return await open(server, { fd: socket.fd } as ListenOptions)
  await removeStaleSocket(socket.path)
  // Node creates the file within `listen`, before other code of this process runs. The mask holds read and write bits
  // only, so that a thread that creates a folder at this moment keeps its execute bits.
  const previousMask = process.umask(~socket.mode & 0o666)
  const opening = open(server, { path: socket.path })
  process.umask(previousMask)
  const listening = await opening
  await chmod(socket.path, socket.mode)
  return listening
}

const open = (server: Server, options: ListenOptions): Promise<ListenResult> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(options, () => {
      server.off('error', reject)
      resolve(describe(server.address()))
    })
  })

const describe = (found: AddressInfo | string | null): ListenResult => {
  if (found === null || typeof found === 'string') return { address: `unix:${found ?? ''}`, port: 0, isUnix: true }
  const { address, port } = found
  return { address: `${address.includes(':') ? `[${address}]` : address}:${port}`, port, isUnix: false }
}

/** Thrown when a path cannot become a socket. The message is a sentence for the administrator. */
export class SocketError extends Error {
  override readonly name = 'SocketError'
}

/** The maximum length of a socket's path on every system. Node truncates a longer one and listens somewhere else. */
const maxSocketPathBytes = 103

/**
 * Removes the Unix socket of a server that ended without removing it, and nothing else. It connects to find out whether
 * a program still listens, because the file stays after a crash.
 * @throws SocketError when a program listens there, when the path is no socket, or when it is too long for a socket
 */
const removeStaleSocket = async (path: string): Promise<void> => {
  if (Buffer.byteLength(path) > maxSocketPathBytes) {
    throw new SocketError(`socket: ${path} is too long; choose a path of at most ${maxSocketPathBytes} bytes`)
  }
  const found = await lstat(path).catch(whenMissing)
  if (found === undefined) return
  if (!found.isSocket()) throw new SocketError(`socket: ${path} exists and is not a socket; choose another path`)
  if (await isListening(path)) throw new SocketError(`socket: another program listens on ${path}; choose another path`)
  await rm(path, { force: true })
}

const whenMissing = (error: NodeJS.ErrnoException): undefined => {
  if (error.code === 'ENOENT') return undefined
  throw error
}

const isListening = (path: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', (error: NodeJS.ErrnoException) => {
      // ENOENT: the server has just removed its socket.
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') resolve(false)
      // EAGAIN: a server listens, and its queue is full.
      else if (error.code === 'EACCES' || error.code === 'EAGAIN') resolve(true)
      else reject(error)
    })
  })

/**
 * Returns the base URL of a server's API, which ends in `/v1/`. Without the setting it is derived from host and port,
 * with https when the server has a certificate.
 */
export const showBaseUrl = ({
  baseUrl,
  host,
  port,
  certificate,
}: {
  readonly baseUrl?: string | undefined
  readonly host: string
  readonly port: number
  readonly certificate?: object | undefined
}): string => baseUrl ?? `${certificate ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}/v1/`
