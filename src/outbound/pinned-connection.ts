import * as net from 'node:net'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import * as tls from 'node:tls'
import { plainHost } from './delivery-rules.ts'
import { portOf } from './judge-address.ts'

/** How far a connection came: nobody listened, somebody did, and what was agreed on (TLS, if it is https) stood. */
export type Reached = 'nothing' | 'socket' | 'receiver'

/** One connection to one of a few addresses, and to nowhere else. */
export interface PinnedConnection {
  /** Ready for use as it is: what is written waits until it stands. */
  readonly socket: Socket
  readonly reached: () => Reached
}

/** Half of the network is slower than the quarter of a second that Node gives each address. */
const eachInTurn = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 1_000 }

const createLookup =
  (addresses: readonly string[]): LookupFunction =>
  (_name, options, done) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }))
    if (options.all) done(null, found)
    else done(null, found[0]?.address ?? '', found[0]?.family)
  }

const connect = (url: URL, host: string, addresses: readonly string[], authorities?: readonly string[]): Socket => {
  const options = { host, port: portOf(url), lookup: createLookup(addresses), noDelay: true, ...eachInTurn }
  if (url.protocol !== 'https:') return net.connect(options)
  // An address is no server name (RFC 6066); the certificate is then compared with the host.
  const name = isIP(host) === 0 ? { servername: host } : {}
  const trusted = authorities === undefined ? {} : { ca: [...authorities] }
  return tls.connect({ ...options, ...name, ...trusted, ALPNProtocols: ['http/1.1'] })
}

/**
 * Opens a connection that goes to the given addresses, whatever name it is asked for; the name is still what the receiver's
 * certificate must be for. `authorities` are certificates in PEM that are trusted instead of the system's.
 */
export const openPinnedConnection = (
  url: URL,
  addresses: readonly string[],
  authorities?: readonly string[],
): PinnedConnection => {
  const socket = connect(url, plainHost(url.hostname), addresses, authorities)
  let reached: Reached = 'nothing'
  const isSecure = socket instanceof tls.TLSSocket
  socket.once('connect', () => {
    reached = isSecure ? 'socket' : 'receiver'
  })
  socket.once('secureConnect', () => {
    reached = 'receiver'
  })
  // Whoever uses it is told too, but not before and not after.
  socket.on('error', () => {})
  return { socket, reached: () => reached }
}
