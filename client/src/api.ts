import type { Client as FetchClient } from 'openapi-fetch'
import createFetchClient from 'openapi-fetch'
import type { paths } from '../../generated/types.ts'
import { ClientError, findErrorBody, isErrorBody, readRetryAfter, throwAsNetwork } from './client-error.ts'
import { type Backoff, type Pace, spread, systemPace } from './environment.ts'
import { readChunks } from './json-stream.ts'

/**
 * Encodes a request as the form of the interface (interface 4.3): lists and objects become JSON text, `name[]` is
 * repeated, and each entry of a map of tag settings becomes a field `tag[<name>]`. Leaves out undefined and null
 * values, also inside things and settings: null means "not set" (contract, sync 8), which not every server knows. ""
 * clears a field.
 */
export const toForm = (body: object): string => {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined || value === null) continue
    if (Array.isArray(value) && name.endsWith('[]')) for (const one of value) form.append(name, toText(one))
    else if (isMap(value))
      for (const [key, one] of Object.entries(value)) form.append(`${name}[${key}]`, toText(one ?? {}))
    else form.append(name, toText(value))
  }
  return form.toString()
}

const isMap = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)

const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, leaveOutNull))

const leaveOutNull = (_name: string, value: unknown): unknown => value ?? undefined

/** The client of openapi-fetch with the types of `openapi.yaml`; it sends bodies as forms. */
export type Api = FetchClient<paths>

/**
 * Sends a request: the global fetch, or a function of the application. `init` repeats the signal of the request: Node's
 * fetch observes the signal of a Request only until the garbage collector takes the Request, but this signal to the
 * end.
 */
export type Send = (request: Request, init?: SendInit) => Promise<Response>

/** The options of `fetch` beside the request. */
export interface SendInit {
  readonly signal?: AbortSignal
  /** `manual` for every request but GET: `fetch` would follow a redirect with a GET, and the upload would be lost. */
  readonly redirect?: 'manual'
}

