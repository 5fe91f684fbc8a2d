import cors from '@koa/cors'
import type { Context, Middleware } from 'koa'
import Koa from 'koa'
import { type Api, createErrorResponse } from '../api/handle-request.ts'
import { findApiPath, type Routes } from '../api/routes.ts'
import { ApiError } from '../api-error.ts'
import type { ServerSwitches } from '../oauth/authorize-request.ts'
import { StoreError } from '../store/store.ts'
import {
  createFindClientAddress,
  createFindProxyUser,
  createIsTrustedPeer,
  type FindClientAddress,
  isUnauthenticatedError,
  type RateLimiter,
} from './client-address.ts'
import { isConnectionError } from './connections.ts'
import { createPageServer, describeArrival, type PageServerOptions } from './pages.ts'
import { createPublicEndpoints, createReadyCheck, type PublicDocument, rejectWriteMethods } from './public-endpoints.ts'
import { createRequestHeadCheck, parseTarget, type RequestTarget } from './request-head.ts'
import { createRequestIds, type GetRequestId, logRequests, type Observers } from './request-log.ts'
import { commonHeaders, createApiServer, requestIdHeader } from './response.ts'
import type { ServeWebApp } from './web-app.ts'

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
interface AppParts {
  readonly documents: ReadonlyMap<string, PublicDocument>
  readonly pages: Omit<PageServerOptions, 'findClientAddress' | 'findProxyUser' | 'api' | 'getRequestId'>
  /** The web app, in front of the pages. */
  readonly serveWeb?: ServeWebApp | undefined
  /** Counts what strangers ask for of all this, and what the API refuses to them. */
  readonly rateLimiter: RateLimiter
  /** What the metadata says is on. */
  readonly switches: ServerSwitches
}

/** The Koa application: log, headers, CORS, health, documents, the API below the base address, and pages. */
export const createApp = (api: Api, parts: AppParts, settings: AppSettings, observers: Observers): Koa => {
  const { log } = observers
  const app = new Koa()
  // Failures are logged where they are answered; here come connections that broke, which everybody may do at will.
  app.on('error', (error: NodeJS.ErrnoException) => {
    if (isConnectionError(error)) log.debug({ code: error.code }, 'a connection broke')
    else log.error({ err: error }, 'an answer broke off')
  })
  const getRequestId = createRequestIds()
  const findClientAddress = createFindClientAddress(settings.trustProxy, settings.isBehindUnixSocket)
  app.use(logRequests(observers, getRequestId, findClientAddress))
  app.use(setCommonHeaders(getRequestId))
  if (settings.corsOrigins.length > 0) app.use(handleCors(settings.corsOrigins, listMethods(api.routes)))
  app.use(handleErrors(observers, getRequestId))
  app.use(serve(api, parts, { ...settings, findClientAddress, getRequestId }))
  return app
}

/** What is sent by now has them. */
const setCommonHeaders =
  (getRequestId: GetRequestId): Middleware =>
  async (ctx, next) => {
    await next()
    if (!ctx.headerSent) ctx.set({ ...commonHeaders, [requestIdHeader]: getRequestId(ctx.req) })
  }

/** The methods that operations of the document take. */
const listMethods = (routes: Routes): string[] =>
  [...new Set([...routes.values()].flatMap((methods) => [...methods.keys()]))].sort()

const handleCors = (origins: readonly string[], methods: string[]): Middleware =>
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

const handleErrors =
  ({ log, metrics }: Observers, getRequestId: GetRequestId): Middleware =>
  async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      if (error instanceof ApiError) {
        ctx.state.refused = error.kind
        metrics?.noteError(error.kind)
      }
      const { status, headers, body } = createErrorResponse(error, ctx.req.headers.authorization)
      const requestId = getRequestId(ctx.req)
      // A store says what happened in a sentence; while it lasts, that is a line for each request.
      if (error instanceof StoreError) log.error({ requestId }, `a request failed: ${error.message}`)
      else if (status >= 500) log.error({ err: error, requestId }, 'a request failed')
      ctx.status = status
      ctx.set(headers)
      ctx.body = body
    }
  }

/** What is at the address of a request. One step, because each of Koa's costs every request. */
const serve = (
  api: Api,
  { documents, pages, serveWeb, switches, rateLimiter }: AppParts,
  {
    basePath,
    findClientAddress,
    getRequestId,
    ...settings
  }: AppSettings & { readonly findClientAddress: FindClientAddress; readonly getRequestId: GetRequestId },
): Middleware => {
  const serveApi = createApiServer(api, findClientAddress, getRequestId)
  const isTrustedPeer = createIsTrustedPeer(settings.trustProxy, settings.isBehindUnixSocket)
  const findProxyUser = createFindProxyUser(settings.authHeader, isTrustedPeer)
  const servePage = createPageServer({ ...pages, findClientAddress, findProxyUser, api, getRequestId })
  const checkHead = createRequestHeadCheck()
  const checkReady = createReadyCheck(api.store.check)
  const { findSite: findPlace } = pages
  const findOpenAddress = createPublicEndpoints({
    documents,
    basePath,
    checkReady,
    findLocation: findPlace,
    features: { routes: api.routes, limits: api.limits, switches },
  })
  const answerPage = async (ctx: Context, target: RequestTarget, refused?: ApiError): Promise<void> => {
    ctx.state.operation = 'page'
    rateLimiter.count(findClientAddress(ctx.req))
    if (refused === undefined && serveWeb?.(ctx, target, getRequestId) === true) return
    if (await servePage(ctx, target, refused)) return
    ctx.state.operation = 'unknown'
    throw refused ?? new ApiError('operationUnknown')
  }
  return async (ctx) => {
    const target = parseTarget(ctx.req.url ?? '')
    if (target === undefined) throw new ApiError('targetInvalid')
    const open = findOpenAddress(target.path)
    const operation = open === undefined ? '' : namePublicEndpoint(target.path)
    const path = open === undefined ? findApiPath(target.path, basePath) : undefined
    try {
      checkHead(ctx.req, ctx.res, target, operation !== '' && operation !== 'document')
    } catch (error) {
      // Whoever asks for a page is told so by a page.
      if (open === undefined && path === undefined && error instanceof ApiError)
        return await answerPage(ctx, target, error)
      throw error
    }
    if (path !== undefined) {
      ctx.state.operation = nameOperation(path, target.query, api.routes)
      try {
        return await serveApi(ctx, path, target.query)
      } catch (error) {
        if (isUnauthenticatedError(error, ctx.state.userId)) rateLimiter.count(findClientAddress(ctx.req))
        throw error
      }
    }
    if (open === undefined) return await answerPage(ctx, target)
    ctx.state.operation = operation
    // Whoever watches over a server asks at a pace of his own.
    if (operation === 'document') rateLimiter.count(findClientAddress(ctx.req))
    rejectWriteMethods(ctx.method)
    const { type, body } = await open(describeArrival(ctx.req, target))
    ctx.type = type
    ctx.body = body
  }
}

const health: readonly string[] = ['/healthz', '/readyz']

/**
 * What an operation is called where requests are counted, so that clients invent no names: its path for those that there
 * are, with those that wait for changes apart.
 */
const nameOperation = (path: string, query: string, routes: ReadonlyMap<string, unknown>): string => {
  if (!routes.has(path)) return 'unknown'
  return path === '/sync' && query.includes('wait=') ? 'sync/wait' : path.slice(1)
}

/** The same for what is handed out beside the API: `healthz`, `readyz` or `document`. */
const namePublicEndpoint = (path: string): string =>
  health.find((known) => path.endsWith(known))?.slice(1) ?? 'document'
