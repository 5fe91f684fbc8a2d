import cors from '@koa/cors'
import Koa, { type Context, type Middleware } from 'koa'
import { answerError } from '../api/answer-error.ts'
import type { Api } from '../api/answer-request.ts'
import { findApiPath } from '../api/find-api-path.ts'
import type { Routes } from '../api/routes.ts'
import type { ServerSwitches } from '../oauth/metadata.ts'
import { Refused } from '../refused.ts'
import { StoreFailed } from '../store/store.ts'
import { createFindAddress, createIsTrustedPeer, type FindAddress } from './client-address.ts'
import { isConnectionError } from './connection-error.ts'
import { isStrangersRefusal } from './count-strangers.ts'
import type { PublicDocument } from './documents.ts'
import { logRequests, type Observers } from './log-requests.ts'
import { nameOpenAddress, nameOperation } from './name-operation.ts'
import { createOpenAddresses, refuseWriting } from './open-addresses.ts'
import { createFindProxyUser } from './proxy-user.ts'
import { readTarget, type Target } from './read-target.ts'
import { createReadyCheck } from './ready-check.ts'
import { createRefuseHead } from './refuse-head.ts'
import { createRequestNames, type NameRequest } from './request-id.ts'
import { createApiServer } from './serve-api.ts'
import { arrivalOf, createPageServer, type PageServing } from './serve-pages.ts'
import type { ServeWeb } from './serve-web.ts'
import type { Visits } from './visits.ts'
import { everyHeader, requestIdHeader } from './write-answer.ts'

/** What the HTTP side is told from outside. */
export interface AppSettings {
  /** Path of the base address, as in `/v1/` or `/prefix/v1/`. */
  readonly basePath: string
  /** Origins that browsers may call from; none turns CORS off, `*` stands for any. */
  readonly corsOrigins: readonly string[]
  /** Proxies whose X-Forwarded-For is believed. */
  readonly trustProxy: readonly string[]
  /** Header in which these proxies name the user whom they have signed in; without it none is believed. */
  readonly authHeader?: string | undefined
  /** True when clients come by a Unix socket, behind which there is a proxy by nature; false by default. */
  readonly isBehindUnixSocket?: () => boolean
}

/** What there is beside the API. */
export interface Beside {
  readonly documents: ReadonlyMap<string, PublicDocument>
  readonly pages: Omit<PageServing, 'findAddress' | 'findProxyUser' | 'api' | 'nameRequest'>
  /** The web app, in front of the pages. */
  readonly serveWeb?: ServeWeb | undefined
  /** Counts what strangers ask for of all this, and what the API refuses to them. */
  readonly visits: Visits
  /** What the metadata says is on. */
  readonly switches: ServerSwitches
}

/** The Koa application: log, headers, CORS, health, documents, the API below the base address, and pages. */
export const createApp = (api: Api, beside: Beside, settings: AppSettings, observers: Observers): Koa => {
  const { log } = observers
  const app = new Koa()
  // Failures are logged where they are answered; here come connections that broke, which everybody may do at will.
  app.on('error', (error: NodeJS.ErrnoException) => {
    if (isConnectionError(error)) log.debug({ code: error.code }, 'a connection broke')
    else log.error({ err: error }, 'an answer broke off')
  })
  const nameRequest = createRequestNames()
  const findAddress = createFindAddress(settings.trustProxy, settings.isBehindUnixSocket)
  app.use(logRequests(observers, nameRequest, findAddress))
  app.use(setEveryHeader(nameRequest))
  if (settings.corsOrigins.length > 0) app.use(answerOtherOrigins(settings.corsOrigins, listMethods(api.routes)))
  app.use(answerErrors(observers, nameRequest))
  app.use(serve(api, beside, { ...settings, findAddress, nameRequest }))
  return app
}

/** What is sent by now has them. */
const setEveryHeader =
  (nameRequest: NameRequest): Middleware =>
  async (ctx, next) => {
    await next()
    if (!ctx.headerSent) ctx.set({ ...everyHeader, [requestIdHeader]: nameRequest(ctx.req) })
  }

/** The methods that operations of the document take. */
const listMethods = (routes: Routes): string[] =>
  [...new Set([...routes.values()].flatMap((methods) => [...methods.keys()]))].sort()

