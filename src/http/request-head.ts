import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError } from '../api-error.ts'
import { findOrigin } from '../pages/site.ts'

/** The parts of a request target. */
export interface RequestTarget {
  readonly path: string
  /** The query without the `?`. */
  readonly query: string
  /** The authority of an absolute form. It replaces the Host header (RFC 9112, 3.2.2). */
  readonly host?: string
}

// With an authority and a path. Clients send this form to proxies, and servers must accept it (RFC 9112, 3.2.2).
const absoluteForm = /^https?:\/\/[^/?#]+(?=\/)/i

/**
 * Parses a request target in origin form (`/v1/sync?from=1`) or in absolute form; undefined for any other (RFC 9112,
 * 3.2). An absolute form without a path is rejected, because Koa and Node's own parser read null from it or throw. A
 * fragment is rejected, because no client sends it and a proxy in front may take it for a part of the path.
 */
export const parseTarget = (target: string): RequestTarget | undefined => {
  const start = target.startsWith('/') ? 0 : (absoluteForm.exec(target)?.[0].length ?? -1)
  if (start < 0 || target.includes('#')) return undefined
  const host = start === 0 ? {} : { host: target.slice(target.indexOf('//') + 2, start) }
  const mark = target.indexOf('?', start)
  if (mark < 0) return { path: target.slice(start), query: '', ...host }
  return { path: target.slice(start, mark), query: target.slice(mark + 1), ...host }
}

/** Node 20 and 22 drop all headers after this number, including a token, unless the server is configured otherwise. */
const maxHeaders = 1000

/** Node shows only the first of these headers, so a proxy in front may have seen another one. */
const singleHeaders: ReadonlySet<string> = new Set(['host', 'authorization', 'content-type'])
const singleHeaderLengths: ReadonlySet<number> = new Set([...singleHeaders].map((name) => name.length))

/**
 * Rejects a request with an ambiguous head: so many headers that some were dropped (431), no Host or more than one (RFC
 * 9112, 3.2), or two different values of a header that has one. It also rejects a transfer coding that this server does
 * not decode or HTTP/1.0 does not have (RFC 9112, 6.1), because a proxy may see another end of that body.
 */
const checkHead = ({ httpVersion, headers, rawHeaders }: IncomingMessage): void => {
  if (rawHeaders.length >= 2 * maxHeaders) throw new ApiError('headersTooMany', { max: maxHeaders - 1 })
  if (httpVersion === '1.1' && headers.host === undefined) {
    throw new ApiError('parameterInvalid', { parameter: 'The Host header', reason: 'is required' })
  }
  if (!hasKnownEnd(httpVersion, headers['transfer-encoding'])) {
    const reason = httpVersion === '1.1' ? 'must be chunked' : 'is not for HTTP/1.0'
    throw new ApiError('parameterInvalid', { parameter: 'The Transfer-Encoding header', reason })
  }
  let seen: Map<string, string> | undefined
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at] as string
    // Every request passes here, and the length excludes most names cheaply.
    if (!singleHeaderLengths.has(sent.length)) continue
    const name = sent.toLowerCase()
    if (!singleHeaders.has(name)) continue
    const value = rawHeaders[at + 1] as string
    seen ??= new Map()
    const earlier = seen.get(name)
    if (earlier !== undefined && (name === 'host' || earlier !== value)) rejectRepeated(name)
    seen.set(name, value)
  }
}

/**
 * Creates a check that rejects an invalid host in the Host header or in an absolute target (RFC 9112, 3.2). HTTP/1.0
 * needs none. Health checks may send an empty one, because load balancers know no name.
 */
const createHostCheck = () => {
  // Most requests name the same host as the previous one.
  let lastValidHost: string | undefined
  const checkHost = (parameter: string, host: string) => {
    if (host === lastValidHost) return
    if (findOrigin(host, false) === undefined) throw new ApiError('hostInvalid', { parameter })
    lastValidHost = host
  }
  return ({ httpVersion, headers: { host } }: IncomingMessage, target: RequestTarget, isHealth: boolean): void => {
    const mayBeEmpty = isHealth || httpVersion === '1.0'
    if (host !== undefined && !(host === '' && mayBeEmpty)) checkHost('The Host header', host)
    if (target.host !== undefined) checkHost('The request target', target.host)
  }
}

const hasKnownEnd = (httpVersion: string, coding: string | undefined): boolean =>
  coding === undefined || (httpVersion === '1.1' && coding.toLowerCase() === 'chunked')

const rejectRepeated = (name: string): never => {
  if (name === 'authorization') throw new ApiError('tokenTwice')
  const parameter = name === 'host' ? 'The Host header' : 'The Content-Type header'
  throw new ApiError('parameterInvalid', { parameter, reason: 'is given more than once' })
}

/** Checks the heads of requests, and closes connections on which the start of the next request is ambiguous. */
type CheckRequestHead = (
  message: IncomingMessage,
  response: ServerResponse,
  target: RequestTarget,
  isHealth: boolean,
) => void

/**
 * Creates the check of request heads. If a proxy sees another end of a body, the bytes behind it may belong to another
 * user's request. Therefore the server closes that connection (RFC 9112, 6.1) and rejects the requests that follow on
 * it.
 */
export const createRequestHeadCheck = (): CheckRequestHead => {
  const unclear = new WeakSet<Socket>()
  const checkHost = createHostCheck()
  return (message, response, target, isHealth) => {
    const { socket, httpVersion, headers } = message
    const isUnclear = unclear.has(socket)
    if (isUnclear || !hasKnownEnd(httpVersion, headers['transfer-encoding'])) {
      unclear.add(socket)
      response.setHeader('connection', 'close')
    }
    if (isUnclear) {
      const reason = 'follows a request whose end is ambiguous'
      throw new ApiError('parameterInvalid', { parameter: 'The request', reason })
    }
    checkHead(message)
    checkHost(message, target, isHealth)
  }
}
