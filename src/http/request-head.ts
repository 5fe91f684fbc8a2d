import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError } from '../api-error.ts'
import { originOf } from '../pages/site.ts'

/** What a request asks for. */
export interface RequestTarget {
  readonly path: string
  /** Without the `?`. */
  readonly query: string
  /** The authority of an absolute form, which counts in the place of the Host header (RFC 9112, 3.2.2). */
  readonly host?: string
}

// With an authority and a path: the forms that a client sends to a proxy, and servers have to take (RFC 9112, 3.2.2).
const absoluteForm = /^https?:\/\/[^/?#]+(?=\/)/i

/**
 * Path and query of a request target in origin form (`/v1/sync?from=1`) or in absolute form; undefined for any other
 * (RFC 9112, 3.2), among them an absolute form without a path, from which Koa and Node's own parser read null or throw,
 * and anything with a fragment, which no client sends and which a proxy in front may take for a part of the path.
 */
export const parseTarget = (target: string): RequestTarget | undefined => {
  const start = target.startsWith('/') ? 0 : (absoluteForm.exec(target)?.[0].length ?? -1)
  if (start < 0 || target.includes('#')) return undefined
  const host = start === 0 ? {} : { host: target.slice(target.indexOf('//') + 2, start) }
  const mark = target.indexOf('?', start)
  if (mark < 0) return { path: target.slice(start), query: '', ...host }
  return { path: target.slice(start, mark), query: target.slice(mark + 1), ...host }
}

/** From as many headers on Node 20 and 22 drop what follows, and a token with it, unless the server was told otherwise. */
const maxHeaders = 1000

/** Of these Node shows the first alone, so that what a proxy in front saw may be another one. */
const singleHeaders: ReadonlySet<string> = new Set(['host', 'authorization', 'content-type'])
const singleHeaderLengths: ReadonlySet<number> = new Set([...singleHeaders].map((name) => name.length))

/**
 * Refuses a request whose headers cannot be trusted to say what its sender meant: so many that some were dropped (431),
 * more than one Host or none (RFC 9112, 3.2), two different values of a header that has one, or a body in a transfer coding
 * that is not undone here, or that HTTP/1.0 does not know (RFC 9112, 6.1), so that a proxy may see it end elsewhere.
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
    // Every request passes here: most names are told by their length.
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
 * Refuses a host that no address can be made of, in the Host header or in an absolute target (RFC 9112, 3.2). HTTP/1.0 needs
 * none. Health checks of load balancers, which know no name, may send an empty one.
 */
const createHostCheck = () => {
  // Most requests ask for the same host as the one before.
  let lastFound: string | undefined
  const judge = (parameter: string, host: string) => {
    if (host === lastFound) return
    if (originOf(host, false) === undefined) throw new ApiError('hostInvalid', { parameter })
    lastFound = host
  }
  return ({ httpVersion, headers: { host } }: IncomingMessage, target: RequestTarget, isHealth: boolean): void => {
    const mayBeEmpty = isHealth || httpVersion === '1.0'
    if (host !== undefined && !(host === '' && mayBeEmpty)) judge('The Host header', host)
    if (target.host !== undefined) judge('The request target', target.host)
  }
}

const hasKnownEnd = (httpVersion: string, coding: string | undefined): boolean =>
  coding === undefined || (httpVersion === '1.1' && coding.toLowerCase() === 'chunked')

const rejectRepeated = (name: string): never => {
  if (name === 'authorization') throw new ApiError('tokenTwice')
  const parameter = name === 'host' ? 'The Host header' : 'The Content-Type header'
  throw new ApiError('parameterInvalid', { parameter, reason: 'is given more than once' })
}

/** Judges the heads of requests, and closes connections on which nobody can tell any more where one begins. */
type CheckRequestHead = (
  message: IncomingMessage,
  response: ServerResponse,
  target: RequestTarget,
  isHealth: boolean,
) => void

/**
 * Where a body ends elsewhere for a proxy, what follows on its connection may be a body of somebody else: that connection is
 * closed (RFC 9112, 6.1), and what was sent behind it by then is refused, too.
 */
export const createRequestHeadCheck = (): CheckRequestHead => {
  const unclear = new WeakSet<Socket>()
  const judgeHost = createHostCheck()
  return (message, response, target, isHealth) => {
    const { socket, httpVersion, headers } = message
    const isUnclear = unclear.has(socket)
    if (isUnclear || !hasKnownEnd(httpVersion, headers['transfer-encoding'])) {
      unclear.add(socket)
      response.setHeader('connection', 'close')
    }
    if (isUnclear) {
      const reason = 'came behind a request whose end nobody can tell'
      throw new ApiError('parameterInvalid', { parameter: 'The request', reason })
    }
    checkHead(message)
    judgeHost(message, target, isHealth)
  }
}
