import { chmod, lstat, rm } from 'node:fs/promises'
import { type AddressInfo, connect, type ListenOptions, type Server } from 'node:net'

/** A Unix socket by its path, or a socket that listens already (systemd hands over its number). */
export type ListenSocket =
  | {
      readonly path: string
      /** Whoever may write to the socket may connect; as in `chmod`, 0o660 for example. */
      readonly mode: number
    }
  | { readonly fd: number }

/** Where a server listens: on a socket, when it has one, else on a host and port. */
export interface ListenTarget {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  readonly socket?: ListenSocket | undefined
}

/** Where a server listens now. */
export interface ListenResult {
  /** `127.0.0.1:8484`, or `unix:/run/thingsync.sock`. */
  readonly address: string
  /** 0 on a Unix socket. */
  readonly port: number
  /** Those who connect have no network address: they are programs of this machine that may open the socket. */
  readonly isUnix: boolean
}

/**
 * Opens a server at a place. A Unix socket that a server left behind is replaced; nobody may connect to the new one
 * before it has its mode.
 * @throws SocketError, and what the system says
 */
export const listen = async (server: Server, { host, port, socket }: ListenTarget): Promise<ListenResult> => {
  if (socket === undefined) return await open(server, { host, port })
  if ('fd' in socket) return await open(server, { fd: socket.fd } as ListenOptions)
  await removeStaleSocket(socket.path)
  // The name is made within `listen`, before anything else of this process runs. Bits for reading and writing only: a
  // thread that makes a folder at this moment has its other bits.
  const before = process.umask(~socket.mode & 0o666)
  const opening = open(server, { path: socket.path })
  process.umask(before)
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

/** A path that cannot be made a socket; the message is a sentence for the operator. */
export class SocketError extends Error {
  override readonly name = 'SocketError'
}

/** What a path of a socket may have on every system; Node would cut a longer one off, and listen somewhere else. */
const maxSocketPathBytes = 103

/**
 * Makes room for a Unix socket: removes the one of a server that ended without removing it, and nothing else. Whether
 * somebody listens on it is found out by knocking: the name alone stays behind after a crash.
 * @throws SocketError when somebody listens there, when what is there is no socket, or when the path is too long for one
 */
const removeStaleSocket = async (path: string): Promise<void> => {
  if (Buffer.byteLength(path) > maxSocketPathBytes) {
    throw new SocketError(`socket: ${path} is too long; paths of sockets have at most ${maxSocketPathBytes} bytes`)
  }
  const found = await lstat(path).catch(whenMissing)
  if (found === undefined) return
  if (!found.isSocket()) throw new SocketError(`socket: ${path} is there and is no socket; name another one`)
  if (await isListening(path)) throw new SocketError(`socket: another program listens on ${path}; name another one`)
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
      // ENOENT: its owner has just removed it.
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') resolve(false)
      // EAGAIN: it listens, and its queue is full.
      else if (error.code === 'EACCES' || error.code === 'EAGAIN') resolve(true)
      else reject(error)
    })
  })
