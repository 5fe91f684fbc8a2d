import type { ServerResponse } from 'node:http'
import type { ApiResponse, EventsResponse, JsonResponse } from '../api/handlers.ts'
import { createBodyEncoder, isWhole, minCompressedBytes } from '../wire/compress.ts'
import { type Chunks, renderBody } from '../wire/render-json.ts'
import { createSender } from '../wire/send.ts'
import type { GetRequestId } from './request-log.ts'

/** The headers of every response. */
export const commonHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

/** The header that identifies a request, in its response and in the log. */
export const requestIdHeader = 'x-request-id'

const type = 'application/json; charset=utf-8'
const vary = 'accept-encoding'
const smallHeaders = [...Object.entries(commonHeaders), ['Content-Type', type], ['Vary', vary]].flat()

/** The part of Koa's context that writing a response needs. */
interface ResponseContext {
  readonly res: ServerResponse
  readonly state: { readonly userId?: unknown }
  /** False when the response is written past Koa. */
  respond?: boolean | undefined
  status: number
  type: string
  body: unknown
  readonly set: (headers: Record<string, string>) => void
  readonly vary: (field: string) => void
  readonly acceptsEncodings: (encodings: string[]) => string | false
}

/** Writes a response of the API: JSON in the content encoding that the client prefers, or an event stream. */
type WriteResponse = (ctx: ResponseContext, response: ApiResponse) => Promise<void>

/** Creates a writer that caches compressed chunks and adds the request's ID to each response. */
export const createResponseWriter = (getRequestId: GetRequestId): WriteResponse => {
  const [encoder, sender] = [createBodyEncoder(), createSender()]

  const writeEncoded = async (ctx: ResponseContext, rendered: string | Buffer | Chunks): Promise<void> => {
    const accepted = ctx.acceptsEncodings([...encoder.offer(rendered)])
    const { encoding, body } = await encoder.encode(rendered, accepted)
    if (encoding !== undefined) ctx.set({ 'content-encoding': encoding })
    if (isWhole(body)) {
      ctx.body = body
      return
    }
    // Koa would pipe the chunks, which is slower and counts no bytes.
    ctx.respond = false
    await sender.send(ctx.res, body, String(ctx.state.userId ?? ''))
  }

  return async (ctx, response) => {
    if (response.events !== undefined) {
      writeEventStream(ctx, response, getRequestId(ctx.res.req))
      return
    }
    const { status, headers, body } = response
    const whole = renderBody(body)
    const rendered = typeof whole === 'string' ? whole : await whole
    if (typeof rendered === 'string' && rendered.length < minCompressedBytes && !hasOwnHeaders(ctx, headers)) {
      writeSmall(ctx, status, rendered, getRequestId(ctx.res.req))
      return
    }
    ctx.status = status
    ctx.set({ ...commonHeaders, ...headers, [requestIdHeader]: getRequestId(ctx.res.req) })
    ctx.type = type
    ctx.vary(vary)
    await writeEncoded(ctx, rendered)
  }
}

const hasOwnHeaders = ({ res }: ResponseContext, headers: JsonResponse['headers']): boolean =>
  headers !== undefined || res.hasHeader('Vary')

/** Writes a small response at once and past Koa, which sets header by header: most responses are this small. */
const writeSmall = (ctx: ResponseContext, status: number, body: string, requestId: string): void => {
  ctx.respond = false
  const length = String(Buffer.byteLength(body))
  ctx.res.writeHead(status, [...smallHeaders, requestIdHeader, requestId, 'Content-Length', length])
  ctx.res.end(body)
}

const eventHeaders = Object.entries({
  ...commonHeaders,
  'content-type': 'text/event-stream',
  // Some proxies buffer a response unless this header turns that off.
  'x-accel-buffering': 'no',
}).flat()

const noHeaders = Object.freeze({})
const noRawHeaders: string[] = []
Object.freeze(noRawHeaders)

/**
 * Detaches a response from Koa, which otherwise keeps its context of nearly 3 KB until the response ends. Koa uses
 * on-finished, which also listens to `end`, an event that responses of Node's server never emit: it removes all
 * listeners.
 */
const detachKoa = (res: ServerResponse): void => {
  res.emit('end')
}

/**
 * Writes an event stream, which lasts as long as its client, past Koa and never compressed; for a HEAD only its
 * headers. There may be very many streams, so each must hold little memory. Node keeps headers that are set one by one,
 * and the pieces of a head that is sent with the first text. The headers of the request are not needed again.
 */
export const writeEventStream = (ctx: ResponseContext, { status, events }: EventsResponse, requestId: string): void => {
  const { res } = ctx
  ctx.respond = false
  res.writeHead(status, [...eventHeaders, requestIdHeader, requestId])
  if (res.req.method === 'HEAD') {
    res.end()
    return
  }
  res.flushHeaders()
  res.req.headers = noHeaders
  res.req.rawHeaders = noRawHeaders
  detachKoa(res)
  events.begin(res)
}
