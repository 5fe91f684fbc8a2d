import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import type { Socket } from 'node:net'
import { checkUrl, type DeliveryRules, isPublicAddress, parseAddress, plainHost, portOf } from './address-guard.ts'
import { createResolveName, lookUpName, openPinnedConnection, type Reached, type ResolveName } from './connection.ts'

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
  readonly maxPerHost?: number
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

interface Destination {
  readonly addresses: readonly string[]
  /** False when one of them needed the rules. */
  readonly isPublic: boolean
}

/** More are not connected to; a name may have thousands. */
const maxAddresses = 8

/** The look-up of the system cannot be ended: it is left alone. */
const untilAborted = (found: Promise<readonly string[]>, signal: AbortSignal): Promise<readonly string[]> =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => resolve([]), { once: true })
    found.then(resolve, reject)
  })

/** Makes what sends; the rules say where to beside the public internet (contract, delivery). */
export const createOutbound = (rules: DeliveryRules, options: OutboundOptions): Outbound => {
  const { resolveName = createResolveName(), timeoutMs = 15_000, maxPerHost = 8, now = Date.now } = options
  const hosts = createKeyedSemaphore(maxPerHost)
  const machines = createKeyedSemaphore(2 * maxPerHost)

  const findPlace = async (url: URL, signal: AbortSignal): Promise<Destination | undefined> => {
    const [host, port] = [plainHost(url.hostname), portOf(url)]
    const isListed = rules.allowsName(host, port)
    const resolve = isListed ? lookUpName : resolveName
    const found = parseAddress(host) === undefined ? await untilAborted(resolve(host, signal), signal) : [host]
    const parsed = found.map(parseAddress)
    const isAllowed = (address: (typeof parsed)[number]) =>
      address !== undefined && (isListed || isPublicAddress(address) || rules.allowsAddress(address, port))
    if (parsed.length === 0 || !parsed.every(isAllowed)) return undefined
    const isPublic = parsed.every((address) => address !== undefined && isPublicAddress(address))
    return { addresses: found.slice(0, maxAddresses), isPublic }
  }

  const sendTo = async (url: URL, request: OutboundRequest, signal: AbortSignal): Promise<Outcome> => {
    const place = await findPlace(url, signal)
    if (place === undefined) return blockedOutcome
    const leave = machines.acquire(place.addresses[0] ?? '')
    if (leave === undefined) return busyOutcome
    try {
      if (signal.aborted) return describeFailure('nothing', place.isPublic)
      const { socket, reached } = openPinnedConnection(url, place.addresses, options.authorities)
      const headers = { 'user-agent': `thingsync/${options.version}`, ...request.headers }
      const response = await postOnce({ url, headers, body: request.body, socket, signal })
      return response === undefined ? describeFailure(reached(), place.isPublic) : describe(response)
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
      if (checkUrl(request.url, rules).kind === 'refused') return blockedOutcome
      const url = new URL(request.url)
      const leave = hosts.acquire(plainHost(url.hostname))
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

/** What became of something that was sent. A reason is a sentence for the owner of the address. */
export type Outcome =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfterMs?: number }
  | { readonly kind: 'failed'; readonly reason: string }
  /** Nothing was tried: too much is on its way there. It may be tried again soon, and was no failure of the receiver. */
  | { readonly kind: 'busy'; readonly reason: string }

/** The one sentence for every address that is not allowed, so that it does not tell which names there are inside. */
const blockedOutcome: Outcome = {
  kind: 'failed',
  reason:
    'Nothing was sent: the name is unknown, or leads to where this server may not deliver (its setting delivery_allow).',
}

/** Nothing was tried, because too much is on its way to the same place. */
const busyOutcome: Outcome = { kind: 'busy', reason: 'Too many deliveries are on their way to this host.' }

const reasons: Record<Reached, string> = {
  nothing: 'No connection could be made.',
  socket: 'No secure connection could be made: the certificate or something else of TLS was not accepted.',
  receiver: 'The receiver gave no answer, or none in HTTP.',
}

/**
 * Why no answer came. Of what is not public there is one sentence for everything: who may name an address there must not
 * learn by it which machines and ports there are.
 */
export const describeFailure = (reached: Reached, isPublic: boolean): Outcome => ({
  kind: 'failed',
  reason: isPublic ? reasons[reached] : 'The receiver gave no answer.',
})

/** What is posted, and by which connection. */
interface Post {
  readonly url: URL
  readonly headers: OutgoingHttpHeaders
  readonly body: string | Uint8Array
  /** Is used for this alone, and closed. */
  readonly socket: Socket
  readonly signal: AbortSignal
}

const maxResponseBytes = 4096

/** Resolves once a little of the body was read. How it goes on or ends says nothing any more. */
const skipBody = (response: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    let left = maxResponseBytes
    response.on('data', ({ length }: Buffer) => {
      left -= length
      if (left <= 0) resolve()
    })
    response.on('error', () => {})
    response.once('end', resolve)
    response.once('close', resolve)
  })

/**
 * Posts by a connection, once, and gives the head of the answer; undefined when there was none, or it was given up. Plain
 * `node:http` and no client above it: a pool would be made anew for each message, and cost more than the message.
 * @throws TypeError for headers that cannot be sent
 */
const postOnce = async ({ url, headers, body, socket, signal }: Post): Promise<IncomingMessage | undefined> => {
  const giveUp = () => void socket.destroy()
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    const posting = request({
      method: 'POST',
      path: `${url.pathname}${url.search}`,
      headers: { host: url.host, connection: 'close', ...headers },
      // Also for https: the connection is what it is, and its name stands in the head.
      createConnection: () => socket,
    })
    const response = await new Promise<IncomingMessage | undefined>((resolve) => {
      posting.once('response', resolve)
      posting.on('error', () => resolve(undefined))
      // What asks for another protocol ends without a word of the request.
      socket.once('close', () => resolve(undefined))
      posting.end(body)
    })
    if (response !== undefined) await skipBody(response)
    return response
  } finally {
    signal.removeEventListener('abort', giveUp)
    socket.destroy()
  }
}

/** Nobody is waited for longer: the longest pause between two tries. */
const maxRetryAfterMs = 24 * 60 * 60 * 1000

/**
 * How long a receiver asks to be left alone, in milliseconds, at most a day: `Retry-After` as seconds or as a date
 * (RFC 9110, 10.2.3). Undefined for everything else.
 */
export const readRetryAfter = (header: string | readonly string[] | undefined, now: number): number | undefined => {
  const text = typeof header === 'string' ? header.trim() : ''
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, maxRetryAfterMs)
  const date = / GMT$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.min(Math.max(0, date - now), maxRetryAfterMs)
}

/** Only so many at once for each key. */
interface KeyedSemaphore {
  /** Gives what leaves the seat again, or undefined when all of this key are taken. */
  readonly acquire: (key: string) => (() => void) | undefined
}

/** Makes seats that forget a key when nobody sits there. */
const createKeyedSemaphore = (mostPerKey: number): KeyedSemaphore => {
  const taken = new Map<string, number>()
  const leave = (key: string) => {
    const left = (taken.get(key) ?? 0) - 1
    if (left > 0) taken.set(key, left)
    else taken.delete(key)
  }
  return {
    acquire: (key) => {
      const sitting = taken.get(key) ?? 0
      if (sitting >= mostPerKey) return undefined
      taken.set(key, sitting + 1)
      return () => leave(key)
    },
  }
}
