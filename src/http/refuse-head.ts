import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { originOf } from '../pages/site.ts'
import { Refused } from '../refused.ts'
import type { Target } from './read-target.ts'

/** From as many headers on Node 20 and 22 drop what follows, and a token with it, unless the server was told otherwise. */
const tooManyHeaders = 1000

/** Of these Node shows the first alone, so that what a proxy in front saw may be another one. */
const single: ReadonlySet<string> = new Set(['host', 'authorization', 'content-type'])
const singleLengths: ReadonlySet<number> = new Set([...single].map((name) => name.length))

/**
 * Refuses a request whose headers cannot be trusted to say what its sender meant: so many that some were dropped (431),
 * more than one Host or none (RFC 9112, 3.2), two different values of a header that has one, or a body in a transfer coding
 * that is not undone here, or that HTTP/1.0 does not know (RFC 9112, 6.1), so that a proxy may see it end elsewhere.
 */
const judgeHead = ({ httpVersion, headers, rawHeaders }: IncomingMessage): void => {
  if (rawHeaders.length >= 2 * tooManyHeaders) throw new Refused('headersTooMany', { most: tooManyHeaders - 1 })
  if (httpVersion === '1.1' && headers.host === undefined) {
    throw new Refused('parameterInvalid', { parameter: 'The Host header', reason: 'is required' })
  }
  if (!isEndKnown(httpVersion, headers['transfer-encoding'])) {
    const reason = httpVersion === '1.1' ? 'must be chunked' : 'is not for HTTP/1.0'
    throw new Refused('parameterInvalid', { parameter: 'The Transfer-Encoding header', reason })
  }
  let seen: Map<string, string> | undefined
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at] as string
    // Every request passes here: most names are told by their length.
    if (!singleLengths.has(sent.length)) continue
    const name = sent.toLowerCase()
    if (!single.has(name)) continue
    const value = rawHeaders[at + 1] as string
    seen ??= new Map()
    const earlier = seen.get(name)
    if (earlier !== undefined && (name === 'host' || earlier !== value)) refuseTwice(name)
    seen.set(name, value)
  }
}

/**
 * Refuses a host that no address can be made of, in the Host header or in an absolute target (RFC 9112, 3.2). HTTP/1.0 needs
 * none. Health checks of load balancers, which know no name, may send an empty one.
 */
const createJudgeHost = () => {
  // Most requests ask for the same host as the one before.
  let lastFound: string | undefined
  const judge = (parameter: string, host: string) => {
    if (host === lastFound) return
    if (originOf(host, false) === undefined) throw new Refused('hostInvalid', { parameter })
    lastFound = host
  }
  return ({ httpVersion, headers: { host } }: IncomingMessage, target: Target, isHealth: boolean): void => {
    const mayBeEmpty = isHealth || httpVersion === '1.0'
    if (host !== undefined && !(host === '' && mayBeEmpty)) judge('The Host header', host)
    if (target.host !== undefined) judge('The request target', target.host)
  }
}

const isEndKnown = (httpVersion: string, coding: string | undefined): boolean =>
  coding === undefined || (httpVersion === '1.1' && coding.toLowerCase() === 'chunked')

const refuseTwice = (name: string): never => {
  if (name === 'authorization') throw new Refused('tokenTwice')
  const parameter = name === 'host' ? 'The Host header' : 'The Content-Type header'
  throw new Refused('parameterInvalid', { parameter, reason: 'is given more than once' })
}

/** Judges the heads of requests, and closes connections on which nobody can tell any more where one begins. */
export type RefuseHead = (message: IncomingMessage, answer: ServerResponse, target: Target, isHealth: boolean) => void

/**
 * Where a body ends elsewhere for a proxy, what follows on its connection may be a body of somebody else: that connection is
 * closed (RFC 9112, 6.1), and what was sent behind it by then is refused, too.
 */
export const createRefuseHead = (): RefuseHead => {
  const unclear = new WeakSet<Socket>()
  const judgeHost = createJudgeHost()
  return (message, answer, target, isHealth) => {
    const { socket, httpVersion, headers } = message
    const isUnclear = unclear.has(socket)
    if (isUnclear || !isEndKnown(httpVersion, headers['transfer-encoding'])) {
      unclear.add(socket)
      answer.setHeader('connection', 'close')
    }
    if (isUnclear) {
      const reason = 'came behind a request whose end nobody can tell'
      throw new Refused('parameterInvalid', { parameter: 'The request', reason })
    }
    judgeHead(message)
    judgeHost(message, target, isHealth)
  }
}
