import { isUtf8 } from 'node:buffer'
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

/** Credentials of a registered application. */
export interface ClientCredentials {
  readonly clientId: string
  readonly clientSecret: string
}

/** The server under test, and the credentials for it. */
export interface Target {
  /** Base URL with the version segment, `https://host/v1/`; the last slash is optional. */
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
  /** At least one user; the isolation rules use the second one. */
  readonly users: readonly Credentials[]
  /** A second application, for rules that check that applications are kept apart. */
  readonly otherClient?: ClientCredentials
  /** `Authorization` headers to try, with `{token}`; default: the usual forms (interface 5.3 leaves it open). */
  readonly authHeaders?: readonly string[]
  /** Longest silence of the server within one exchange, in milliseconds; default 10,000. */
  readonly timeoutMs?: number
  /** Maximum number of concurrent connections, for servers that handle one at a time; default: no limit. */
  readonly connections?: number
  /** Longest total wait for a throttled exchange (429, or 503 with Retry-After), in milliseconds; default 120,000. */
  readonly throttleMs?: number
}

/** Shortest delay, in milliseconds, for a Retry-After that is 0 or in the past. */
const minDelayMs = 50

/**
 * Returns the delay before a throttled request is sent again, in milliseconds; undefined when the response is final. A
 * response throttles with 429, or with 503 and Retry-After (seconds or an HTTP date). Without Retry-After the delays
 * double from one second.
 */
export const findRetryDelayMs = (
  status: number,
  retryAfter: string | undefined,
  attempt: number,
): number | undefined => {
  if (status !== 429 && !(status === 503 && retryAfter !== undefined)) return undefined
  const seconds = Number(retryAfter ?? 2 ** attempt)
  if (Number.isFinite(seconds)) return Math.max(seconds * 1000, minDelayMs)
  const date = Date.parse(retryAfter ?? '')
  return Number.isNaN(date) ? 1000 * 2 ** attempt : Math.max(date - Date.now(), minDelayMs)
}

/** Replaces secrets in all recorded texts; a replaced secret reads `${NAME}`. */
interface Redactor {
  /** Adds a secret. From then on each occurrence, raw or escaped for a URL, a form or JSON, reads `${name}`. */
  readonly hide: (name: string, secret: string) => void
  readonly redact: (text: string) => string
}

const escapedForms = (secret: string): string[] => {
  const form = new URLSearchParams([['', secret]]).toString().slice(1)
  return [secret, encodeURIComponent(secret), form, JSON.stringify(secret).slice(1, -1)]
}

