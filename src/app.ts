import cors from '@koa/cors'
import Koa, { type Context, type Middleware } from 'koa'
import type { Logger } from 'pino'
import { answerError } from './api/answer-error.ts'
import { type Api, answerRequest } from './api/answer-request.ts'
import { findApiPath } from './api/find-api-path.ts'
import type { PublicDocument } from './documents.ts'
import { Refused } from './refused.ts'
import { encodings } from './wire/compress-body.ts'
import { createBodyEncoder, type EncodeBody } from './wire/encode-body.ts'
import { renderBody } from './wire/render-body.ts'
import { createSender, type Sender } from './wire/send-chunks.ts'

/** What the HTTP side is told from outside. */
export interface AppSettings {
  /** Path of the base address, as in `/v1/` or `/prefix/v1/`. */
  readonly basePath: string
  /** Origins that browsers may call from; none turns CORS off, `*` stands for any. */
  readonly corsOrigins: readonly string[]
  /** Believe X-Forwarded-For of a proxy in front. */
  readonly trustProxy: boolean
}

/** The Koa application: log, headers, CORS, health, documents, and the API below the base address. */
export const createApp = (
  api: Api,
  documents: ReadonlyMap<string, PublicDocument>,
  settings: AppSettings,
  log: Logger,
): Koa => {
  const app = new Koa({ proxy: settings.trustProxy })
  // Every failure is logged where it is answered; here come only connections that broke while an answer was sent.
  app.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') log.error({ err: error }, 'an answer broke off')
  })
  app.use(logRequests(log))
  app.use(setSecurityHeaders)
  if (settings.corsOrigins.length > 0) app.use(answerOtherOrigins(settings.corsOrigins))
  app.use(answerErrors(log))
  app.use(refuseWithoutHost)
  app.use(serveHealth(api))
  app.use(serveDocuments(documents))
  app.use(serveApi(api, settings.basePath))
  return app
}

const logRequests =
  (log: Logger): Middleware =>
  async (ctx, next) => {
    const start = performance.now()
    ctx.res.once('close', () => {
      const ms = Math.round((performance.now() - start) * 10) / 10
      const isComplete = ctx.res.writableFinished
      const { method, path, status, state } = ctx
      log.info({
        method,
        path: path.slice(0, 200),
        status,
        ms,
        user: state.userId,
        ...(isComplete ? {} : { isComplete }),
      })
    })
    await next()
  }

const setSecurityHeaders: Middleware = (ctx, next) => {
  ctx.set('x-content-type-options', 'nosniff')
  ctx.set('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
  ctx.set('referrer-policy', 'no-referrer')
  ctx.set('cache-control', 'no-store')
  return next()
}

const answerOtherOrigins = (origins: readonly string[]): Middleware =>
  cors({
    origin: (ctx) => allowOrigin(ctx, origins),
    // What the contract gives a client to act on; a browser hides other headers.
    exposeHeaders: ['www-authenticate', 'retry-after', 'allow'],
  })

const allowOrigin = (ctx: Context, origins: readonly string[]): string => {
  const origin = ctx.get('origin')
  if (origins.includes('*')) return '*'
  return origins.includes(origin) ? origin : ''
}

const answerErrors =
  (log: Logger): Middleware =>
  async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      const { status, headers, body } = answerError(error)
      if (status >= 500) log.error({ err: error }, 'a request failed')
      ctx.status = status
      ctx.set(headers)
      ctx.body = body
    }
  }

/** What HTTP/1.1 asks of a server (RFC 9112, 3.2); Node's own refusal would have no error object. */
const refuseWithoutHost: Middleware = (ctx, next) => {
  const { httpVersion, headers } = ctx.req
  if (httpVersion === '1.1' && headers.host === undefined) {
    throw new Refused('parameterInvalid', { parameter: 'The Host header', reason: 'is required' })
  }
  return next()
}

const serveHealth =
  (api: Api): Middleware =>
  async (ctx, next) => {
    if (ctx.path === '/readyz') await api.store.check()
    else if (ctx.path !== '/healthz') return next()
    ctx.body = { status: 'ok' }
  }

const serveDocuments =
  (documents: ReadonlyMap<string, PublicDocument>): Middleware =>
  async (ctx, next) => {
    const document = documents.get(ctx.path)
    if (document === undefined) return next()
    ctx.type = document.type
    ctx.body = document.body
  }

const serveApi = (api: Api, basePath: string): Middleware => {
  const [encode, sender] = [createBodyEncoder(), createSender()]
  return async (ctx) => {
    const path = findApiPath(ctx.path, basePath)
    if (path === undefined) throw new Refused('operationUnknown')
    const request = {
      method: ctx.method,
      path,
      query: ctx.querystring,
      authorization: ctx.req.headers.authorization,
      contentType: ctx.req.headers['content-type'] ?? '',
      message: ctx.req,
      address: ctx.ip,
    }
    const answer = await answerRequest(api, request, (session) => {
      ctx.state.userId = session.userId
    })
    ctx.status = answer.status
    ctx.set({ ...answer.headers })
    await setBody(ctx, encode, sender, answer.body)
  }
}

const setBody = async (ctx: Context, encode: EncodeBody, sender: Sender, value: unknown): Promise<void> => {
  const rendered = await renderBody(value)
  ctx.type = 'application/json; charset=utf-8'
  ctx.vary('accept-encoding')
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
