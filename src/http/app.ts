import type { IncomingMessage } from 'node:http'
import cors from '@koa/cors'
import Koa, { type Context, type Middleware } from 'koa'
import type { Logger } from 'pino'
import { answerError } from '../api/answer-error.ts'
import { type Api, answerRequest } from '../api/answer-request.ts'
import { findApiPath } from '../api/find-api-path.ts'
import { Refused } from '../refused.ts'
import type { PublicDocument } from './documents.ts'
import { createAnswerWriter, everyHeader } from './write-answer.ts'

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
  app.use(setEveryHeader)
  if (settings.corsOrigins.length > 0) app.use(answerOtherOrigins(settings.corsOrigins))
  app.use(answerErrors(log))
  app.use(serve(api, documents, settings.basePath))
  return app
}

const logRequests =
  (log: Logger): Middleware =>
  (ctx, next) => {
    if (!log.isLevelEnabled('info')) return next()
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
    return next()
  }

/** What is sent by now has them. */
const setEveryHeader: Middleware = async (ctx, next) => {
  await next()
  if (!ctx.headerSent) ctx.set({ ...everyHeader })
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

/** What is at the address of a request. One step, because each of Koa's costs every request. */
const serve = (api: Api, documents: ReadonlyMap<string, PublicDocument>, basePath: string): Middleware => {
  const serveApi = createApiServer(api, basePath)
  return async (ctx) => {
    refuseWithoutHost(ctx.req)
    const { path } = ctx
    const document = documents.get(path)
    if (document !== undefined) {
      ctx.type = document.type
      ctx.body = document.body
    } else if (path === '/healthz' || path === '/readyz') {
      if (path === '/readyz') await api.store.check()
      ctx.body = { status: 'ok' }
    } else await serveApi(ctx, path)
  }
}

/** What HTTP/1.1 asks of a server (RFC 9112, 3.2); Node's own refusal would have no error object. */
const refuseWithoutHost = ({ httpVersion, headers }: IncomingMessage): void => {
  if (httpVersion === '1.1' && headers.host === undefined) {
    throw new Refused('parameterInvalid', { parameter: 'The Host header', reason: 'is required' })
  }
}

const waitsForContinue = ({ httpVersion, headers }: IncomingMessage): boolean =>
  headers.expect !== undefined && httpVersion === '1.1' && headers.expect.toLowerCase() === '100-continue'

const createApiServer = (api: Api, basePath: string) => {
  const writeAnswer = createAnswerWriter()
  return async (ctx: Context, wholePath: string): Promise<void> => {
    const { req } = ctx
    const path = findApiPath(wholePath, basePath)
    if (path === undefined) throw new Refused('operationUnknown')
    const request = {
      method: ctx.method,
      path,
      query: ctx.querystring,
      authorization: req.headers.authorization,
      contentType: req.headers['content-type'] ?? '',
      message: req,
      continueBody: waitsForContinue(req) ? () => ctx.res.writeContinue() : undefined,
      address: ctx.ip,
    }
    const answer = await answerRequest(api, request, (session) => {
      ctx.state.userId = session.userId
    })
    await writeAnswer(ctx, answer)
  }
}
