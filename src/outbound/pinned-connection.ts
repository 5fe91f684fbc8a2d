import * as net from 'node:net'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import * as tls from 'node:tls'
import type { buildConnector } from 'undici'

/** How far a connection came: nobody listened, somebody did, and what was agreed on (TLS, if it is https) stood. */
export type Reached = 'nothing' | 'socket' | 'receiver'

/** One connection to one of a few addresses, and to nowhere else. */
export interface PinnedConnection {
  /** As undici wants it. A second call fails: it would be a second try that nobody asked for. */
  readonly connect: buildConnector.connector
  readonly reached: () => Reached
  /** At once, also while it is still being made. */
  readonly close: () => void
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

/**
 * Makes a connection that goes to the given addresses, whatever name it is asked for; the name is still what the receiver's
 * certificate must be for. `authorities` are certificates in PEM that are trusted instead of the system's.
 */
export const createPinnedConnection = (
  host: string,
  addresses: readonly string[],
  authorities?: readonly string[],
): PinnedConnection => {
  let socket: Socket | undefined
  let reached: Reached = 'nothing'

  const open = (isSecure: boolean, port: number): Socket => {
    const options = { host, port, lookup: createLookup(addresses), ...eachInTurn }
    if (!isSecure) return net.connect(options)
    // An address is no server name (RFC 6066); the certificate is then compared with the host.
    const name = isIP(host) === 0 ? { servername: host } : {}
    const trusted = authorities === undefined ? {} : { ca: [...authorities] }
    return tls.connect({ ...options, ...name, ...trusted, ALPNProtocols: ['http/1.1'] })
  }

  return {
    connect: ({ protocol, port }, callback) => {
      if (socket !== undefined) {
        callback(Object.assign(new Error('the connection was lost'), { code: 'ECONNRESET' }), null)
        return
      }
      const isSecure = protocol === 'https:'
      const made = open(isSecure, Number(port || (isSecure ? 443 : 80)))
      socket = made
      const fail = (error: Error) => callback(error, null)
      made.once('error', fail)
      made.once('connect', () => {
        reached = 'socket'
      })
      made.once(isSecure ? 'secureConnect' : 'connect', () => {
        reached = 'receiver'
        made.off('error', fail)
        made.setNoDelay(true)
        callback(null, made)
      })
    },
    reached: () => reached,
    close: () => {
      socket?.destroy()
    },
  }
}
