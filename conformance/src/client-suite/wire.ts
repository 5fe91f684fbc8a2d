/*
 * The wire between the client under test and the model server: an HTTP server that passes requests on, records every
 * exchange, and breaks what a rule asks it to break. It decides nothing. Start reading at `Act`.
 */
import { once } from 'node:events'
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  request as sendRequest,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { brotliCompressSync, constants, createGzip, deflateSync, gzipSync } from 'node:zlib'
import { isObject, type JsonObject, type Pair, parseJson } from '../encoding.ts'
import type { Exchange } from '../result.ts'

/** A request as it arrived. */
export interface WireRequest {
  readonly number: number
  readonly method: string
  /** Relative to the base URL, such as `sync`. */
  readonly path: string
  readonly url: string
  readonly query: readonly Pair[]
  /** The decoded form; empty for another content type. */
  readonly form: readonly Pair[]
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** Milliseconds of a monotonic clock. */
  readonly arrivedAt: number
}

/** A whole response, not compressed. */
export interface WireResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** One exchange: the request, what the model server responded, and what the client got of it. */
export interface WireExchange {
  readonly request: WireRequest
  /** The response of the model server, or of the script. */
  response?: WireResponse
  /** What happened to the response: in words, for the report. */
  fate: string
  /** Whether a script handled the request, instead of passing it on. */
  readonly isScripted: boolean
}

/** What a script can do with one request. */
export interface Step {
  readonly request: WireRequest
  /** Lets the model server handle the request; it commits what it uploads. */
  readonly forward: () => Promise<WireResponse>
  /** Sends a whole response. */
  readonly send: (response: WireResponse) => Promise<void>
  /** Writes the head of a response, and returns the function that writes pieces of its body. */
  readonly begin: (response: WireResponse, length?: number) => (piece: Buffer) => Promise<void>
  /** Ends a response that was begun. */
  readonly finish: () => void
  /** Closes the connection without the rest of the response. */
  readonly drop: (fate: string) => void
}

/** Handles one request. */
export type Act = (step: Step) => Promise<void>

/** Selects requests: by path, by kind, or by a function. */
export type Matcher = 'sync' | 'token' | 'refresh' | 'upload' | ((request: WireRequest) => boolean)

/** The running wire. */
export interface Wire {
  /** Ends in `/v1/`. */
  readonly baseUrl: string
  readonly exchanges: readonly WireExchange[]
  /** The requests that the matcher selects, oldest first. */
  readonly requests: (matcher: Matcher) => readonly WireRequest[]
  /** Handles the next request that the matcher selects; several are used in order. */
  readonly once: (matcher: Matcher, act: Act) => void
  /** Handles every request that the matcher selects and no `once` takes; returns a function that ends this. */
  readonly always: (matcher: Matcher, act: Act) => () => void
  /** Resolves when the next request that the matcher selects has arrived, before it is handled. */
  readonly arrival: (matcher: Matcher) => Promise<WireRequest>
  /** Closes idle connections without a word. */
  readonly closeIdle: () => void
  readonly close: () => Promise<void>
}

