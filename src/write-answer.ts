import type { Context } from 'koa'
import type { Answer } from './api/handlers.ts'
import { encodings, smallestCompressed } from './wire/compress-body.ts'
import { createBodyEncoder } from './wire/encode-body.ts'
import { type Chunks, renderBody } from './wire/render-body.ts'
import { createSender } from './wire/send-chunks.ts'

/** Writes an answer of the API as JSON, in the content encoding that its client likes best. */
export type WriteAnswer = (ctx: Context, answer: Answer) => Promise<void>

/** A writer that remembers what it compressed. */
export const createAnswerWriter = (): WriteAnswer => {
  const [encode, sender] = [createBodyEncoder(), createSender()]

  const writeEncoded = async (ctx: Context, rendered: string | Buffer | Chunks): Promise<void> => {
    const { encoding, chunks, body } = encode(rendered, ctx.acceptsEncodings([...encodings]))
    if (encoding !== undefined) ctx.set('content-encoding', encoding)
    if (chunks === undefined) {
      ctx.body = body
      return
    }
    // Koa would pipe them, at half the speed.
    ctx.respond = false
    await sender.send(ctx.res, chunks)
  }

  return async (ctx, { status, headers, body }) => {
    ctx.status = status
    if (headers !== undefined) ctx.set({ ...headers })
    const whole = renderBody(body)
    const rendered = typeof whole === 'string' ? whole : await whole
    setBodyHeaders(ctx)
    // Most answers are this small, and whatever is asked for them is asked for every request.
    if (typeof rendered === 'string' && rendered.length < smallestCompressed) ctx.body = rendered
    else await writeEncoded(ctx, rendered)
  }
}

/** Not ctx.type and ctx.vary, which look up and parse what is known here. */
const setBodyHeaders = (ctx: Context): void => {
  ctx.res.setHeader('Content-Type', 'application/json; charset=utf-8')
  if (ctx.res.hasHeader('Vary')) ctx.vary('accept-encoding')
  else ctx.res.setHeader('Vary', 'accept-encoding')
}
