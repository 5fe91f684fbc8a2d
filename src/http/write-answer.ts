import type { ServerResponse } from 'node:http'
import type { JsonAnswer } from '../api/handlers.ts'
import { smallestCompressed } from '../wire/compress-body.ts'
import { createBodyEncoder, isWhole } from '../wire/encode-body.ts'
import { type Chunks, renderBody } from '../wire/render-body.ts'
import { createSender } from '../wire/send-chunks.ts'
import type { NameRequest } from './request-id.ts'

/** The headers that every answer has. */
export const everyHeader: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

/** The header by which a client tells a request and its answer from others, here and in the log. */
export const requestIdHeader = 'x-request-id'

const type = 'application/json; charset=utf-8'
const vary = 'accept-encoding'
const smallHeaders = [...Object.entries(everyHeader), ['Content-Type', type], ['Vary', vary]].flat()

/** Koa's context, as far as an answer is written with it. */
export interface AnswerContext {
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
export type WriteAnswer = (ctx: AnswerContext, answer: JsonAnswer) => Promise<void>

/** A writer that remembers what it compressed, and names each answer like its request. */
export const createAnswerWriter = (nameRequest: NameRequest): WriteAnswer => {
  const [encoder, sender] = [createBodyEncoder(), createSender()]

  const writeEncoded = async (ctx: AnswerContext, rendered: string | Buffer | Chunks): Promise<void> => {
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
    if (typeof rendered === 'string' && rendered.length < smallestCompressed && !hasOwnHeaders(ctx, headers)) {
      writeSmall(ctx, status, rendered, nameRequest(ctx.res.req))
      return
    }
    ctx.status = status
    ctx.set({ ...everyHeader, ...headers, [requestIdHeader]: nameRequest(ctx.res.req) })
    ctx.type = type
    ctx.vary(vary)
    await writeEncoded(ctx, rendered)
  }
}

const hasOwnHeaders = ({ res }: AnswerContext, headers: JsonAnswer['headers']): boolean =>
  headers !== undefined || res.hasHeader('Vary')

/** All at once and past Koa, which takes header by header: most answers are this small, and there are many. */
const writeSmall = (ctx: AnswerContext, status: number, body: string, name: string): void => {
  ctx.respond = false
  const length = String(Buffer.byteLength(body))
  ctx.res.writeHead(status, [...smallHeaders, requestIdHeader, name, 'Content-Length', length])
  ctx.res.end(body)
}
