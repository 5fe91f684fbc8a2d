import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { LRUCache } from 'lru-cache'
import proxyaddr from 'proxy-addr'
import { findAddressKey } from '../accounts/sessions.ts'
import { ApiError } from '../api-error.ts'

/** Finds the network address of a request's client; empty when the connection is closed. */
export type FindClientAddress = (request: IncomingMessage) => string

const getPeerAddress: FindClientAddress = ({ socket }) => socket.remoteAddress ?? ''

/** Tells whether a request comes from a trusted proxy: one with a trusted address, or the peer of a Unix socket. */
type IsTrustedPeer = (request: IncomingMessage) => boolean

/**
 * Creates the check for trusted peers.
 * @throws TypeError, RangeError when a name is no address, range or named range
 */
export const createIsTrustedPeer = (
  trustedProxies: readonly string[],
  isBehindUnixSocket: () => boolean = () => false,
): IsTrustedPeer => {
  const isTrusted = cacheResults(proxyaddr.compile([...trustedProxies]))
  return ({ socket }) =>
    socket.remoteAddress === undefined ? isBehindUnixSocket() && !socket.destroyed : isTrusted(socket.remoteAddress, 0)
}

/**
 * Finds client addresses behind proxies that are named by address, CIDR range, or `loopback`, `linklocal`,
 * `uniquelocal`. It reads X-Forwarded-For from the right, hop by hop, up to the first address that is no trusted proxy.
 * That client wrote everything to the left of its own address, so it is not trusted. If the entry is no address, the
 * peer's address counts. Behind a Unix socket the peer has no address and is trusted: it is a local program that the
 * socket's mode lets in.
 * @throws TypeError, RangeError when a name is none of these
 */
export const createFindClientAddress = (
  trustedProxies: readonly string[],
  isBehindUnixSocket: () => boolean = () => false,
): FindClientAddress => {
  const isTrusted = cacheResults(proxyaddr.compile([...trustedProxies]))
  const isPeerOfSocket = (address: string | undefined, hop: number) =>
    hop === 0 && address === undefined && isBehindUnixSocket()
  return (request) => {
    if (request.headers['x-forwarded-for'] === undefined) return getPeerAddress(request)
    if (trustedProxies.length === 0 && !isBehindUnixSocket()) return getPeerAddress(request)
    const address = proxyaddr(request, (at, hop) => isPeerOfSocket(at, hop) || isTrusted(at, hop))
    return isIP(address ?? '') === 0 ? getPeerAddress(request) : address
  }
}

const maxAddressCharacters = 45

/** Caches the results, because parsing an address is expensive and few addresses send most requests. */
const cacheResults = (check: (address: string, hop: number) => boolean) => {
  const results = new LRUCache<string, boolean>({ max: 1_000 })
  return (address: string | undefined, hop: number): boolean => {
    if (address === undefined || address.length > maxAddressCharacters) return false
    const known = results.get(address)
    if (known !== undefined) return known
    const result = check(address, hop)
    results.set(address, result)
    return result
  }
}

/** Finds the name of the user whom a trusted proxy signed in; undefined without a name or without a trusted proxy. */
export type FindProxyUser = (request: IncomingMessage) => string | undefined

/**
 * Reads the header in which a proxy names the user (`auth_header`), from trusted proxies only. A header that is given
 * twice counts as absent: one of the two may be the client's own, which the proxy failed to remove. Proxies write
 * UTF-8, and Node decodes it as Latin-1. A name that is too long is returned, and the pages reject it: as an absent
 * name it would let the previous session continue.
 */
export const createFindProxyUser = (header: string | undefined, isTrustedPeer: IsTrustedPeer): FindProxyUser => {
  if (header === undefined) return () => undefined
  const name = header.toLowerCase()
  return (request) => {
    const [value, another] = request.headersDistinct[name] ?? []
    if (value === undefined || another !== undefined) return undefined
    if (!isTrustedPeer(request)) return undefined
    return Buffer.from(value, 'latin1').toString().trim() || undefined
  }
}

/** How many unauthenticated requests an address may send. */
export interface RateLimits {
  /** Requests a second on average. */
  readonly perSecond: number
  /** Requests at once, after a pause. */
  readonly burst: number
  /** Addresses that the limiter remembers. */
  readonly maxAddresses: number
}

/** The default limits: far more than the browsers of a household need, and less than one core can serve. */
export const defaultRateLimits: RateLimits = { perSecond: 50, burst: 1_000, maxAddresses: 10_000 }

/** Counts the requests of unauthenticated clients besides the API, and their errors at the API. */
export interface RateLimiter {
  /**
   * Counts one request.
   * @throws ApiError `tooManyVisits` when the address sent too many; a rejected one is not counted
   */
  readonly count: (address: string) => void
}

/**
 * Creates a rate limiter of token buckets, one for each address (IPv6: each /64). It stores the time at which a bucket
 * will be full again: that is a single number, and a forgotten address has a full bucket. `now` is a monotonic clock in
 * milliseconds.
 */
export const createRateLimiter = (
  { perSecond, burst, maxAddresses }: RateLimits = defaultRateLimits,
  now: () => number = () => performance.now(),
): RateLimiter => {
  const msPerRequest = 1000 / perSecond
  const fullAt = new LRUCache<string, number>({ max: maxAddresses })
  return {
    count: (address) => {
      const key = findAddressKey(address)
      const time = now()
      const next = Math.max(fullAt.get(key) ?? 0, time) + msPerRequest
      const waitMs = next - time - burst * msPerRequest
      if (waitMs > 0) throw new ApiError('tooManyVisits', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) })
      fullAt.set(key, next)
    },
  }
}

/**
 * True for an API error of a client that sent no access token. An error for an invalid token is not counted: the client
 * must learn that its token expired (401), however many requests come from its address, and tokens cannot be guessed.
 * An error that requires the client to wait (429) is not counted either.
 */
export const isUnauthenticatedError = (error: unknown, userId: unknown): boolean =>
  error instanceof ApiError &&
  userId === undefined &&
  error.kind !== 'tokenInvalid' &&
  error.status !== 429 &&
  error.status < 500
