/*
 * Outbound requests: the server sends to URLs that users and clients choose (webhooks, Web Push, link previews).
 * The folder protects the internal network against server-side request forgery (SSRF). It knows no store, no webhook
 * and no device. `address-guard.ts` holds the rules, `connection.ts` the name lookup and the pinned connection,
 * `read-page.ts` reads pages. Start with `createOutbound` in this file.
 */
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { checkUrl, type DeliveryRules, plainHost } from './address-guard.ts'
import {
  createFindDestination,
  openPinnedConnection,
  type Reached,
  type ResolveName,
  requestOnce,
} from './connection.ts'

/** A POST request. */
export interface OutboundRequest {
  readonly url: string
  /** Sent unchanged, in addition to Host, User-Agent and Content-Length. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** Aborts the request. */
  readonly signal?: AbortSignal
}

/** The options of the client. */
export interface OutboundOptions {
  /** The version of this package, for the User-Agent. */
  readonly version: string
  /** Resolves the names that the rules do not list. Default: queries the system's name servers. */
  readonly resolveName?: ResolveName
  /** For everything together: name lookup, connection, head and body of the response. Default: 15 s. */
  readonly timeoutMs?: number
  /** Maximum of simultaneous requests to one host; twice as many to one IP address. Default: 8. */
  readonly maxPerHost?: number
  /** PEM certificates that are trusted instead of the system's. */
  readonly authorities?: readonly string[]
  readonly now?: () => number
}

/** Sends requests to URLs that users and clients have chosen. */
export interface Outbound {
  /**
   * Sends a request once. It follows no redirect and keeps neither connection nor cookie. It checks each address of the
   * name, sends nothing if one of them is not allowed, and connects to these addresses only.
   * @throws the reason of `signal` if it is aborted
   */
  readonly send: (request: OutboundRequest) => Promise<Outcome>
}

