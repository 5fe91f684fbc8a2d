import type { IncomingMessage } from 'node:http'
import type { IsTrustedPeer } from './client-address.ts'

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
