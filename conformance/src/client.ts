import { setMaxListeners } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { encodeForm, isObject, type Json, type JsonObject, type Pair, parseJson } from './encoding.ts'
import { type EventStream, type HttpRequest, openEventStream, openHttpClient } from './http.ts'
import { Blocked, type Exchange, NoResponse } from './result.ts'

/** A user of the server under test. */
interface Credentials {
  readonly username: string
  readonly password: string
}

/** A registered application. */
export interface ClientCredentials {
  readonly clientId: string
  readonly clientSecret: string
}

/** The server under test and what is needed to use it. */
export interface Target {
  /** Base address with the version segment, `https://host/v1/`; the last slash is optional. */
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
  /** At least one; the second, when given, is the stranger of the isolation rules. */
  readonly users: readonly Credentials[]
  /** A second application, for rules that keep applications apart. */
  readonly otherClient?: ClientCredentials
  /**
   * Values of the `Authorization` header to try, with `{token}`; absent or empty: the usual ones (interface 5.3 leaves
   * it open).
   */
  readonly authHeaders?: readonly string[]
  /** Longest silence of the server within one exchange, in milliseconds; default 10,000. */
  readonly timeoutMs?: number
  /** Most connections at the same time, for servers that answer one after the other; default: no limit. */
  readonly connections?: number
  /** Longest waiting for one exchange that is throttled (429, or 503 with Retry-After), in milliseconds; default 120,000. */
  readonly throttleMs?: number
}

/** Shortest wait, for a Retry-After that is 0 or already over. */
const minMs = 50

/**
 * How long to wait before a throttled request is sent again, or undefined when the answer stands: 429, or 503 that says
 * when. Without Retry-After (seconds or an HTTP date) the waits double from one second.
 */
export const findRetryDelayMs = (
  status: number,
  retryAfter: string | undefined,
  attempt: number,
): number | undefined => {
  if (status !== 429 && !(status === 503 && retryAfter !== undefined)) return undefined
  const seconds = Number(retryAfter ?? 2 ** attempt)
  if (Number.isFinite(seconds)) return Math.max(seconds * 1000, minMs)
  const date = Date.parse(retryAfter ?? '')
  return Number.isNaN(date) ? 1000 * 2 ** attempt : Math.max(date - Date.now(), minMs)
}

/** Replaces secrets in everything that is recorded; a replaced secret reads `${NAME}`. */
interface Redactor {
  /** From now on every occurrence of the secret, raw or escaped for a URL, a form or JSON, reads `${name}`. */
  readonly hide: (name: string, secret: string) => void
  readonly redact: (text: string) => string
}

const escapedForms = (secret: string): string[] => {
  const form = new URLSearchParams([['', secret]]).toString().slice(1)
  return [secret, encodeURIComponent(secret), form, JSON.stringify(secret).slice(1, -1)]
}