const uploads = /^(new_thing|changed_thing|deleted_thing|tag)(\[|$)/

/** Whether a sync uploads something. */
export function isUpload({ path, form, query }: WireRequest): boolean {
  return path === 'sync' && [...form, ...query].some(([name]) => uploads.test(name))
}

/** Returns the values of a parameter, form and query together. */
export function valuesOf({ form, query }: WireRequest, name: string): readonly string[] {
  return [...query, ...form].filter(([candidate]) => candidate === name).map(([, value]) => value)
}

/** Whether a request asks for a new pair of tokens with an earlier one. */
export function isRefresh(request: WireRequest): boolean {
  return request.path === 'token' && valuesOf(request, 'grant_type').includes('refresh_token')
}

function matches(matcher: Matcher, request: WireRequest): boolean {
  if (typeof matcher === 'function') return matcher(request)
  if (matcher === 'upload') return isUpload(request)
  return matcher === 'refresh' ? isRefresh(request) : request.path === matcher
}

/** Passes the request on and the response back. */
export const pass: Act = async (step) => step.send(await step.forward())

/** The model server commits the request, and the response is lost. */
export const loseResponse: Act = async (step) => {
  await step.forward()
  step.drop('lost after the server had committed the request')
}

/** The request is lost before the server sees it. */
export const loseRequest: Act = async (step) => step.drop('lost before the server saw the request')

/** The connection breaks in the middle of the body, after `share` of its bytes. */
export function cutBody(share: number): Act {
  return async (step) => {
    const response = await step.forward()
    const write = step.begin(response, response.body.length)
    await write(response.body.subarray(0, Math.floor(response.body.length * share)))
    await wait(20)
    step.drop(`cut after ${Math.floor(response.body.length * share)} of ${response.body.length} bytes`)
  }
}

/**
 * Sends the response in pieces with these borders, each in a packet of its own. Without a pause, a client that is slower
 * than the wire would read several pieces as one.
 */
export function inPieces(borders: (body: Buffer) => readonly number[], pauseMs = 1): Act {
  return async (step) => {
    const response = await step.forward()
    const write = step.begin(response)
    let start = 0
    for (const end of [...borders(response.body), response.body.length]) {
      if (end <= start) continue
      await write(response.body.subarray(start, end))
      if (end < response.body.length) await wait(pauseMs)
      start = end
    }
    step.finish()
  }
}

/** Borders inside every character of several bytes, every number and every escape, and after each bracket. */
export function awkwardBorders(body: Buffer): readonly number[] {
  const borders: number[] = []
  for (let index = 1; index < body.length; index += 1) {
    const [byte = 0, before = 0] = [body[index], body[index - 1]]
    const isInCharacter = (byte & 0xc0) === 0x80
    const isDigit = (code: number): boolean => code >= 48 && code <= 57
    if (isInCharacter || before === 92 || (isDigit(byte) && isDigit(before)) || before === 123) borders.push(index)
  }
  return borders
}

/** Responds without the model server. */
export function respondWith(
  status: number,
  body: JsonObject | string,
  headers: Readonly<Record<string, string>> = {},
): Act {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = { status, headers: { 'content-type': 'application/json', ...headers }, body: Buffer.from(text) }
  return async (step) => step.send(response)
}

/** Rejects the access token. */
export const rejectToken: Act = respondWith(401, {
  error: 'invalid_grant',
  error_description: 'The access token provided is invalid',
})

/** Changes the JSON of the response of the model server. */
export function editJson(edit: (body: Record<string, unknown>) => unknown): Act {
  return async (step) => {
    const response = await step.forward()
    const parsed = parseJson(response.body.toString('utf8'))
    await step.send({ ...response, body: Buffer.from(JSON.stringify(isObject(parsed) ? edit({ ...parsed }) : parsed)) })
  }
}

/** The content codings that the suite can write. */
const compressors: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: (body) => gzipSync(body),
  'x-gzip': (body) => gzipSync(body),
  deflate: (body) => deflateSync(body),
  br: (body) => brotliCompressSync(body),
}