/** Creates the client. The rules name the allowed destinations outside the public internet (contract, delivery). */
export const createOutbound = (rules: DeliveryRules, options: OutboundOptions): Outbound => {
  const { resolveName, timeoutMs = 15_000, maxPerHost = 8, now = Date.now } = options
  const hosts = createKeyedSemaphore(maxPerHost)
  const addresses = createKeyedSemaphore(2 * maxPerHost)

  const findDestination = createFindDestination(rules, resolveName)

  const sendTo = async (url: URL, request: OutboundRequest, signal: AbortSignal): Promise<Outcome> => {
    const destination = await findDestination(url, signal)
    if (destination === undefined) return blockedOutcome
    const release = addresses.acquire(destination.addresses[0] ?? '')
    if (release === undefined) return busyOutcome
    try {
      if (signal.aborted) return describeFailure('nothing', destination.isPublic)
      const { socket, reached } = openPinnedConnection(url, destination.addresses, options.authorities)
      const headers = { 'user-agent': `thingsync/${options.version}`, ...request.headers }
      const response = await postOnce({ url, headers, body: request.body, socket, signal })
      return response === undefined ? describeFailure(reached(), destination.isPublic) : describeResponse(response)
    } finally {
      release()
    }
  }

  const describeResponse = ({ statusCode: status = 0, headers }: IncomingMessage): Outcome => {
    const retryAfterMs = readRetryAfter(headers['retry-after'], now())
    return { kind: 'responded', status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
  }

  return {
    send: async (request) => {
      request.signal?.throwIfAborted()
      if (checkUrl(request.url, rules).kind === 'blocked') return blockedOutcome
      const url = new URL(request.url)
      const release = hosts.acquire(plainHost(url.hostname))
      if (release === undefined) return busyOutcome
      const controller = new AbortController()
      const abort = () => controller.abort()
      const timer = setTimeout(abort, timeoutMs)
      request.signal?.addEventListener('abort', abort, { once: true })
      try {
        const outcome = await sendTo(url, request, controller.signal)
        if (outcome.kind !== 'responded') request.signal?.throwIfAborted()
        return outcome
      } finally {
        clearTimeout(timer)
        request.signal?.removeEventListener('abort', abort)
        release()
      }
    },
  }
}

/** The outcome of a request. A reason is a sentence for the user who registered the URL. */
export type Outcome =
  | { readonly kind: 'responded'; readonly status: number; readonly retryAfterMs?: number }
  | { readonly kind: 'failed'; readonly reason: string }
  /** Nothing was sent: too many requests to this host are in progress. Retry soon; it is no failure of the receiver. */
  | { readonly kind: 'busy'; readonly reason: string }

/** The same sentence for each URL that is not allowed: it must not reveal which names exist in the internal network. */
const blockedOutcome: Outcome = {
  kind: 'failed',
  reason:
    'Nothing was sent: the name is unknown, or this server may not deliver to its address (setting delivery_allow).',
}

/** Nothing was sent, because too many requests to the same host or address are in progress. */
const busyOutcome: Outcome = { kind: 'busy', reason: 'Too many deliveries to this host are in progress.' }

const reasons: Record<Reached, string> = {
  nothing: 'No connection could be made.',
  socket: 'No secure connection could be made: TLS failed, for example because of the certificate.',
  receiver: 'The receiver did not respond, or not in HTTP.',
}

/**
 * Says why no response came. For destinations that are not public the sentence is always the same: the user who
 * registers a URL must not learn which machines and ports exist in the internal network.
 */
export const describeFailure = (reached: Reached, isPublic: boolean): Outcome => ({
  kind: 'failed',
  reason: isPublic ? reasons[reached] : 'The receiver did not respond.',
})

/** A POST request and its connection. */
interface Post {
  readonly url: URL
  readonly headers: OutgoingHttpHeaders
  readonly body: string | Uint8Array
  /** Used for this request only, and then closed. */
  readonly socket: Socket
  readonly signal: AbortSignal
}

const maxResponseBytes = 4096

/** Reads at most `maxResponseBytes` of the body. The outcome does not depend on the body or its end. */
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
 * Sends a POST request once and returns the head of the response. Returns undefined if none came or the signal aborted.
 * @throws TypeError for invalid headers
 */
const postOnce = async ({ signal, ...post }: Post): Promise<IncomingMessage | undefined> => {
  const destroy = () => void post.socket.destroy()
  signal.addEventListener('abort', destroy, { once: true })
  try {
    const response = await requestOnce({ method: 'POST', ...post })
    if (response !== undefined) await skipBody(response)
    return response
  } finally {
    signal.removeEventListener('abort', destroy)
    post.socket.destroy()
  }
}

/** The longest delay between two attempts. */
const maxRetryAfterMs = 24 * 60 * 60 * 1000

/**
 * Reads `Retry-After`, as seconds or as a date (RFC 9110, 10.2.3). Returns milliseconds, at most a day, and undefined
 * if the header is invalid. `now` is Unix time in milliseconds.
 */
export const readRetryAfter = (header: string | readonly string[] | undefined, now: number): number | undefined => {
  const text = typeof header === 'string' ? header.trim() : ''
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, maxRetryAfterMs)
  const date = / GMT$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.min(Math.max(0, date - now), maxRetryAfterMs)
}

/** A semaphore with its own slots for each key. */
interface KeyedSemaphore {
  /** Takes a slot and returns the function that releases it. Returns undefined if all slots of the key are in use. */
  readonly acquire: (key: string) => (() => void) | undefined
}

/** Creates a semaphore that forgets a key when none of its slots is in use. */
const createKeyedSemaphore = (maxPerKey: number): KeyedSemaphore => {
  const usedByKey = new Map<string, number>()
  const release = (key: string) => {
    const remaining = (usedByKey.get(key) ?? 0) - 1
    if (remaining > 0) usedByKey.set(key, remaining)
    else usedByKey.delete(key)
  }
  return {
    acquire: (key) => {
      const used = usedByKey.get(key) ?? 0
      if (used >= maxPerKey) return undefined
      usedByKey.set(key, used + 1)
      return () => release(key)
    },
  }
}
