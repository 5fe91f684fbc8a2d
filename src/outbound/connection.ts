import { lookup, Resolver } from 'node:dns/promises'
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import * as net from 'node:net'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import * as tls from 'node:tls'
import { type DeliveryRules, isPublicAddress, parseAddress, plainHost, portOf } from './address-guard.ts'

/**
 * The progress of a connection: none, a TCP connection, or a receiver to talk HTTP to (after TLS, if the URL is https).
 */
export type Reached = 'nothing' | 'socket' | 'receiver'

/** A connection to one of the given IP addresses only. */
interface PinnedConnection {
  /** Usable at once: data that is written is buffered until the connection is established. */
  readonly socket: Socket
  readonly reached: () => Reached
}

/** Node gives each address only 250 ms, which is too short for many networks. */
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
  // An IP address is no server name (RFC 6066). Node then compares the certificate with the host.
  const name = isIP(host) === 0 ? { servername: host } : {}
  const trusted = authorities === undefined ? {} : { ca: [...authorities] }
  return tls.connect({ ...options, ...name, ...trusted, ALPNProtocols: ['http/1.1'] })
}

/**
 * Opens a connection to one of the given IP addresses, without a name lookup. The receiver's certificate must still be
 * for the host name of the URL. `authorities` are PEM certificates that are trusted instead of the system's.
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
  // The HTTP request listens for errors only while it uses the socket. An error before or after must not crash.
  socket.on('error', () => {})
  return { socket, reached: () => reached }
}

/** Finds the IPv4 and IPv6 addresses of a name. Returns none if the name does not exist or no name server responds. */
export type ResolveName = (name: string, signal: AbortSignal) => Promise<readonly string[]>

/** A name server that does not respond costs 2 s and 4 s, so that there is time to query the next server. */
const resolverOptions = { timeout: 2_000, tries: 2 }

const isDnsError = (error: unknown): boolean => error instanceof Error && 'code' in error && 'syscall' in error

const emptyOnDnsError = async (addresses: Promise<readonly string[]>): Promise<readonly string[]> => {
  try {
    return await addresses
  } catch (error) {
    if (isDnsError(error)) return []
    throw error
  }
}

/**
 * Creates a resolver that calls the name servers of the system and does not use `dns.lookup`. A `dns.lookup` blocks one
 * of two threads until the name server responds, so that a few hostile names would delay all others.
 */
export const createResolveName =
  (servers?: readonly string[]): ResolveName =>
  async (name, signal) => {
    // A resolver for each lookup: each can be canceled alone, and each uses the current name servers of the system.
    const resolver = new Resolver(resolverOptions)
    if (servers !== undefined) resolver.setServers(servers)
    const cancel = () => resolver.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      const both = [resolver.resolve4(name), resolver.resolve6(name)]
      return (await Promise.all(both.map(emptyOnDnsError))).flat()
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

/** Looks up a name with `dns.lookup`, which also reads the hosts file. For names that the administrator has listed. */
export const lookUpName: ResolveName = async (name) => {
  const found = lookup(name, { all: true }).then((addresses) => addresses.map(({ address }) => address))
  return emptyOnDnsError(found)
}

/** Where a request may go: the addresses of a host, each of them checked. */
interface Destination {
  readonly addresses: readonly string[]
  /** False when one of them needed the rules. */
  readonly isPublic: boolean
}

/** Finds and checks the addresses of a URL's host. Returns undefined if the name is unknown or one is not allowed. */
export type FindDestination = (url: URL, signal: AbortSignal) => Promise<Destination | undefined>

/** A name may have thousands of addresses; the connection tries only the first ones. */
const maxAddresses = 8

/** `dns.lookup` cannot be canceled. It is ignored after the abort. */
const untilAborted = (found: Promise<readonly string[]>, signal: AbortSignal): Promise<readonly string[]> =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => resolve([]), { once: true })
    found.then(resolve, reject)
  })

/** Creates a function that resolves a host once and checks every address. The rules allow more than public addresses. */
export const createFindDestination =
  (rules: DeliveryRules, resolveName: ResolveName = createResolveName()): FindDestination =>
  async (url, signal) => {
    const [host, port] = [plainHost(url.hostname), portOf(url)]
    const isListed = rules.allowsName(host, port)
    const resolve = isListed ? lookUpName : resolveName
    const found = parseAddress(host) === undefined ? await untilAborted(resolve(host, signal), signal) : [host]
    const parsed = found.map(parseAddress)
    const isAllowed = (address: (typeof parsed)[number]) =>
      address !== undefined && (isListed || isPublicAddress(address) || rules.allowsAddress(address, port))
    if (parsed.length === 0 || !parsed.every(isAllowed)) return undefined
    const isPublic = parsed.every((address) => address !== undefined && isPublicAddress(address))
    return { addresses: found.slice(0, maxAddresses), isPublic }
  }

/** A request and its connection. */
interface OneRequest {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly headers: OutgoingHttpHeaders
  readonly body?: string | Uint8Array
  /** Used for this request only. The caller closes it. */
  readonly socket: Socket
}

/**
 * Sends a request once and returns the head of the response. Returns undefined if the connection ends without one.
 * Plain `node:http`: a client library would create a connection pool for each request.
 * @throws TypeError for invalid headers
 */
export const requestOnce = ({
  method,
  url,
  headers,
  body,
  socket,
}: OneRequest): Promise<IncomingMessage | undefined> => {
  const sending = request({
    method,
    path: `${url.pathname}${url.search}`,
    headers: { host: url.host, connection: 'close', ...headers },
    // Also for https: the socket is already a TLS socket.
    createConnection: () => socket,
  })
  return new Promise((resolve) => {
    sending.once('response', resolve)
    sending.on('error', () => resolve(undefined))
    // After a 101 (Switching Protocols) the request emits no event.
    socket.once('close', () => resolve(undefined))
    sending.end(body)
  })
}