/** Creates an API client for a base URL. It throws ClientError `network` when no whole response arrives. */
export const createApi = (baseUrl: string, send: Send): Api =>
  createFetchClient<paths>({
    baseUrl,
    fetch: (request) => send(request).then(withNetworkErrors, throwAsNetwork),
    bodySerializer: (body: unknown) => toForm(body ?? {}),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

const methods = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE'] as const

/** The result of a call of openapi-fetch, for any operation. */
interface CallResult {
  readonly data?: unknown
  readonly error?: unknown
  readonly response: Response
}

/**
 * Wraps an API client so that an error object is the `error` of a call whatever its status is (interface 7), also when
 * the status is 200. Any other response that is no success throws ClientError `unexpected_response`. `sendCall` makes
 * each call, and may repeat it.
 */
export const recognizeErrors = (api: Api, sendCall: (call: () => Promise<CallResult>) => Promise<CallResult>): Api => {
  const readCall = async (call: () => Promise<CallResult>): Promise<CallResult> => {
    const { data, error, response } = await call().catch(throwAsUnexpected)
    if (response.ok) return isErrorBody(data) ? { error: data, response } : { data, response }
    if (!isErrorBody(error)) throw findErrorBody(response, error)
    return { error, response }
  }
  const wrap =
    (send: (...request: unknown[]) => Promise<CallResult>) =>
    (...request: unknown[]) =>
      sendCall(() => readCall(() => send(...request)))
  const wrapped = [...methods, 'request' as const].map((name) => [name, wrap(api[name] as never)])
  return { ...api, ...Object.fromEntries(wrapped) }
}

const throwAsUnexpected = (error: unknown): never => {
  if (!(error instanceof SyntaxError)) throw error
  throw new ClientError('unexpected_response', 'the response is not JSON', { cause: error })
}

/** Makes the methods that read a whole body throw ClientError `network` when the connection breaks meanwhile. */
const withNetworkErrors = (response: Response): Response => {
  const [readText, readJson] = [response.text.bind(response), response.json.bind(response)]
  return Object.assign(response, {
    text: () => readText().catch(throwAsNetwork),
    json: () => readJson().catch(throwAsNetwork),
  })
}

/** Sends each request but a GET without following redirects. */
export const sendWithoutRedirects =
  (send: Send): Send =>
  (request, init) =>
    send(request, request.method === 'GET' ? init : { ...init, redirect: 'manual' })

/** The options of retries after transient failures. */
export interface RetryOptions extends Partial<Backoff>, Partial<Pace> {
  /** Maximum requests for one call; 4 by default. Waits are up to 500 ms after the first and double, up to 20 s. */
  readonly attempts?: number
  /** The client does not retry when `Retry-After` is longer than this; 60 s by default. */
  readonly maxRetryAfterSeconds?: number
  /**
   * Whether the server recognizes a repeated upload of new things (contract, sync 7), as thingsync does; true by
   * default. With false the client sends uploads of new things only once.
   */
  readonly recognizesRetries?: boolean
}

/**
 * Wraps `send` with safe retries, after a lost response or a transient error (429, 502, 503, 504). It retries every
 * GET, refreshing and revoking of tokens, and uploads by `sync`. It retries uploads with new things only if they have a
 * `from`: by it the server recognizes the repetition.
 */
export const sendAgain = (send: Send, options: RetryOptions = {}): Send => {
  const { attempts = 4, firstMilliseconds = 500, maxMilliseconds = 20_000 } = options
  const { maxRetryAfterSeconds = 60, recognizesRetries = true } = options
  const pace: Pace = { ...systemPace, ...withoutUndefined(options) }
  const backoff = { firstMilliseconds, maxMilliseconds }

  return async (request, init) => {
    if (!(await isRepeatable(request, recognizesRetries))) return send(request, init)
    for (let failures = 1; ; failures++) {
      const isLast = failures >= attempts
      const attempt = isLast ? request : request.clone()
      const response = await send(attempt, init).catch((error: unknown) => {
        // fetch throws a TypeError for a broken connection, and another error for an abort.
        if (isLast || !(error instanceof TypeError)) throw error
      })
      if (response !== undefined && (isLast || !isTransient(response.status))) return response
      const seconds = response === undefined ? 0 : (readRetryAfter(response.headers, pace.now) ?? 0)
      if (response !== undefined && seconds > maxRetryAfterSeconds) return response
      await response?.body?.cancel()
      await pace.sleep(seconds * 1000 + spread(failures, backoff, pace.random), init?.signal ?? request.signal)
    }
  }
}

const isTransient = (status: number) => [429, 502, 503, 504].includes(status)

const isRepeatable = async (request: Request, recognizesRetries: boolean): Promise<boolean> => {
  if (request.method === 'GET') return true
  const operation = new URL(request.url).pathname.split('/').at(-1)
  if (operation === 'revoke') return true
  if (operation !== 'token' && operation !== 'sync') return false
  const form = new URLSearchParams(await request.clone().text())
  if (operation === 'token') return form.get('grant_type') === 'refresh_token'
  return !form.has('new_thing') || (recognizesRetries && form.has('from'))
}

const withoutUndefined = ({ now, random, sleep }: Partial<Pace>): Partial<Pace> => ({
  ...(now === undefined ? {} : { now }),
  ...(random === undefined ? {} : { random }),
  ...(sleep === undefined ? {} : { sleep }),
})

/** A server-sent event, or a comment, which only shows that the server is alive. */
type StreamedEvent =
  | { readonly kind: 'event'; readonly type: string; readonly id: string; readonly data: string }
  | { readonly kind: 'comment' }

/** Maximum characters of an event, far more than any operation sends: a longer text is no event stream. */
const maxHeldCharacters = 1_000_000

/** Creates a parser that splits `text/event-stream` (WHATWG HTML 9.2), in chunks cut anywhere, into events. */
export const createEventSplitter = () => {
  /** The chunks of an incomplete line: they are not joined, so that each is searched only once. */
  let rest: string[] = []
  let restCharacters = 0
  let dataCharacters = 0
  let isFirst = true
  let endedWithReturn = false
  let type = ''
  let id = ''
  let data: string[] = []

  const takeLine = (line: string): StreamedEvent | undefined => {
    if (line === '') {
      const event = { kind: 'event', type: type || 'message', id, data: data.join('\n') } as const
      const isEmpty = data.length === 0
      type = ''
      data = []
      dataCharacters = 0
      return isEmpty ? undefined : event
    }
    if (line.startsWith(':')) return { kind: 'comment' }
    const [, name = line, value = ''] = /^([^:]*): ?(.*)$/s.exec(line) ?? []
    if (name === 'event') type = value
    else if (name === 'data') {
      data.push(value)
      dataCharacters += value.length + 1
      if (dataCharacters > maxHeldCharacters) throw new ClientError('unexpected_response', 'an event is too large')
    } else if (name === 'id' && !value.includes('\0')) id = value
    return undefined
  }
  const clean = (text: string): string => {
    const begun = isFirst && text.startsWith('\uFEFF') ? text.slice(1) : text
    // The second half of a CRLF line end.
    const cleaned = endedWithReturn && begun.startsWith('\n') ? begun.slice(1) : begun
    isFirst = isFirst && text === ''
    if (text !== '') endedWithReturn = text.endsWith('\r')
    return cleaned
  }
  /**
   * Takes the next chunk and returns the events that it completes. An event without an empty line at its end is
   * ignored.
   */
  return (text: string): StreamedEvent[] => {
    const lines = clean(text).split(/\r\n|\n|\r/)
    const last = lines.pop() ?? ''
    if (lines[0] !== undefined) {
      lines[0] = rest.join('') + lines[0]
      rest = []
      restCharacters = 0
    }
    if (last !== '') rest.push(last)
    restCharacters += last.length
    if (restCharacters > maxHeldCharacters)
      throw new ClientError('unexpected_response', 'a line of the stream is too long')
    return lines.map(takeLine).filter((event) => event !== undefined)
  }
}

/**
 * Reads an event stream until it ends. An abort, or the end of the iteration, closes the connection.
 * @throws ClientError `network` when the connection breaks; the reason of the signal
 */
async function* readEventStream(
  body: ReadableStream<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<StreamedEvent, void> {
  const split = createEventSplitter()
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  for await (const chunk of readChunks(body, signal)) yield* split(decoder.decode(chunk, { stream: true }))
}

/** An event of `sync/events`: the position of the account, or only a sign that the connection is alive. */
export type LiveEvent = { readonly kind: 'position'; readonly position: number } | { readonly kind: 'alive' }

/** The parameters of `GET sync?wait` (long polling). */
export interface WaitOptions {
  /** The last position that the application has kept. */
  readonly from: number
  /** How long the server may hold its response, 1 to 60. */
  readonly seconds: number
  readonly signal?: AbortSignal | undefined
}

/** The two ways in which a server announces changes (contract, Delivery: Live). */
export interface Listener {
  /**
   * Streams the position of the account, at once and after each change by another session. The server ends the stream,
   * for example when the access token expires. The stream has positions only: get the changes with `sync`.
   * @throws ClientError `not_offered` by a server without this stream, and the errors of every call
   */
  readonly streamEvents: (options?: { readonly signal?: AbortSignal | undefined }) => AsyncGenerator<LiveEvent, void>
  /**
   * Returns the position as soon as another session has changed something after `from`, or after `seconds`. A server
   * without long polling responds at once.
   * @throws ClientError `not_offered` by a server that rejects the parameter, and the errors of every call
   */
  readonly waitForChange: (options: WaitOptions) => Promise<number>
}

/** Returns true for a status of a server that does not have the operation or the parameter. */
const isNotOffered = (status: number) => [400, 404, 405, 406, 410, 415, 501].includes(status)

const notOffered = (response: Response, what: string) =>
  new ClientError('not_offered', `the server has no ${what}`, { status: response.status })

/** Creates a listener for a base URL; `send` adds the token. */
export const createListener = (baseUrl: string, send: Send): Listener => {
  const base = baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`
  const fetchLive = async (path: string, accept: string, signal: AbortSignal | undefined, what: string) => {
    const abort = signal === undefined ? {} : { signal }
    const request = new Request(`${base}${path}`, { headers: { accept }, cache: 'no-store', ...abort })
    const response = await send(request, abort).catch(throwAsNetwork)
    if (response.ok) return response
    const text = await response.text().catch(throwAsNetwork)
    if (isNotOffered(response.status)) throw notOffered(response, what)
    throw findErrorBody(response, parse(text))
  }
  return {
    async *streamEvents({ signal } = {}) {
      const response = await fetchLive('sync/events', 'text/event-stream', signal, 'event stream')
      const type = response.headers.get('content-type') ?? ''
      if (!type.toLowerCase().startsWith('text/event-stream') || response.body === null) {
        await response.body?.cancel()
        throw notOffered(response, 'event stream')
      }
      for await (const event of readEventStream(response.body, signal)) {
        const position = event.kind === 'event' ? positionOf(parse(event.data)) : undefined
        yield position === undefined ? { kind: 'alive' } : { kind: 'position', position }
      }
    },
    waitForChange: async ({ from, seconds, signal }) => {
      // `limit=0`: the next sync lists the changes.
      const query = `sync?from=${from}&wait=${seconds}&limit=0`
      const response = await fetchLive(query, 'application/json', signal, 'long polling')
      const body = parse(await response.text().catch(throwAsNetwork))
      if (isErrorBody(body)) throw findErrorBody(response, body)
      const position = positionOf(body)
      if (position === undefined) throw new ClientError('unexpected_response', 'the response has no pos')
      return position
    },
  }
}

const positionOf = (value: unknown): number | undefined =>
  typeof value === 'object' && value !== null && 'pos' in value && Number.isFinite(value.pos)
    ? (value.pos as number)
    : undefined

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
