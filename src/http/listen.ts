import { chmod } from 'node:fs/promises'
import type { AddressInfo, ListenOptions, Server } from 'node:net'
import { removeStaleSocket } from './unix-socket.ts'

/** A Unix socket by its path, or a socket that listens already (systemd hands over its number). */
export type ListenSocket =
  | {
      readonly path: string
      /** Whoever may write to the socket may connect; as in `chmod`, 0o660 for example. */
      readonly mode: number
    }
  | { readonly fd: number }

/** Where a server listens: on a socket, when it has one, else on a host and port. */
export interface ListenPlace {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  readonly socket?: ListenSocket | undefined
}

/** Where a server listens now. */
export interface Listening {
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
 * @throws SocketRefused, and what the system says
 */
export const listen = async (server: Server, { host, port, socket }: ListenPlace): Promise<Listening> => {
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

const open = (server: Server, options: ListenOptions): Promise<Listening> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(options, () => {
      server.off('error', reject)
      resolve(describe(server.address()))
    })
  })

const describe = (found: AddressInfo | string | null): Listening => {
  if (found === null || typeof found === 'string') return { address: `unix:${found ?? ''}`, port: 0, isUnix: true }
  const { address, port } = found
  return { address: `${address.includes(':') ? `[${address}]` : address}:${port}`, port, isUnix: false }
}