/** Returns the content codings that a request accepts, of those that the suite can write. */
export function acceptedCodings({ headers }: Pick<WireRequest, 'headers'>): readonly string[] {
  const offers = String(headers['accept-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((offer) => offer.replaceAll(/\s/g, ''))
  const isOffered = (coding: string): boolean =>
    offers.some((offer) => offer === coding || (offer.startsWith(`${coding};`) && !/;q=0(\.0*)?$/.test(offer)))
  return Object.keys(compressors).filter(isOffered)
}

/** Compresses the response by a content coding when the client accepts it. */
export function compressedBy(coding: string): Act {
  return async (step) => {
    const response = await step.forward()
    const compress = compressors[coding]
    if (compress === undefined || !acceptedCodings(step.request).includes(coding)) return step.send(response)
    const headers = { ...response.headers, 'content-encoding': coding }
    return step.send({ ...response, headers, body: compress(response.body) })
  }
}

/** Compresses the response when the client accepts gzip. */
export const compressed: Act = compressedBy('gzip')

/**
 * Compresses the response when the client accepts gzip. Each 97 bytes are flushed, and each flushed piece comes in two
 * packets, so that the pieces are no streams of their own.
 */
export const compressedInPieces: Act = async (step) => {
  const response = await step.forward()
  if (!acceptedCodings(step.request).includes('gzip')) return step.send(response)
  const write = step.begin({ ...response, headers: { ...response.headers, 'content-encoding': 'gzip' } })
  const gzip = createGzip()
  const flushed: Buffer[] = []
  gzip.on('data', (piece: Buffer) => void flushed.push(piece))
  const writeFlushed = async (): Promise<void> => {
    const piece = Buffer.concat(flushed.splice(0))
    const middle = Math.ceil(piece.length / 2)
    for (const packet of [piece.subarray(0, middle), piece.subarray(middle)]) {
      if (packet.length > 0) await write(packet)
      await wait(1)
    }
  }
  for (let start = 0; start < response.body.length; start += 97) {
    gzip.write(response.body.subarray(start, start + 97))
    await new Promise<void>((resolve) => gzip.flush(constants.Z_SYNC_FLUSH, () => resolve()))
    await writeFlushed()
  }
  const ended = once(gzip, 'end')
  gzip.end()
  await ended
  await writeFlushed()
  step.finish()
}

/** Ends the response after half of its gzip stream, when the client accepts gzip: as if it were whole, or by a broken connection. */
export function cutCompressed(end: 'as if whole' | 'broken'): Act {
  return async (step) => {
    const response = await step.forward()
    if (!acceptedCodings(step.request).includes('gzip')) return step.send(response)
    const body = compressors.gzip?.(response.body) ?? response.body
    const write = step.begin({ ...response, headers: { ...response.headers, 'content-encoding': 'gzip' } })
    await write(body.subarray(0, Math.floor(body.length / 2)))
    await wait(20)
    if (end === 'broken') step.drop('cut inside its gzip stream')
    else step.finish()
  }
}

/** Lets the first byte wait. */
export function late(ms: number): Act {
  return async (step) => {
    const response = await step.forward()
    await wait(ms)
    await step.send(response)
  }
}

/** Lets the second half of the body wait. */
export function lateInside(ms: number): Act {
  return async (step) => {
    const response = await step.forward()
    const middle = Math.floor(response.body.length / 2)
    const write = step.begin(response, response.body.length)
    await write(response.body.subarray(0, middle))
    await wait(ms)
    await write(response.body.subarray(middle))
    step.finish()
  }
}

/** The model server commits the request, and a gateway responds that it waited too long. */
export const loseAtGateway: Act = async (step) => {
  await step.forward()
  await respondWith(504, '<html>Gateway Timeout</html>', { 'content-type': 'text/html' })(step)
}

/** Handles the request, and holds its response until the promise resolves. */
export function holdUntil(promise: Promise<unknown>, act: Act = pass): Act {
  return async (step) => {
    await promise
    await act(step)
  }
}

/** Describes an exchange for a report. */
export function toExchange({ request, response, fate }: WireExchange, who = 'client'): Exchange {
  const text = request.body.toString('utf8')
  return {
    who,
    method: request.method,
    url: request.url,
    requestHeaders: pickHeaders(request.headers),
    ...(text === '' ? {} : { requestBody: text.slice(0, 4000) }),
    ...(response === undefined
      ? {}
      : {
          status: response.status,
          responseHeaders: response.headers,
          responseBody: `${fate === '' ? '' : `(${fate}) `}${response.body.subarray(0, 4000).toString('utf8')}`,
        }),
    ...(response === undefined && fate !== '' ? { responseBody: `(${fate})` } : {}),
    ms: 0,
  }
}

function pickHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const names = ['authorization', 'content-type', 'accept-encoding']
  return Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  )
}

