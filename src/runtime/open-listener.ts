import type { Settings } from '../config/settings-table.ts'
import { CertificateRefused } from '../http/certificate.ts'
import type { ListenSocket } from '../http/listen.ts'
import type { Observers } from '../http/log-requests.ts'
import { type OpenServer, openServer } from '../http/server.ts'
import { SocketRefused } from '../http/unix-socket.ts'
import type { Store } from '../store/store.ts'
import { CommandFailed } from './command-failed.ts'
import { findInheritedSocket } from './inherited-socket.ts'
import { readProvider } from './read-provider.ts'

/** Opens the server where the settings say, or on the socket that systemd hands over. @throws CommandFailed */
export async function openListener(store: Store, settings: Settings, { log, metrics }: Observers): Promise<OpenServer> {
  const { baseUrl, socket: _, tlsCert, tlsKey, ...others } = settings
  const provider = await readProvider(settings)
  const socket = findSocket(settings)
  if (settings.authHeader !== undefined && settings.trustProxy.length === 0 && socket === undefined) {
    throw new CommandFailed('auth_header: needs trust_proxy or socket: from anybody else the header is not believed', 2)
  }
  const certificate = tlsCert === undefined || tlsKey === undefined ? undefined : { cert: tlsCert, key: tlsKey }
  const address = baseUrl === undefined ? {} : { baseUrl }
  try {
    return await openServer({ store, settings: { ...others, ...address, socket, certificate, provider }, log, metrics })
  } catch (error) {
    if (error instanceof SocketRefused || error instanceof CertificateRefused) throw new CommandFailed(error.message)
    throw describe(error, settings) ?? error
  }
}

function findSocket({ socket, socketMode, baseUrl }: Settings): ListenSocket | undefined {
  const inherited = findInheritedSocket(process.env, process.pid)
  if (inherited === undefined) {
    return socket === undefined ? undefined : { path: socket, mode: Number.parseInt(socketMode, 8) }
  }
  if (baseUrl === undefined) {
    throw new CommandFailed('LISTEN_FDS: a socket that systemd opened needs base_url: the address that clients use')
  }
  return inherited
}

function describe(error: unknown, { host, port, socket }: Settings): CommandFailed | undefined {
  const code = error instanceof Error && 'syscall' in error && 'code' in error ? error.code : undefined
  if (socket !== undefined) {
    if (code === undefined) return undefined
    return new CommandFailed(
      `socket: ${socket} cannot be made (${code}); its folder must be there, and this user must be allowed to write to it`,
    )
  }
  if (code === 'EADDRINUSE') {
    return new CommandFailed(`port ${port} of ${host} is in use; choose another one with --port, or 0 for a free one`)
  }
  if (code === 'EACCES') {
    return new CommandFailed(`port ${port} may not be used by this user; choose one above 1023`)
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new CommandFailed(`host ${host} is no address of this machine; use 127.0.0.1 or 0.0.0.0`)
  }
  return undefined
}