// Values of these names are always redacted, so that unknown or very short secrets also stay out.
const namedFields =
  /((?:^|[?&])(?:access_token|request_token|refresh_token|client_secret|password|code)=)(?!\$\{)([^&#\s]+)/g
const namedJson =
  /("(?:access_token|request_token|refresh_token|client_secret|password|secret)"\s*:\s*")(?!\$\{)((?:[^"\\]|\\.)+)/g
const basic = /^(Basic )(?!\$\{)(.+)$/i

/** A shorter secret is hidden only where no letter or digit is beside it: inside words it would garble the text. */
const minLengthInText = 4

const escapePattern = (text: string): string => {
  const literal = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return text.length < minLengthInText ? `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])` : literal
}

/** Creates a redactor without secrets. */
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
 * Translates positions to numbers that JavaScript holds exactly. Interface 2.3 says "a number", and a server may count
 * beyond 2^53 or with many decimals. A position that cannot be held is replaced by its distance from the first such
 * position. On the wire it is written as the server wrote it, so that nothing is rounded.
 */
interface Positions {
  /** Returns the text of a response with each `pos` as an exact number. */
  readonly normalizeResponse: (text: string) => string
  /** Returns the parameters as they go over the wire. */
  readonly restorePairs: (pairs: readonly Pair[]) => readonly Pair[]
  /** Returns a JSON body as it goes over the wire. */
  readonly restoreJson: (body: string) => string
  /** The position that distances are counted from; undefined when all positions are exact. */
  readonly base: () => string | undefined
}

/** Translated positions start here. Rules make up smaller ones: the beginning, or a position long ago. */
const minTranslatedPosition = 1000

/** Number of decimals that are translated; a difference with more decimals would not be exact either. */
const keptDecimals = 6

/** Positions up to here stay numbers; a server that crosses 2^53 during a run is beyond the maximum from the start. */
const maxPosition = 2 ** 52

const scale = (text: string): bigint => {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(`${whole}${fraction.slice(0, keptDecimals).padEnd(keptDecimals, '0')}`)
}

/** Creates a translation without positions. */
export const createPositions = (): Positions => {
  const texts = new Map<string, string>()
  let base: string | undefined

  const translate = (text: string): string => {
    const number = Number(text)
    if (Math.abs(number) <= maxPosition) {
      // Rounded like its neighbors, so that the order stays; on the wire it is written as it came.
      if (text.length > String(minTranslatedPosition).length) texts.set(String(number), text)
      return String(number)
    }
    base ??= text
    const distance = Number(scale(text) - scale(base)) / 10 ** keptDecimals + minTranslatedPosition
    texts.set(String(distance), text)
    return String(distance)
  }
  const write = (value: string): string => {
    const known = texts.get(value)
    if (known !== undefined || base === undefined) return known ?? value
    // A rule makes up a position that is later than every position of the server.
    const isMadeUp = /^\d+$/.test(value) && Number(value) > minTranslatedPosition
    return isMadeUp ? String(BigInt(base.split('.')[0] ?? '0') + BigInt(value) - BigInt(minTranslatedPosition)) : value
  }
  return {
    normalizeResponse: (text) =>
      text.replace(
        /("pos"\s*:\s*)(\d+(?:\.\d+)?)(?=\s*[,}])/g,
        (_, name: string, value: string) => name + translate(value),
      ),
    restorePairs: (pairs) => pairs.map(([name, value]) => [name, name === 'from' ? write(value) : value]),
    restoreJson: (body) =>
      body.replace(/("from"\s*:\s*)(\d+(?:\.\d+)?)/g, (_, name: string, value: string) => name + write(value)),
    base: () => base,
  }
}

/** A request below the base URL; the rule controls every part of it. */
export interface RawRequest {
  /** The sender's name in the report; default `suite`. */
  readonly who?: string
  readonly method?: string
  /** Relative to the base URL, `sync`. */
  readonly path: string
  readonly query?: readonly Pair[]
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as `application/x-www-form-urlencoded`. */
  readonly form?: readonly Pair[]
  /** Sent unchanged instead of `form`; give the content type in `headers`. */
  readonly body?: string
  /** Number of bytes of each piece of a body with `transfer-encoding: chunked`; default 150 characters. */
  readonly pieceBytes?: number
  /** Longest silence of the server within this exchange, in milliseconds, for a request that uses long polling. */
  readonly timeoutMs?: number
}

/** A response, read to its end and not checked. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** False when the bytes of the body are not UTF-8. */
  readonly isUtf8: boolean
  /** The body when it is a JSON object. */
  readonly json: JsonObject | undefined
  /** The error code when the body is an error object (interface 7). */
  readonly error: string | undefined
  readonly exchange: Exchange
}

/** Sends requests to one target: waits where it is throttled, and records each exchange with the secrets replaced. */
export interface Client {
  /**
   * Sends a request and resolves to its response.
   * @throws NoResponse without a complete response.
   * @throws Blocked when throttled for longer than the target's `throttleMs`.
   */
  readonly send: (request: RawRequest, record: (exchange: Exchange) => void) => Promise<Reply>
  /** Opens a streamed response; records the exchange when the stream is closed. @throws NoResponse when none begins. */
  readonly listen: (request: RawRequest, record: (exchange: Exchange) => void) => Promise<OpenStream>
  /** Parses JSON that did not come in a response. */
  readonly readJson: (text: string) => Json | undefined
  readonly hide: (name: string, secret: string) => void
  readonly redact: (text: string) => string
  /** Returns the incidents of the connection so far. */
  readonly incidents: () => Incidents
  /** Closes the idle connections; later requests open new ones. */
  readonly disconnect: () => void
  /** Ends the requests in flight, retries included; later requests are sent. */
  readonly interrupt: () => void
  readonly close: () => void
}

