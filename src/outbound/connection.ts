import { lookup, Resolver } from 'node:dns/promises'
import * as net from 'node:net'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import * as tls from 'node:tls'
import { plainHost, portOf } from './address-guard.ts'

/** How far a connection came: nobody listened, somebody did, and what was agreed on (TLS, if it is https) stood. */
export type Reached = 'nothing' | 'socket' | 'receiver'

/** One connection to one of a few addresses, and to nowhere else. */
interface PinnedConnection {
  /** Ready for use as it is: what is written waits until it stands. */
  readonly socket: Socket
  readonly reached: () => Reached
}

/** Half of the network is slower than the quarter of a second that Node gives each address. */
const happyEyeballs = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 1_000 }

const createLookup =
  (addresses: readonly string[]): LookupFunction =>
  (_name, options, done) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }))
    if (options.all) done(null, found)
    else done(null, found[0]?.address ?? '', found[0]?.family)
  }

const connect = (url: URL, host: string, addresses: readonly string[], authorities?: readonly string[]): Socket => {
  const options = { host, port: portOf(url), lookup: createLookup(addresses), noDelay: true, ...happyEyeballs }
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

/** Finds the addresses of a name, both kinds; none when there is no such name or nobody answers. */
export type ResolveName = (name: string, signal: AbortSignal) => Promise<readonly string[]>

/** A name server that is silent costs 2 s and 4 s, so that the one beside it still has its turn. */
const resolverOptions = { timeout: 2_000, tries: 2 }

const isDnsError = (error: unknown): boolean => error instanceof Error && 'code' in error && 'syscall' in error

const emptyWhenUnknown = async (addresses: Promise<readonly string[]>): Promise<readonly string[]> => {
  try {
    return await addresses
  } catch (error) {
    if (isDnsError(error)) return []
    throw error
  }
}

/**
 * Asks the name servers of the system, and not its look-up: that one waits in one of two threads of the process for as
 * long as a name server likes, so that a few names of somebody who means harm would keep all others waiting.
 */
export const createResolveName =
  (servers?: readonly string[]): ResolveName =>
  async (name, signal) => {
    // One for each question: it can be given up alone, and it knows name servers that were changed since.
    const resolver = new Resolver(resolverOptions)
    if (servers !== undefined) resolver.setServers(servers)
    const cancel = () => resolver.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      const both = [resolver.resolve4(name), resolver.resolve6(name)]
      return (await Promise.all(both.map(emptyWhenUnknown))).flat()
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

/** The look-up of the system, which knows the hosts file too: for names that the operator has listed. */
export const lookUpName: ResolveName = async (name) => {
  const found = lookup(name, { all: true }).then((addresses) => addresses.map(({ address }) => address))
  return emptyWhenUnknown(found)
}