// Named places are redacted whatever stands there, so that a secret that was never announced, or a very short one, stays out.
const namedFields =
  /((?:^|[?&])(?:access_token|request_token|refresh_token|client_secret|password|code)=)(?!\$\{)([^&#\s]+)/g
const namedJson =
  /("(?:access_token|request_token|refresh_token|client_secret|password|secret)"\s*:\s*")(?!\$\{)((?:[^"\\]|\\.)+)/g
const basic = /^(Basic )(?!\$\{)(.+)$/i

/** A shorter secret is hidden only where no letter or digit stands beside it: inside of words it would garble everything. */
const shortestInText = 4

const escapePattern = (text: string): string => {
  const literal = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return text.length < shortestInText ? `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])` : literal
}

/** Makes a redactor that knows no secret yet. */
export const createRedactor = (): Redactor => {
  const names = new Map<string, string>()
  let known: RegExp | undefined
  return {
    hide: (name, secret) => {
      if (secret === '' || names.has(secret)) return
      for (const form of escapedForms(secret)) if (!names.has(form)) names.set(form, name)
      const longestFirst = [...names.keys()].sort((a, b) => b.length - a.length)
      known = new RegExp(longestFirst.map(escapePattern).join('|'), 'gu')
    },
    redact: (text) => {
      const result = known === undefined ? text : text.replace(known, (secret) => `\${${names.get(secret)}}`)
      return result
        .replace(namedFields, (_, start: string) => `${start}\${SECRET}`)
        .replace(namedJson, (_, start: string) => `${start}\${SECRET}`)
        .replace(basic, (_, start: string) => `${start}\${BASIC}`)
    },
  }
}

/**
 * Positions as numbers that JavaScript can hold exactly (interface 2.3 says "a number", and a server may count beyond 2^53
 * or with many decimals). One that can't be held stands for itself as its distance from the first such one; on the wire
 * it is written as the server wrote it, so that nothing is rounded.
 */
interface Positions {
  /** The text of an answer in which each `pos` can be read exactly. */
  readonly readable: (text: string) => string
  /** Parameters as they go over the wire. */
  readonly written: (pairs: readonly Pair[]) => readonly Pair[]
  /** A JSON body as it goes over the wire. */
  readonly writtenJson: (body: string) => string
  /** The position that the others are told as distances from. */
  readonly base: () => string | undefined
}

/** Smaller ones are what a rule makes up: the beginning, or a position long ago. */
const min = 1000

/** Decimals that are kept; a difference with more of them would not fit either. */
const decimals = 6

/** Positions up to here are taken as numbers; a server that crosses 2^53 during a run is beyond it from the start. */
const maxPosition = 2 ** 52

const scale = (text: string): bigint => {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(`${whole}${fraction.slice(0, decimals).padEnd(decimals, '0')}`)
}

/** Makes a translation that knows no position yet. */
export const createPositions = (): Positions => {
  const texts = new Map<string, string>()
  let base: string | undefined

  const translate = (text: string): string => {
    const number = Number(text)
    if (Math.abs(number) <= maxPosition) {
      // Rounded like all its neighbours, so that the order stays; on the wire it is written as it came.
      if (text.length > String(min).length) texts.set(String(number), text)
      return String(number)
    }
    base ??= text
    const distance = Number(scale(text) - scale(base)) / 10 ** decimals + min
    texts.set(String(distance), text)
    return String(distance)
  }
  const write = (value: string): string => {
    const known = texts.get(value)
    if (known !== undefined || base === undefined) return known ?? value
    // A later position than any that was given, which a rule makes up.
    const isMadeUp = /^\d+$/.test(value) && Number(value) > min
    return isMadeUp ? String(BigInt(base.split('.')[0] ?? '0') + BigInt(value) - BigInt(min)) : value
  }
  return {
    readable: (text) =>
      text.replace(
        /("pos"\s*:\s*)(\d+(?:\.\d+)?)(?=\s*[,}])/g,
        (_, name: string, value: string) => name + translate(value),
      ),
    written: (pairs) => pairs.map(([name, value]) => [name, name === 'from' ? write(value) : value]),
    writtenJson: (body) =>
      body.replace(/("from"\s*:\s*)(\d+(?:\.\d+)?)/g, (_, name: string, value: string) => name + write(value)),
    base: () => base,
  }
}

/** A request below the base address, under the rule's full control. */
export interface RawRequest {
  /** Who sends it, for the report; default `suite`. */
  readonly who?: string
  readonly method?: string
  /** Relative to the base address, `sync`. */
  readonly path: string
  readonly query?: readonly Pair[]
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as `application/x-www-form-urlencoded`. */
  readonly form?: readonly Pair[]
  /** Sent as it is, instead of `form`; give the content type in `headers`. */
  readonly body?: string
  /** Longest silence of the server within this exchange, in milliseconds, where it is asked to wait. */
  readonly timeoutMs?: number
}

/** An answer, read to its end and not judged. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** False when the bytes of the body are no UTF-8. */
  readonly isUtf8: boolean
  /** The body when it is a JSON object. */
  readonly json: JsonObject | undefined
  /** The error code when the body is an error object (interface 7). */
  readonly error: string | undefined
  readonly exchange: Exchange
}

/** Sends requests to one target: waits where it is throttled, records what passed with the secrets replaced. */
export interface Client {
  /** Throws NoAnswer without a complete answer and Blocked when throttled for longer than the target's `throttleMs`. */
  readonly send: (request: RawRequest, record: (exchange: Exchange) => void) => Promise<Reply>
  /** Opens an answer that comes bit by bit; what came of it is recorded when it is closed. Throws NoAnswer when none begins. */
  readonly listen: (request: RawRequest, record: (exchange: Exchange) => void) => Promise<OpenStream>
  /** Parses JSON that came another way than in an answer. */
  readonly readJson: (text: string) => Json | undefined
  readonly hide: (name: string, secret: string) => void
  readonly redact: (text: string) => string
  /** What was seen of the connection so far. */
  readonly incidents: () => Incidents
  /** Closes the kept connections; later requests open new ones. */
  readonly disconnect: () => void
  /** Ends what is under way, also what would be sent once more; later requests are sent. */
  readonly interrupt: () => void
  readonly close: () => void
}