/** A stream of events and its exchange. */
export interface OpenStream extends EventStream {
  /** Returns the exchange so far. */
  readonly exchange: () => Exchange
}

/** Incidents of a run that belong to no single rule. */
export interface Incidents {
  /** Number of requests sent again because the server had closed the persistent connection. */
  readonly resent: number
  /** Exchanges with a 5xx response whose immediate retry got another response. */
  readonly transientErrors: readonly Exchange[]
  /** The position that distances are counted from, where numbers cannot hold the positions. */
  readonly positionBase?: string | undefined
}

const defaultTimeoutMs = 10_000

/** Number of silences in a row after which an operation is not requested again: the run would only wait. */
const maxSilences = 4

const maxRecordedLength = 20_000

/** Longest secret that a cut could split, in characters. */
const maxSecretLength = 4_000

const decodeBody = (bytes: Buffer): { text: string; isUtf8: boolean } =>
  isUtf8(bytes) ? { text: bytes.toString(), isUtf8: true } : { text: bytes.toString('latin1'), isUtf8: false }

/** Returns an object whose members are computed when they are first read. */
const readLazily = <T extends object>(members: { readonly [K in keyof T]: () => T[K] }): T => {
  const object = {} as T
  for (const key of Object.keys(members) as (keyof T)[]) {
    const define = (property: PropertyDescriptor) =>
      Object.defineProperty(object, key, { ...property, enumerable: true, configurable: true })
    define({
      get: () => {
        const value = members[key]()
        define({ value })
        return value
      },
    })
  }
  return object
}

