import type { Client as FetchClient } from 'openapi-fetch'
import createFetchClient from 'openapi-fetch'
import type { paths } from '../../generated/types.ts'
import { ClientError, findErrorBody, readRetryAfter, throwAsNetwork } from './client-error.ts'
import { type Backoff, type Pace, spread, systemPace } from './environment.ts'
import { readChunks } from './json-stream.ts'

/**
 * Writes a request as the form that the interface publishes (interface 4.3): lists and objects become JSON text,
 * `name[]` is repeated, a map of tag settings becomes one `tag[<name>]` each. What is undefined or null is left out, also
 * inside of things and settings: null means that nothing was said (contract, sync 8), which not every server knows; ""
 * is what empties a field.
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

/** openapi-fetch, typed from the document; bodies are sent as forms. */
export type Api = FetchClient<paths>

/**
 * What carries out a request; the global fetch, unless the user of the client gives another. The signal is the request's
 * once more: Node's fetch hears it only as long as somebody holds the Request, and this one to the end.
 */
export type Send = (request: Request, init?: SendInit) => Promise<Response>

/** What `fetch` is told besides the request. */
export interface SendInit {
  readonly signal?: AbortSignal
}

/** An api at this base address; no answer at all is thrown as ClientError `network`. */
export const createApi = (baseUrl: string, send: Send): Api =>
  createFetchClient<paths>({
    baseUrl,
    fetch: (request) => send(request).catch(throwAsNetwork),
    bodySerializer: (body: unknown) => toForm(body ?? {}),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

/** Whether, how often and when a request is sent again that failed for the moment. */
export interface RetryOptions extends Partial<Backoff>, Partial<Pace> {
  /** Requests for one call at most; 4 by default. Waits are up to 500 ms after the first and double, up to 20 s. */
  readonly attempts?: number
  /** A server that wants more patience than this (`Retry-After`) is not asked again; 60 s by default. */
  readonly longestRetryAfterSeconds?: number
  /**
   * Whether the server recognises a repeated upload of new things (contract, sync 7), as thingsync does; true by
   * default. With false uploads of new things are sent once.
   */
  readonly recognisesRetries?: boolean
}

/**
 * Sends again what may safely be sent twice, when no answer came or the server could not answer for the moment (429, 502,
 * 503, 504): every GET, refreshing and revoking tokens, and uploads by `sync`. Of those with new things only the ones
 * with a `from` of their own: by it the server knows that they are repeated.
 */
export const sendAgain = (send: Send, options: RetryOptions = {}): Send => {
  const { attempts = 4, firstMilliseconds = 500, longestMilliseconds = 20_000 } = options
  const { longestRetryAfterSeconds = 60, recognisesRetries = true } = options
  const pace: Pace = { ...systemPace, ...withoutUndefined(options) }
  const backoff = { firstMilliseconds, longestMilliseconds }

  return async (request, init) => {
    if (!(await isRepeatable(request, recognisesRetries))) return send(request, init)
    for (let failures = 1; ; failures++) {
      const isLast = failures >= attempts
      const attempt = isLast ? request : request.clone()
      const answer = await send(attempt, init).catch((error: unknown) => {
        // What fetch throws for a broken connection; an abort is none.
        if (isLast || !(error instanceof TypeError)) throw error
      })
      if (answer !== undefined && (isLast || !isForTheMoment(answer.status))) return answer
      const seconds = answer === undefined ? 0 : (readRetryAfter(answer.headers, pace.now) ?? 0)
      if (answer !== undefined && seconds > longestRetryAfterSeconds) return answer
      await answer?.body?.cancel()
      await pace.sleep(seconds * 1000 + spread(failures, backoff, pace.random), init?.signal ?? request.signal)
    }
  }
}

const isForTheMoment = (status: number) => [429, 502, 503, 504].includes(status)

const isRepeatable = async (request: Request, recognisesRetries: boolean): Promise<boolean> => {
  if (request.method === 'GET') return true
  const operation = new URL(request.url).pathname.split('/').at(-1)
  if (operation === 'revoke') return true
  if (operation !== 'token' && operation !== 'sync') return false
  const form = new URLSearchParams(await request.clone().text())
  if (operation === 'token') return form.get('grant_type') === 'refresh_token'
  return !form.has('new_thing') || (recognisesRetries && form.has('from'))
}

const withoutUndefined = ({ now, random, sleep }: Partial<Pace>): Partial<Pace> => ({
  ...(now === undefined ? {} : { now }),
  ...(random === undefined ? {} : { random }),
  ...(sleep === undefined ? {} : { sleep }),
})

/** An event of a stream, or only a sign that the server is there (a comment). */
type StreamedEvent =
  | { readonly kind: 'event'; readonly type: string; readonly id: string; readonly data: string }
  | { readonly kind: 'comment' }

/** No event of any operation comes near this; what does is no stream of events. */
const maxHeldCharacters = 1_000_000

/** Cuts `text/event-stream` (WHATWG HTML, 9.2), which arrives cut anywhere, into events. */
export const createEventSplitter = () => {
  /** The line that has no end yet, as it came: it is not looked through again with each bit. */
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
      if (dataCharacters > maxHeldCharacters) throw new ClientError('unexpected_answer', 'an event has no end')
    } else if (name === 'id' && !value.includes('\0')) id = value
    return undefined
  }
  const clean = (text: string): string => {
    const begun = isFirst && text.startsWith('\uFEFF') ? text.slice(1) : text
    // The other half of a line end.
    const cleaned = endedWithReturn && begun.startsWith('\n') ? begun.slice(1) : begun
    isFirst = isFirst && text === ''
    if (text !== '') endedWithReturn = text.endsWith('\r')
    return cleaned
  }
  /** Takes the next bit and gives what it completes; an event that no empty line ends never counts. */
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
      throw new ClientError('unexpected_answer', 'a line of the stream has no end')
    return lines.map(takeLine).filter((event) => event !== undefined)
  }
}