async function readAll(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/**
 * Opens a wire in front of a server. `prefix` is a path before `/v1/`, such as `/things`. `onExchange` is called for each
 * request when it arrives; its response comes later.
 */
export async function openWire(
  target: string,
  prefix = '',
  onExchange: (exchange: WireExchange) => void = () => {},
): Promise<Wire> {
  const exchanges: WireExchange[] = []
  const scripts: { readonly matcher: Matcher; readonly act: Act }[] = []
  const standing: { readonly matcher: Matcher; readonly act: Act }[] = []
  const arrivals: { readonly matcher: Matcher; readonly resolve: (request: WireRequest) => void }[] = []
  // A connection for each request: a right server may close one at any time after its response.
  const agent = new Agent({ keepAlive: false })
  const forward = async ({ method, url, headers, body }: WireRequest): Promise<WireResponse> => {
    const path = new URL(url, target).pathname.slice(prefix.length) + new URL(url, target).search
    const {
      'accept-encoding': _coding,
      host: _host,
      connection: _connection,
      'transfer-encoding': _te,
      ...rest
    } = headers
    const sent = sendRequest(new URL(path, target), {
      method,
      agent,
      headers: { ...rest, 'content-length': body.length },
    })
    sent.end(body)
    const [message] = (await once(sent, 'response')) as [IncomingMessage]
    const content = await readAll(message)
    const {
      'content-length': _length,
      connection: _keep,
      'keep-alive': _ka,
      'transfer-encoding': _te2,
      date: _date,
      ...kept
    } = message.headers
    return { status: message.statusCode ?? 0, headers: kept as Record<string, string>, body: content }
  }
  const handle = async (message: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const body = await readAll(message)
    const request = readRequest(message, body, exchanges.length + 1, prefix)
    const index = scripts.findIndex(({ matcher }) => matches(matcher, request))
    const [script] = index < 0 ? [] : scripts.splice(index, 1)
    const scripted = script?.act ?? standing.findLast(({ matcher }) => matches(matcher, request))?.act
    const act = scripted ?? pass
    const exchange: WireExchange = { request, fate: '', isScripted: scripted !== undefined }
    exchanges.push(exchange)
    onExchange(exchange)
    for (const arrival of [...arrivals]) {
      if (!matches(arrival.matcher, request)) continue
      arrivals.splice(arrivals.indexOf(arrival), 1)
      arrival.resolve(request)
    }
    const write = async (piece: Buffer): Promise<void> => {
      if (reply.destroyed) return
      await new Promise<void>((resolve) => void reply.write(piece, () => resolve()))
      if (reply.writableNeedDrain) await Promise.race([once(reply, 'drain'), once(reply, 'close')])
    }
    const begin: Step['begin'] = (response, length) => {
      exchange.response = response
      message.socket.setNoDelay(true)
      reply.writeHead(response.status, {
        ...response.headers,
        ...(length === undefined ? {} : { 'content-length': length }),
      })
      return write
    }
    await act({
      request,
      forward: async () => {
        const response = await forward(request)
        exchange.response = response
        return response
      },
      send: async (response) => {
        exchange.response = response
        reply.writeHead(response.status, { ...response.headers, 'content-length': response.body.length })
        await new Promise<void>((resolve) => {
          reply.once('close', resolve)
          reply.end(response.body, () => resolve())
        })
      },
      begin,
      finish: () => void reply.end(),
      drop: (fate) => {
        exchange.fate = fate
        message.socket.destroy()
      },
    })
  }
  const server = createServer((message, reply) => {
    handle(message, reply).catch((error: unknown) => {
      // The client closed the connection, or was killed: no one waits for the response.
      if (reply.destroyed) return
      const text = JSON.stringify({
        error: 'server_error',
        error_description: `the suite itself failed: ${String(error)}`,
      })
      if (!reply.headersSent) reply.writeHead(500, { 'content-type': 'application/json' })
      reply.end(text)
    })
  })
  server.keepAliveTimeout = 60_000
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}${prefix}/v1/`,
    exchanges,
    requests: (matcher) => exchanges.map(({ request }) => request).filter((request) => matches(matcher, request)),
    once: (matcher, act) => void scripts.push({ matcher, act }),
    always: (matcher, act) => {
      const entry = { matcher, act }
      standing.push(entry)
      return () => void standing.splice(standing.indexOf(entry), 1)
    },
    arrival: (matcher) => new Promise((resolve) => void arrivals.push({ matcher, resolve })),
    closeIdle: () => server.closeIdleConnections(),
    close: async () => {
      agent.destroy()
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

function readRequest(message: IncomingMessage, body: Buffer, number: number, prefix: string): WireRequest {
  const url = new URL(message.url ?? '/', 'http://localhost')
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(message.headers['content-type'] ?? '')
  return {
    number,
    method: message.method ?? '',
    path: url.pathname
      .slice(prefix.length)
      .replace(/^\/v1\//, '')
      .replace(/\/$/, ''),
    url: message.url ?? '',
    query: [...url.searchParams],
    form: isForm ? [...new URLSearchParams(body.toString('utf8'))] : [],
    headers: message.headers,
    body,
    arrivedAt: performance.now(),
  }
}