/** The part of a response that an exchange shows. */
interface ReceivedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** Opens a client for the target; the caller closes it. */
export const openClient = (target: Target): Client => {
  const { timeoutMs = defaultTimeoutMs, connections } = target
  const http = openHttpClient(connections === undefined ? { timeoutMs } : { timeoutMs, connections })
  const silences = new Map<string, number>()
  const transientErrors: Exchange[] = []
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

  // The text is redacted before the cut: otherwise the first half of a secret at the cut would stay.
  const abridge = (text: string): string => {
    if (text.length <= maxRecordedLength) return redact(text)
    const start = redact(text.slice(0, maxRecordedLength + maxSecretLength))
    return `${start.slice(0, -maxSecretLength)}… (cut; ${text.length} characters in all)`
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

  /** Returns the request as it goes over the wire, and a function that describes it for the record. */
  const prepare = (request: RawRequest): { http: HttpRequest; describe: (response?: ReceivedResponse) => Exchange } => {
    const url = new URL(`${base}/${request.path}`)
    if (request.query !== undefined) url.search = encodeForm(positions.restorePairs(request.query))
    const form = request.form === undefined ? undefined : encodeForm(positions.restorePairs(request.form))
    const body = request.body === undefined ? form : positions.restoreJson(request.body)
    const isChunked = request.headers?.['transfer-encoding'] === 'chunked'
    const headers = {
      accept: 'application/json',
      ...(request.form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      ...(body === undefined || isChunked ? {} : { 'content-length': `${Buffer.byteLength(body)}` }),
      ...request.headers,
    }
    const method = request.method ?? (body === undefined ? 'GET' : 'POST')
    const started = performance.now()
    // Most exchanges are never shown, so they are redacted when they are read.
    const describe = (response?: ReceivedResponse): Exchange => {
      const ms = Math.round(performance.now() - started)
      return readLazily<Exchange>({
        who: () => request.who ?? 'suite',
        method: () => method,
        url: () => redact(url.href),
        requestHeaders: () => describeHeaders(headers),
        ...(body === undefined ? {} : { requestBody: () => abridge(body) }),
        ms: () => ms,
        ...(response === undefined
          ? {}
          : {
              status: () => response.status,
              responseHeaders: () => describeHeaders(response.headers),
              responseBody: () => abridge(response.text),
            }),
      })
    }
    const { timeoutMs, pieceBytes } = request
    const limit = {
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(pieceBytes === undefined ? {} : { pieceBytes }),
    }
    return { http: { method, url, headers, ...(body === undefined ? {} : { body }), ...limit }, describe }
  }

  const describeHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redact(value)]))

  const sendOnce = async (request: RawRequest, record: (exchange: Exchange) => void): Promise<Reply> => {
    const prepared = prepare(request)
    const { describe } = prepared
    try {
      const response = await http.send(prepared.http)
      const { text, isUtf8 } = decodeBody(response.body)
      // Only one rule checks for a byte order mark (WIRE-MARK-01); the others ignore it.
      const value = isUtf8 ? parseJson(positions.normalizeResponse(text.replace(/^\ufeff/, ''))) : undefined
      const json = isObject(value) ? value : undefined
      if (json !== undefined) hideTokens(request, json)
      const exchange = describe({ status: response.status, headers: response.headers, text })
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

  /** Sends the request, unless the operation has been silent too often. */
  const sendIfResponding: typeof sendOnce = async (request, record) => {
    const { path } = request
    const silent = silences.get(path) ?? 0
    if (silent >= maxSilences) {
      const method = request.method ?? (request.body === undefined && request.form === undefined ? 'GET' : 'POST')
      const exchange = { who: request.who ?? 'suite', method, url: `${base}/${path}`, requestHeaders: {}, ms: 0 }
      record(exchange)
      const why = `${path} gave no response ${silent} times in a row, within ${timeoutMs / 1000} s each, so it is not requested again`
      throw new NoResponse(why, { exchange })
    }
    try {
      const reply = await sendOnce(request, record)
      silences.delete(path)
      return reply
    } catch (error) {
      const isCounted = request.timeoutMs === undefined
      if (isCounted && error instanceof NoResponse && error.isSilence) silences.set(path, (silences.get(path) ?? 0) + 1)
      throw error
    }
  }

  /** Retries a request after a 5xx response: a transient error is counted, a deliberate one comes again. */
  const sendWithRetry: typeof sendOnce = async (request, record) => {
    const before = interruptions
    const first = await sendIfResponding(request, record)
    if (before !== interruptions) return first
    if (first.status < 500 || findRetryDelayMs(first.status, first.headers['retry-after'], 0) !== undefined)
      return first
    const second = await sendIfResponding(request, record)
    if (second.status < 500) transientErrors.push(first.exchange)
    return second
  }

  return {
    send: async (request, record) => {
      let remainingMs = target.throttleMs ?? 120_000
      const before = interruptions
      for (let attempt = 0; ; attempt += 1) {
        const reply = await sendWithRetry(request, record)
        const delayMs = findRetryDelayMs(reply.status, reply.headers['retry-after'], attempt)
        if (delayMs === undefined) return reply
        remainingMs -= delayMs
        if (remainingMs < 0) throw new Blocked(`the server throttles: ${reply.status} for too long on ${request.path}`)
        await wait(delayMs, undefined, { signal: closing.signal })
        if (before !== interruptions) throw new Blocked(`the server throttled ${request.path} until the run ended`)
      }
    },
    listen: async (request, record) => {
      const { http: prepared, describe } = prepare({
        ...request,
        headers: { accept: 'text/event-stream', ...request.headers },
      })
      const isCounted = request.timeoutMs === undefined
      const silent = silences.get(request.path) ?? 0
      try {
        if (isCounted && silent >= maxSilences) throw new NoResponse(`no response began ${silent} times in a row`)
        const stream = await openEventStream(prepared, request.timeoutMs ?? timeoutMs)
        if (isCounted) silences.delete(request.path)
        const exchange = (): Exchange =>
          describe({ status: stream.status, headers: stream.headers, text: stream.text() })
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
    readJson: (text) => parseJson(positions.normalizeResponse(text)),
    hide,
    redact,
    incidents: () => ({ resent: http.resent(), transientErrors, positionBase: positions.base() }),
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
