import type { IncomingMessage } from 'node:http'
import cors from '@koa/cors'
import Koa, { type Context, type Middleware } from 'koa'
import type { Logger } from 'pino'
import { answerError } from '../api/answer-error.ts'
import { type Api, answerRequest } from '../api/answer-request.ts'
import { findApiPath } from '../api/find-api-path.ts'
import type { ServerSwitches } from '../oauth/metadata.ts'
import { Refused } from '../refused.ts'
import { createFindAddress, type FindAddress } from './client-address.ts'
import { isConnectionError } from './connection-error.ts'
import type { PublicDocument } from './documents.ts'
import { logRequests } from './log-requests.ts'
import { createOpenAddresses, refuseWriting } from './open-addresses.ts'
import { readTarget } from './read-target.ts'
import { createReadyCheck } from './ready-check.ts'
import { refuseHead } from './refuse-head.ts'
import { createRequestNames, type NameRequest } from './request-id.ts'
import { arrivalOf, createPageServer, type PageServing } from './serve-pages.ts'
import type { ServeWeb } from './serve-web.ts'
import { createAnswerWriter, everyHeader, requestIdHeader } from './write-answer.ts'
import { writeEvents } from './write-events.ts'

/** What the HTTP side is told from outside. */
export interface AppSettings {
  /** Path of the base address, as in `/v1/` or `/prefix/v1/`. */
  readonly basePath: string
  /** Origins that browsers may call from; none turns CORS off, `*` stands for any. */
  readonly corsOrigins: readonly string[]
  /** Proxies whose X-Forwarded-For is believed. */
  readonly trustProxy: readonly string[]
}

/** What there is beside the API. */
export interface Beside {
  readonly documents: ReadonlyMap<string, PublicDocument>
  readonly pages: Omit<PageServing, 'findAddress' | 'api' | 'nameRequest'>
  /** The web app, in front of the pages. */
  readonly serveWeb?: ServeWeb | undefined
  /** What the metadata says is on. */
  readonly switches: ServerSwitches
}

/** The Koa application: log, headers, CORS, health, documents, the API below the base address, and pages. */
export const createApp = (api: Api, beside: Beside, settings: AppSettings, log: Logger): Koa => {
  const app = new Koa()
  // Failures are logged where they are answered; here come connections that broke, which everybody may do at will.
  app.on('error', (error: NodeJS.ErrnoException) => {
    if (isConnectionError(error)) log.debug({ code: error.code }, 'a connection broke')
    else log.error({ err: error }, 'an answer broke off')
  })
  const nameRequest = createRequestNames()
  app.use(logRequests(log, nameRequest))
  app.use(setEveryHeader(nameRequest))
  if (settings.corsOrigins.length > 0) app.use(answerOtherOrigins(settings.corsOrigins))
  app.use(answerErrors(log, nameRequest))
  app.use(serve(api, beside, settings, nameRequest))
  return app
}

/** What is sent by now has them. */
const setEveryHeader =
  (nameRequest: NameRequest): Middleware =>
  async (ctx, next) => {
    await next()
    if (!ctx.headerSent) ctx.set({ ...everyHeader, [requestIdHeader]: nameRequest(ctx.req) })
  }

const answerOtherOrigins = (origins: readonly string[]): Middleware =>
  cors({
    origin: (ctx) => allowOrigin(ctx, origins),
    // What the contract gives a client to act on; a browser hides other headers.
    exposeHeaders: ['www-authenticate', 'retry-after', 'allow', requestIdHeader],
  })

const allowOrigin = (ctx: Context, origins: readonly string[]): string => {
  const origin = ctx.get('origin')
  if (origins.includes('*')) return '*'
  return origins.includes(origin) ? origin : ''
}

const answerErrors =
  (log: Logger, nameRequest: NameRequest): Middleware =>
  async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      const { status, headers, body } = answerError(error, ctx.req.headers.authorization)
      if (status >= 500) log.error({ err: error, requestId: nameRequest(ctx.req) }, 'a request failed')
      ctx.status = status
      ctx.set(headers)
      ctx.body = body
    }
  }

/** What is at the address of a request. One step, because each of Koa's costs every request. */
const serve = (
  api: Api,
  { documents, pages, serveWeb, switches }: Beside,
  settings: AppSettings,
  nameRequest: NameRequest,
): Middleware => {
  const findAddress = createFindAddress(settings.trustProxy)
  const serveApi = createApiServer(api, findAddress, nameRequest)
  const servePage = createPageServer({ ...pages, findAddress, api, nameRequest })
  const checkReady = createReadyCheck(api.store.check)
  const { findSite: findPlace } = pages
  const findOpenAddress = createOpenAddresses({
    documents,
    basePath: settings.basePath,
    checkReady,
    findPlace,
    switches,
  })
  return async (ctx) => {
    const target = readTarget(ctx.req.url ?? '')
    if (target === undefined) throw new Refused('targetInvalid')
    refuseHead(ctx.req)
    const open = findOpenAddress(target.path)
    if (open === undefined) {
      const path = findApiPath(target.path, settings.basePath)
      if (path !== undefined) return await serveApi(ctx, path, target.query)
      if (serveWeb?.(ctx, target) === true) return
      if (await servePage(ctx, target)) return
      throw new Refused('operationUnknown')
    }
    refuseWriting(ctx.method)
    const { type, body } = await open(arrivalOf(ctx.req))
    ctx.type = type
    ctx.body = body
  }
}

const waitsForContinue = ({ httpVersion, headers }: IncomingMessage): boolean =>
  headers.expect !== undefined && httpVersion === '1.1' && headers.expect.toLowerCase() === '100-continue'

const createApiServer = (api: Api, findAddress: FindAddress, nameRequest: NameRequest) => {
  const writeAnswer = createAnswerWriter(nameRequest)
  return async (ctx: Context, path: string, query: string): Promise<void> => {
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
      address: findAddress(req),
      requestId: () => nameRequest(req),
    }
    const answer = await answerRequest(api, request, (session) => {
      ctx.state.userId = session.userId
    })
    if (answer.events === undefined) await writeAnswer(ctx, answer)
    else writeEvents(ctx, answer, nameRequest(req))
  }
}