const answerOtherOrigins = (origins: readonly string[], methods: string[]): Middleware =>
  cors({
    origin: (ctx) => allowOrigin(ctx, origins),
    allowMethods: methods,
    // What the contract gives a client to act on; a browser hides other headers.
    exposeHeaders: ['www-authenticate', 'retry-after', 'allow', requestIdHeader],
  })

const allowOrigin = (ctx: Context, origins: readonly string[]): string => {
  const origin = ctx.get('origin')
  if (origins.includes('*')) return '*'
  return origins.includes(origin) ? origin : ''
}

const answerErrors =
  ({ log, metrics }: Observers, nameRequest: NameRequest): Middleware =>
  async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      if (error instanceof Refused) {
        ctx.state.refused = error.kind
        metrics?.noteRefusal(error.kind)
      }
      const { status, headers, body } = answerError(error, ctx.req.headers.authorization)
      const requestId = nameRequest(ctx.req)
      // A store says what happened in a sentence; while it lasts, that is a line for each request.
      if (error instanceof StoreFailed) log.error({ requestId }, `a request failed: ${error.message}`)
      else if (status >= 500) log.error({ err: error, requestId }, 'a request failed')
      ctx.status = status
      ctx.set(headers)
      ctx.body = body
    }
  }

/** What is at the address of a request. One step, because each of Koa's costs every request. */
const serve = (
  api: Api,
  { documents, pages, serveWeb, switches, visits }: Beside,
  {
    basePath,
    findAddress,
    nameRequest,
    ...settings
  }: AppSettings & { readonly findAddress: FindAddress; readonly nameRequest: NameRequest },
): Middleware => {
  const serveApi = createApiServer(api, findAddress, nameRequest)
  const isTrustedPeer = createIsTrustedPeer(settings.trustProxy, settings.isBehindUnixSocket)
  const findProxyUser = createFindProxyUser(settings.authHeader, isTrustedPeer)
  const servePage = createPageServer({ ...pages, findAddress, findProxyUser, api, nameRequest })
  const refuseHead = createRefuseHead()
  const checkReady = createReadyCheck(api.store.check)
  const { findSite: findPlace } = pages
  const findOpenAddress = createOpenAddresses({
    documents,
    basePath,
    checkReady,
    findPlace,
    abilities: { routes: api.routes, limits: api.limits, switches },
  })
  const answerPage = async (ctx: Context, target: Target, refused?: Refused): Promise<void> => {
    ctx.state.operation = 'page'
    visits.count(findAddress(ctx.req))
    if (refused === undefined && serveWeb?.(ctx, target, nameRequest) === true) return
    if (await servePage(ctx, target, refused)) return
    ctx.state.operation = 'unknown'
    throw refused ?? new Refused('operationUnknown')
  }
  return async (ctx) => {
    const target = readTarget(ctx.req.url ?? '')
    if (target === undefined) throw new Refused('targetInvalid')
    const open = findOpenAddress(target.path)
    const operation = open === undefined ? '' : nameOpenAddress(target.path)
    const path = open === undefined ? findApiPath(target.path, basePath) : undefined
    try {
      refuseHead(ctx.req, ctx.res, target, operation !== '' && operation !== 'document')
    } catch (error) {
      // Whoever asks for a page is told so by a page.
      if (open === undefined && path === undefined && error instanceof Refused)
        return await answerPage(ctx, target, error)
      throw error
    }
    if (path !== undefined) {
      ctx.state.operation = nameOperation(path, target.query, api.routes)
      try {
        return await serveApi(ctx, path, target.query)
      } catch (error) {
        if (isStrangersRefusal(error, ctx.state.userId)) visits.count(findAddress(ctx.req))
        throw error
      }
    }
    if (open === undefined) return await answerPage(ctx, target)
    ctx.state.operation = operation
    // Whoever watches over a server asks at a pace of his own.
    if (operation === 'document') visits.count(findAddress(ctx.req))
    refuseWriting(ctx.method)
    const { type, body } = await open(arrivalOf(ctx.req, target))
    ctx.type = type
    ctx.body = body
  }
}
