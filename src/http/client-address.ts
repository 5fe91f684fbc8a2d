import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { LRUCache } from 'lru-cache'
import proxyaddr from 'proxy-addr'

/** The network address that a request comes from; empty when its connection is gone. */
export type FindAddress = (request: IncomingMessage) => string

const peerOf: FindAddress = ({ socket }) => socket.remoteAddress ?? ''

/** True when a request comes from a proxy that is believed, by the address that connected, or by a Unix socket. */
export type IsTrustedPeer = (request: IncomingMessage) => boolean

/** Judges who connected. @throws TypeError, RangeError when a name is no address, range or kind of them */
export const createIsTrustedPeer = (
  trustedProxies: readonly string[],
  isBehindUnixSocket: () => boolean = () => false,
): IsTrustedPeer => {
  const isTrusted = rememberVerdicts(proxyaddr.compile([...trustedProxies]))
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
export const createFindAddress = (
  trustedProxies: readonly string[],
  isBehindUnixSocket: () => boolean = () => false,
): FindAddress => {
  const isTrusted = rememberVerdicts(proxyaddr.compile([...trustedProxies]))
  const isPeerOfSocket = (address: string | undefined, hop: number) =>
    hop === 0 && address === undefined && isBehindUnixSocket()
  return (request) => {
    if (request.headers['x-forwarded-for'] === undefined) return peerOf(request)
    if (trustedProxies.length === 0 && !isBehindUnixSocket()) return peerOf(request)
    const address = proxyaddr(request, (at, hop) => isPeerOfSocket(at, hop) || isTrusted(at, hop))
    return isIP(address ?? '') === 0 ? peerOf(request) : address
  }
}

const longestAddress = 45

/** Reading an address costs as much as a third of a small sync, and few addresses make most requests. */
const rememberVerdicts = (judge: (address: string, hop: number) => boolean) => {
  const verdicts = new LRUCache<string, boolean>({ max: 1_000 })
  return (address: string | undefined, hop: number): boolean => {
    if (address === undefined || address.length > longestAddress) return false
    const known = verdicts.get(address)
    if (known !== undefined) return known
    const verdict = judge(address, hop)
    verdicts.set(address, verdict)
    return verdict
  }
}
