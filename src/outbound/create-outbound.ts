import type { IncomingMessage } from 'node:http'
import { type DeliveryRules, plainHost } from './delivery-rules.ts'
import { judgeAddress, portOf } from './judge-address.ts'
import { busyOutcome, describeFailure, type Outcome, refusedOutcome } from './outcome.ts'
import { openPinnedConnection } from './pinned-connection.ts'
import { postOnce } from './post-once.ts'
import { isPublicAddress, parseAddress } from './public-address.ts'
import { createResolveName, lookUpName, type ResolveName } from './resolve-name.ts'
import { readRetryAfter } from './retry-after.ts'
import { createSeats } from './seats.ts'

/** What is sent by POST. */
export interface OutboundRequest {
  readonly url: string
  /** Goes out as it is, beside Host, User-Agent and the length. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** Gives it up. */
  readonly signal?: AbortSignal
}

/** How things are sent; only the version of this package is needed. */
export interface OutboundOptions {
  /** For the User-Agent. */
  readonly version: string
  /** For names that the rules do not list; by default the system's name servers are asked. */
  readonly resolveName?: ResolveName
  /** For everything together: look-up, connection, head and body of the answer; 15 s by default. */
  readonly timeoutMs?: number
  /** How many requests may be under way to one host, and twice as many to one address; 8 by default. */
  readonly mostPerHost?: number
  /** Certificates in PEM that are trusted instead of the system's. */
  readonly authorities?: readonly string[]
  readonly now?: () => number
}

/** Sends to addresses that others have chosen. */
export interface Outbound {
  /**
   * Sends once, follows nothing, and keeps nothing: no connection, no cookie. Each address that the name leads to is
   * judged, one that is not allowed is enough to refuse, and the connection goes to these addresses only.
   * @throws what `signal` was aborted with
   */
  readonly send: (request: OutboundRequest) => Promise<Outcome>
}

interface Place {
  readonly addresses: readonly string[]
  /** False when one of them needed the rules. */
  readonly isPublic: boolean
}

/** More are not connected to; a name may have thousands. */
const mostAddresses = 8

/** The look-up of the system cannot be ended: it is left alone. */
const untilAborted = (found: Promise<readonly string[]>, signal: AbortSignal): Promise<readonly string[]> =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => resolve([]), { once: true })
    found.then(resolve, reject)
  })

/** Makes what sends; the rules say where to beside the public internet (contract, delivery). */
export const createOutbound = (rules: DeliveryRules, options: OutboundOptions): Outbound => {
  const { resolveName = createResolveName(), timeoutMs = 15_000, mostPerHost = 8, now = Date.now } = options
  const hosts = createSeats(mostPerHost)
  const machines = createSeats(2 * mostPerHost)

  const findPlace = async (url: URL, signal: AbortSignal): Promise<Place | undefined> => {
    const [host, port] = [plainHost(url.hostname), portOf(url)]
    const isListed = rules.allowsName(host, port)
    const resolve = isListed ? lookUpName : resolveName
    const found = parseAddress(host) === undefined ? await untilAborted(resolve(host, signal), signal) : [host]
    const parsed = found.map(parseAddress)
    const isAllowed = (address: (typeof parsed)[number]) =>
      address !== undefined && (isListed || isPublicAddress(address) || rules.allowsAddress(address, port))
    if (parsed.length === 0 || !parsed.every(isAllowed)) return undefined
    const isPublic = parsed.every((address) => address !== undefined && isPublicAddress(address))
    return { addresses: found.slice(0, mostAddresses), isPublic }
  }

  const sendTo = async (url: URL, request: OutboundRequest, signal: AbortSignal): Promise<Outcome> => {
    const place = await findPlace(url, signal)
    if (place === undefined) return refusedOutcome
    const leave = machines.take(place.addresses[0] ?? '')
    if (leave === undefined) return busyOutcome
    try {
      if (signal.aborted) return describeFailure('nothing', place.isPublic)
      const { socket, reached } = openPinnedConnection(url, place.addresses, options.authorities)
      const headers = { 'user-agent': `thingsync/${options.version}`, ...request.headers }
      const answer = await postOnce({ url, headers, body: request.body, socket, signal })
      return answer === undefined ? describeFailure(reached(), place.isPublic) : describe(answer)
    } finally {
      leave()
    }
  }

  const describe = ({ statusCode: status = 0, headers }: IncomingMessage): Outcome => {
    const retryAfterMs = readRetryAfter(headers['retry-after'], now())
    return { kind: 'answered', status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
  }

  return {
    send: async (request) => {
      request.signal?.throwIfAborted()
      if (judgeAddress(request.url, rules).kind === 'refused') return refusedOutcome
      const url = new URL(request.url)
      const leave = hosts.take(plainHost(url.hostname))
      if (leave === undefined) return busyOutcome
      const end = new AbortController()
      const giveUp = () => end.abort()
      const timer = setTimeout(giveUp, timeoutMs)
      request.signal?.addEventListener('abort', giveUp, { once: true })
      try {
        const outcome = await sendTo(url, request, end.signal)
        if (outcome.kind !== 'answered') request.signal?.throwIfAborted()
        return outcome
      } finally {
        clearTimeout(timer)
        request.signal?.removeEventListener('abort', giveUp)
        leave()
      }
    },
  }
}
