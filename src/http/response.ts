import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Api, handleRequest } from '../api/handle-request.ts'
import type { EventsResponse, JsonResponse } from '../api/handlers.ts'
import { createBodyEncoder, isWhole, minCompressedBytes } from '../wire/compress.ts'
import { type Chunks, renderBody } from '../wire/render-json.ts'
import { createSender } from '../wire/send.ts'
import type { FindClientAddress } from './client-address.ts'
import type { GetRequestId } from './request-log.ts'

/** The headers that every answer has. */
export const commonHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

/** The header by which a client tells a request and its answer from others, here and in the log. */
export const requestIdHeader = 'x-request-id'

const type = 'application/json; charset=utf-8'
const vary = 'accept-encoding'
const smallHeaders = [...Object.entries(commonHeaders), ['Content-Type', type], ['Vary', vary]].flat()

/** Koa's context, as far as an answer is written with it. */
interface ResponseContext {
  readonly res: ServerResponse
  readonly state: { readonly userId?: unknown }
  /** False when the answer is written past Koa. */
  respond?: boolean | undefined
  status: number
  type: string
  body: unknown
  readonly set: (headers: Record<string, string>) => void
  readonly vary: (field: string) => void
  readonly acceptsEncodings: (encodings: string[]) => string | false
}

/** Writes an answer of the API as JSON, in the content encoding that its client likes best. */
type WriteResponse = (ctx: ResponseContext, response: JsonResponse) => Promise<void>

/** A writer that remembers what it compressed, and names each answer like its request. */
const createResponseWriter = (getRequestId: GetRequestId): WriteResponse => {
  const [encoder, sender] = [createBodyEncoder(), createSender()]

  const writeEncoded = async (ctx: ResponseContext, rendered: string | Buffer | Chunks): Promise<void> => {
    const accepted = ctx.acceptsEncodings([...encoder.offer(rendered)])
    const { encoding, body } = await encoder.encode(rendered, accepted)
    if (encoding !== undefined) ctx.set({ 'content-encoding': encoding })
    if (isWhole(body)) {
      ctx.body = body
      return
    }
    // Koa would pipe them, at half the speed and without counting.
    ctx.respond = false
    await sender.send(ctx.res, body, String(ctx.state.userId ?? ''))
  }

  return async (ctx, { status, headers, body }) => {
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

/** All at once and past Koa, which takes header by header: most answers are this small, and there are many. */
const writeSmall = (ctx: ResponseContext, status: number, body: string, name: string): void => {
  ctx.respond = false
  const length = String(Buffer.byteLength(body))
  ctx.res.writeHead(status, [...smallHeaders, requestIdHeader, name, 'Content-Length', length])
  ctx.res.end(body)
}

const eventHeaders = Object.entries({
  ...commonHeaders,
  'content-type': 'text/event-stream',
  // Some proxies gather an answer before they hand it over, unless they are told not to.
  'x-accel-buffering': 'no',
}).flat()

const noHeaders = Object.freeze({})
const noRawHeaders: string[] = []
Object.freeze(noRawHeaders)

/**
 * Koa keeps its context until an answer is over, nearly 3 KB for each. It learns that by on-finished, which also listens to
 * `end`, an event that answers of Node's server do not have: told so, it takes all of its listeners away.
 */
const leaveKoa = (res: ServerResponse): void => {
  res.emit('end')
}

/**
 * Writes an answer that goes on for as long as its client stays, past Koa and never compressed; to a HEAD its headers.
 * There may be very many, so each is left holding little: headers that are set one by one are kept one by one, a head that
 * goes out with the first text stays in the pieces that it was put together of, and nobody reads the request's headers again.
 */
export const writeEventStream = (ctx: ResponseContext, { status, events }: EventsResponse, name: string): void => {
  const { res } = ctx
  ctx.respond = false
  res.writeHead(status, [...eventHeaders, requestIdHeader, name])
  if (res.req.method === 'HEAD') {
    res.end()
    return
  }
  res.flushHeaders()
  res.req.headers = noHeaders
  res.req.rawHeaders = noRawHeaders
  leaveKoa(res)
  events.begin(res)
}

/** Koa's context, as far as the API is answered with it. */
interface ApiContext extends ResponseContext {
  readonly req: IncomingMessage
  readonly method: string
  readonly state: { userId?: unknown }
}

const waitsForContinue = ({ httpVersion, headers }: IncomingMessage): boolean =>
  headers.expect !== undefined && httpVersion === '1.1' && headers.expect.toLowerCase() === '100-continue'

/** Answers what is below the base address. */
export const createApiServer = (api: Api, findClientAddress: FindClientAddress, getRequestId: GetRequestId) => {
  const writeAnswer = createResponseWriter(getRequestId)
  return async (ctx: ApiContext, path: string, query: string): Promise<void> => {
    const { req } = ctx
    const request = {
      method: ctx.method,
      path,
      query,
      authorization: req.headers.authorization,
      contentType: req.headers['content-type'] ?? '',
      message: req,
      continueBody: waitsForContinue(req) ? () => ctx.res.writeContinue() : undefined,
      presence: ctx.res,
      address: findClientAddress(req),
      requestId: () => getRequestId(req),
    }
    const response = await handleRequest(api, request, (session) => {
      ctx.state.userId = session.userId
    })
    if (response.events === undefined) await writeAnswer(ctx, response)
    else writeEventStream(ctx, response, getRequestId(req))
  }
}
