import { Client, type Dispatcher, errors } from 'undici'
import { type DeliveryRules, plainHost } from './delivery-rules.ts'
import { judgeAddress, portOf } from './judge-address.ts'
import { busyOutcome, describeFailure, type Outcome, refusedOutcome } from './outcome.ts'
import { createPinnedConnection, type PinnedConnection } from './pinned-connection.ts'
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
  readonly host: string
  readonly addresses: readonly string[]
  /** False when one of them needed the rules. */
  readonly isPublic: boolean
}

/** More are not connected to; a name may have thousands. */
const mostAddresses = 8
const mostAnswerBytes = 4096

/** What the network and the receiver did, and not a mistake of ours. */
const isFailure = (error: unknown, signal: AbortSignal): boolean =>
  signal.aborted || (error instanceof Error && 'code' in error && !(error instanceof errors.InvalidArgumentError))

/** Reads a little, so that a receiver may say what it has to say. How the body goes on or ends says nothing any more. */
const skipBody = async (body: AsyncIterable<Buffer>, signal: AbortSignal): Promise<void> => {
  let left = mostAnswerBytes
  try {
    for await (const { length } of body) {
      left -= length
      if (left <= 0) return
    }
  } catch (error) {
    if (!isFailure(error, signal)) throw error
  }
}

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
    return { host, addresses: found.slice(0, mostAddresses), isPublic }
  }

  const sendTo = async (url: URL, request: OutboundRequest, signal: AbortSignal): Promise<Outcome> => {
    const place = await findPlace(url, signal)
    if (place === undefined) return refusedOutcome
    const leave = machines.take(place.addresses[0] ?? '')
    if (leave === undefined) return busyOutcome
    const connection = createPinnedConnection(place.host, place.addresses, options.authorities)
    try {
      const answer = await post(url, request, connection, signal)
      return answer === undefined ? describeFailure(connection.reached(), place.isPublic) : describe(answer)
    } finally {
      connection.close()
      leave()
    }
  }

  const post = async (url: URL, request: OutboundRequest, connection: PinnedConnection, signal: AbortSignal) => {
    if (signal.aborted) return undefined
    const client = new Client(url.origin, { connect: connection.connect, pipelining: 1 })
    // The package would notice the signal only once it is connected.
    const giveUp = () => void client.destroy()
    signal.addEventListener('abort', giveUp, { once: true })
    const headers = { 'user-agent': `thingsync/${options.version}`, ...request.headers }
    const body = typeof request.body === 'string' ? request.body : Buffer.from(request.body)
    try {
      const path = `${url.pathname}${url.search}`
      const answer = await client.request({ method: 'POST', path, headers, body, reset: true })
      await skipBody(answer.body, signal)
      return answer
    } catch (error) {
      if (isFailure(error, signal)) return undefined
      throw error
    } finally {
      signal.removeEventListener('abort', giveUp)
      await client.destroy()
    }
  }

  const describe = ({ statusCode: status, headers }: Dispatcher.ResponseData): Outcome => {
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