/**
 * Reads a stream of events until it ends; an abort ends the connection, and so does breaking off the iteration.
 * @throws ClientError `network` when the connection breaks, and the reason of the signal
 */
async function* readEventStream(
  body: ReadableStream<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<StreamedEvent, void> {
  const split = createEventSplitter()
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  for await (const chunk of readChunks(body, signal)) yield* split(decoder.decode(chunk, { stream: true }))
}

/** Something that came from `sync/events`: where the account stands, or only a sign of life. */
export type LiveEvent = { readonly kind: 'position'; readonly position: number } | { readonly kind: 'alive' }

/** What `GET sync?wait` is asked. */
export interface WaitOptions {
  /** The position that was kept last. */
  readonly from: number
  /** How long the server may hold its answer, 1 to 60. */
  readonly seconds: number
  readonly signal?: AbortSignal | undefined
}

/** The two ways in which a server says that something changed (contract, Delivery: Live). */
export interface Listener {
  /**
   * Where the account stands, at once and after each change by another session, until the server ends the stream, as it
   * does when the access token ends. Asks for nothing but news: the changes themselves come with `sync`.
   * @throws ClientError `not_offered` by a server that has no such stream, and those of every call
   */
  readonly streamEvents: (options?: { readonly signal?: AbortSignal | undefined }) => AsyncGenerator<LiveEvent, void>
  /**
   * The position as soon as another session has changed something after `from`, or after so many seconds. A server that
   * does not know how to wait answers at once.
   * @throws ClientError `not_offered` by a server that refuses the parameter, and those of every call
   */
  readonly waitForChange: (options: WaitOptions) => Promise<number>
}

/** Whether a status says that the server does not know this way of asking. */
const isNotOffered = (status: number) => [400, 404, 405, 406, 410, 415, 501].includes(status)

const notOffered = (response: Response, what: string) =>
  new ClientError('not_offered', `the server has no ${what}`, { status: response.status })

/** A listener at a base address; `send` adds the token. */
export const createListener = (baseUrl: string, send: Send): Listener => {
  const base = baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`
  const ask = async (path: string, accept: string, signal: AbortSignal | undefined, what: string) => {
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
      const response = await ask('sync/events', 'text/event-stream', signal, 'stream of events')
      const type = response.headers.get('content-type') ?? ''
      if (!type.toLowerCase().startsWith('text/event-stream') || response.body === null) {
        await response.body?.cancel()
        throw notOffered(response, 'stream of events')
      }
      for await (const event of readEventStream(response.body, signal)) {
        const position = event.kind === 'event' ? positionOf(parse(event.data)) : undefined
        yield position === undefined ? { kind: 'alive' } : { kind: 'position', position }
      }
    },
    waitForChange: async ({ from, seconds, signal }) => {
      // Only whether there is something: what it is comes with the sync that follows.
      const query = `sync?from=${from}&wait=${seconds}&limit=0`
      const response = await ask(query, 'application/json', signal, 'answer that waits')
      const position = positionOf(parse(await response.text().catch(throwAsNetwork)))
      if (position === undefined) throw new ClientError('unexpected_answer', 'the answer has no pos')
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
