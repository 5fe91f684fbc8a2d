import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { LRUCache } from 'lru-cache'
import proxyaddr from 'proxy-addr'
import { findAddressKey } from '../accounts/sessions.ts'
import { ApiError } from '../api-error.ts'

/** The network address that a request comes from; empty when its connection is gone. */
export type FindClientAddress = (request: IncomingMessage) => string

const peerOf: FindClientAddress = ({ socket }) => socket.remoteAddress ?? ''

/** True when a request comes from a proxy that is believed, by the address that connected, or by a Unix socket. */
type IsTrustedPeer = (request: IncomingMessage) => boolean

/** Judges who connected. @throws TypeError, RangeError when a name is no address, range or kind of them */
export const createIsTrustedPeer = (
  trustedProxies: readonly string[],
  isBehindUnixSocket: () => boolean = () => false,
): IsTrustedPeer => {
  const isTrusted = cacheResults(proxyaddr.compile([...trustedProxies]))
  return ({ socket }) =>
    socket.remoteAddress === undefined ? isBehindUnixSocket() && !socket.destroyed : isTrusted(socket.remoteAddress, 0)
}

/**
 * Finds addresses behind proxies that are named by address, CIDR range, or `loopback`, `linklocal`, `uniquelocal`: what
 * they wrote into X-Forwarded-For is believed hop by hop from the right, up to the first address that is none of them.
 * What stands left of that was written by who came from there. Something else than an address counts as the peer's.
 * Behind a Unix socket the peer has no address, and is believed: it is a program of this machine that the socket's mode
 * lets in.
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
    if (request.headers['x-forwarded-for'] === undefined) return peerOf(request)
    if (trustedProxies.length === 0 && !isBehindUnixSocket()) return peerOf(request)
    const address = proxyaddr(request, (at, hop) => isPeerOfSocket(at, hop) || isTrusted(at, hop))
    return isIP(address ?? '') === 0 ? peerOf(request) : address
  }
}

const maxAddressCharacters = 45

/** Reading an address costs as much as a third of a small sync, and few addresses make most requests. */
const cacheResults = (judge: (address: string, hop: number) => boolean) => {
  const verdicts = new LRUCache<string, boolean>({ max: 1_000 })
  return (address: string | undefined, hop: number): boolean => {
    if (address === undefined || address.length > maxAddressCharacters) return false
    const known = verdicts.get(address)
    if (known !== undefined) return known
    const verdict = judge(address, hop)
    verdicts.set(address, verdict)
    return verdict
  }
}

/** Whom the proxy says it has signed in; undefined when it says nobody, or is not one that is believed. */
export type FindProxyUser = (request: IncomingMessage) => string | undefined

/**
 * Reads the header with which a proxy names the user (`auth_header`), of trusted proxies only. Twice is never: then one of
 * them may be the client's own, which the proxy was to take out. Proxies write UTF-8, which Node gives as Latin-1. The pages
 * refuse a name that is too long: as no name at all it would let the session of before go on.
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

/** How often an address may ask for what is handed out to anybody. */
export interface RateLimits {
  /** In the long run. */
  readonly perSecond: number
  /** At once, after a silence. */
  readonly burst: number
  /** Addresses that are remembered. */
  readonly maxAddresses: number
}

/** The limits of a server: far more than a household of browsers asks, and less than one core can answer. */
export const defaultRateLimits: RateLimits = { perSecond: 50, burst: 1_000, maxAddresses: 10_000 }

/** Counts what strangers ask for beside the API, and what the API refuses to them. */
export interface RateLimiter {
  /** @throws ApiError `tooManyVisits` when the address has asked too often; what is refused is not counted */
  readonly count: (address: string) => void
}

/**
 * Buckets of tokens, one for each address (IPv6: each /64), as the time at which a bucket will be full again: that is one
 * number, and an address that is forgotten has a full one. `now` is a clock in milliseconds that nobody sets.
 */
export const createRateLimiter = (
  { perSecond, burst, maxAddresses }: RateLimits = defaultRateLimits,
  now: () => number = () => performance.now(),
): RateLimiter => {
  const each = 1000 / perSecond
  const fullAt = new LRUCache<string, number>({ max: maxAddresses })
  return {
    count: (address) => {
      const key = findAddressKey(address)
      const time = now()
      const next = Math.max(fullAt.get(key) ?? 0, time) + each
      const waitMs = next - time - burst * each
      if (waitMs > 0) throw new ApiError('tooManyVisits', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) })
      fullAt.set(key, next)
    },
  }
}

/**
 * True for what the API refuses to somebody who has shown no access token. One that is wrong is not counted: its client has
 * to learn that it is over (401), however many requests come from the same address, and there is nothing to be guessed. So
 * isn't what asks to wait anyway.
 */
export const isUnauthenticatedError = (error: unknown, userId: unknown): boolean =>
  error instanceof ApiError &&
  userId === undefined &&
  error.kind !== 'tokenInvalid' &&
  error.status !== 429 &&
  error.status < 500
