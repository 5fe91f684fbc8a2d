import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import proxyaddr from 'proxy-addr'

/** The network address that a request comes from; empty when its connection is gone. */
export type FindAddress = (request: IncomingMessage) => string

const peerOf: FindAddress = ({ socket }) => socket.remoteAddress ?? ''

/**
 * Finds addresses behind proxies that are named by address, CIDR range, or `loopback`, `linklocal`, `uniquelocal`: what
 * they wrote into X-Forwarded-For is believed hop by hop from the right, up to the first address that is none of them.
 * What stands left of that was written by who came from there. Something else than an address counts as the peer's.
 * @throws TypeError, RangeError when a name is none of these
 */
export const createFindAddress = (trustedProxies: readonly string[]): FindAddress => {
  if (trustedProxies.length === 0) return peerOf
  const isTrusted = proxyaddr.compile([...trustedProxies])
  return (request) => {
    if (request.headers['x-forwarded-for'] === undefined) return peerOf(request)
    const address = proxyaddr(request, isTrusted)
    return isIP(address ?? '') === 0 ? peerOf(request) : address
  }
}