/** A stream of events, and what is known of it. */
export interface OpenStream extends EventStream {
  /** What passed so far. */
  readonly exchange: () => Exchange
}

/** What happened on the way that is no single rule's business. */
export interface Incidents {
  /** Requests sent again because the server had closed the kept connection. */
  readonly resent: number
  /** Answers of 5xx to requests that were answered otherwise when they were sent again at once. */
  readonly wobbles: readonly Exchange[]
  /** The position from which others are told as distances, because numbers can't hold them. */
  readonly positionBase?: string | undefined
}

const defaultTimeoutMs = 10_000

/** Silences in a row after which an operation is not asked again: the run would only wait. */
const maxSilences = 4

const maxRecordedLength = 20_000

/** Longest secret that a cut could halve. */
const margin = 4_000

const decodeUtf8 = (bytes: Buffer): { text: string; isUtf8: boolean } => {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), isUtf8: true }
  } catch (error) {
    if (error instanceof TypeError) return { text: bytes.toString('latin1'), isUtf8: false }
    throw error
  }
}

/** Makes a client for the target; the caller closes it. */
export const openClient = (target: Target): Client => {
  const { timeoutMs = defaultTimeoutMs, connections } = target
  const http = openHttpClient(connections === undefined ? { timeoutMs } : { timeoutMs, connections })
  const silences = new Map<string, number>()
  const wobbles: Exchange[] = []
  const streams = new Set<() => void>()
  let interruptions = 0
  const positions = createPositions()
  const { hide, redact } = createRedactor()
  const closing = new AbortController()
  setMaxListeners(0, closing.signal)
  const base = target.baseUrl.replace(/\/+$/, '')
  hide('CLIENT_SECRET', target.clientSecret)
  if (target.otherClient !== undefined) hide('OTHER_CLIENT_SECRET', target.otherClient.clientSecret)
  for (const [index, user] of target.users.entries()) {
    hide(index === 0 ? 'PASSWORD' : `PASSWORD_${index + 1}`, user.password)
  }

  // Redacts before it cuts: a secret across the cut would keep its first half.
  const abridge = (text: string): string => {
    if (text.length <= maxRecordedLength) return redact(text)
    const start = redact(text.slice(0, maxRecordedLength + margin))
    return `${start.slice(0, -margin)}… (cut; ${text.length} characters in all)`
  }

  const hideTokens = (request: RawRequest, json: JsonObject): void => {
    const username = request.form?.find(([name]) => name === 'username')?.[1]
    const number = target.users.findIndex((user) => user.username === username) + 1
    if (typeof json.secret === 'string') hide('WEBHOOK_SECRET', json.secret)
    for (const field of ['access_token', 'request_token', 'refresh_token']) {
      const token = json[field]
      const name = field === 'access_token' ? 'ACCESS_TOKEN' : 'REQUEST_TOKEN'
      if (typeof token === 'string') hide(number > 1 ? `${name}_${number}` : name, token)
    }
  }

  /** The request as it goes over the wire, and what is to be said of it. */
  const prepare = (request: RawRequest): { http: HttpRequest; describe: () => Exchange } => {
    const url = new URL(`${base}/${request.path}`)
    if (request.query !== undefined) url.search = encodeForm(positions.written(request.query))
    const form = request.form === undefined ? undefined : encodeForm(positions.written(request.form))
    const body = request.body === undefined ? form : positions.writtenJson(request.body)
    const isChunked = request.headers?.['transfer-encoding'] === 'chunked'
    const headers = {
      accept: 'application/json',
      ...(request.form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      ...(body === undefined || isChunked ? {} : { 'content-length': `${Buffer.byteLength(body)}` }),
      ...request.headers,
    }
    const method = request.method ?? (body === undefined ? 'GET' : 'POST')
    const started = performance.now()
    const describe = (): Exchange => ({
      who: request.who ?? 'suite',
      method,
      url: redact(url.href),
      requestHeaders: describeHeaders(headers),
      ...(body === undefined ? {} : { requestBody: abridge(body) }),
      ms: Math.round(performance.now() - started),
    })
    const { timeoutMs } = request
    const limit = timeoutMs === undefined ? {} : { timeoutMs }
    return { http: { method, url, headers, ...(body === undefined ? {} : { body }), ...limit }, describe }
  }

  const describeHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redact(value)]))

  const sendOnce = async (request: RawRequest, record: (exchange: Exchange) => void): Promise<Reply> => {
    const prepared = prepare(request)
    const { describe } = prepared
    try {
      const response = await http.send(prepared.http)
      const { text, isUtf8 } = decodeUtf8(response.body)
      // A byte order mark is one rule's business (WIRE-MARK-01), not that of all.
      const value = isUtf8 ? parseJson(positions.readable(text.replace(/^\ufeff/, ''))) : undefined
      const json = isObject(value) ? value : undefined
      if (json !== undefined) hideTokens(request, json)
      const exchange: Exchange = {
        ...describe(),
        status: response.status,
        responseHeaders: describeHeaders(response.headers),
        responseBody: abridge(text),
      }
      record(exchange)
      const error = typeof json?.error === 'string' ? json.error : undefined
      return { status: response.status, headers: response.headers, text, isUtf8, json, error, exchange }
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error
      const exchange = describe()
      record(exchange)
      throw new NoResponse(error.message, { cause: error, exchange, isSilence: error.isSilence })
    }
  }

  /** Sends, unless the operation has said nothing too often. */
  const sendIfResponding: typeof sendOnce = async (request, record) => {
    const { path } = request
    const silent = silences.get(path) ?? 0
    if (silent >= maxSilences) {
      const method = request.method ?? (request.body === undefined && request.form === undefined ? 'GET' : 'POST')
      const exchange = { who: request.who ?? 'suite', method, url: `${base}/${path}`, requestHeaders: {}, ms: 0 }
      record(exchange)
      const why = `${path} gave no answer ${silent} times in a row, within ${timeoutMs / 1000} s each, and is not asked again`
      throw new NoResponse(why, { exchange })
    }
    try {
      const reply = await sendOnce(request, record)
      silences.delete(path)
      return reply
    } catch (error) {
      const isAsked = request.timeoutMs === undefined
      if (isAsked && error instanceof NoResponse && error.isSilence) silences.set(path, (silences.get(path) ?? 0) + 1)
      throw error
    }
  }

  /** Sends a second time what was answered 5xx: an accident is counted, and what is meant comes again. */
  const sendSteadily: typeof sendOnce = async (request, record) => {
    const before = interruptions
    const first = await sendIfResponding(request, record)
    if (before !== interruptions) return first
    if (first.status < 500 || findRetryDelayMs(first.status, first.headers['retry-after'], 0) !== undefined)
      return first
    const second = await sendIfResponding(request, record)
    if (second.status < 500) wobbles.push(first.exchange)
    return second
  }

  return {
    send: async (request, record) => {
      let remainingMs = target.throttleMs ?? 120_000
      const before = interruptions
      for (let attempt = 0; ; attempt += 1) {
        const reply = await sendSteadily(request, record)
        const delayMs = findRetryDelayMs(reply.status, reply.headers['retry-after'], attempt)
        if (delayMs === undefined) return reply
        remainingMs -= delayMs
        if (remainingMs < 0) throw new Blocked(`the server throttles: ${reply.status} for too long on ${request.path}`)
        await wait(delayMs, undefined, { signal: closing.signal })
        if (before !== interruptions) throw new Blocked(`the server throttled ${request.path} until the run ended`)
      }
    },
    listen: async (request, record) => {
      const { http: asked, describe } = prepare({
        ...request,
        headers: { accept: 'text/event-stream', ...request.headers },
      })
      const isCounted = request.timeoutMs === undefined
      const silent = silences.get(request.path) ?? 0
      try {
        if (isCounted && silent >= maxSilences) throw new NoResponse(`no answer began ${silent} times in a row`)
        const stream = await openEventStream(asked, request.timeoutMs ?? timeoutMs)
        if (isCounted) silences.delete(request.path)
        const exchange = (): Exchange => ({
          ...describe(),
          status: stream.status,
          responseHeaders: describeHeaders(stream.headers),
          responseBody: abridge(stream.text()),
        })
        const close = (): void => {
          if (!streams.delete(close)) return
          stream.close()
          record(exchange())
        }
        streams.add(close)
        return { ...stream, exchange, close }
      } catch (error) {
        if (!(error instanceof NoResponse)) throw error
        if (isCounted && error.isSilence) silences.set(request.path, silent + 1)
        const exchange = describe()
        record(exchange)
        throw new NoResponse(error.message, { cause: error, exchange, isSilence: error.isSilence })
      }
    },
    readJson: (text) => parseJson(positions.readable(text)),
    hide,
    redact,
    incidents: () => ({ resent: http.resent(), wobbles, positionBase: positions.base() }),
    disconnect: http.disconnect,
    interrupt: () => {
      interruptions += 1
      http.interrupt()
    },
    close: () => {
      closing.abort()
      for (const end of streams) end()
      http.close()
    },
  }
}
