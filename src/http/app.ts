import type { IncomingMessage } from 'node:http'
import cors from '@koa/cors'
import type { Context, Middleware } from 'koa'
import Koa from 'koa'
import { type Api, createErrorResponse, handleRequest } from '../api/handle-request.ts'
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
import {
  createPublicEndpoints,
  createReadyCheck,
  type PublicDocuments,
  rejectWriteMethods,
} from './public-endpoints.ts'
import { createRequestHeadCheck, parseTarget, type RequestTarget } from './request-head.ts'
import { createRequestIds, createRequestLog, type GetRequestId, type Observers } from './request-log.ts'
import { commonHeaders, createResponseWriter, requestIdHeader } from './response.ts'
import type { ServeWebApp } from './web-app.ts'

/** The settings of the HTTP application. */
export interface AppSettings {
  /** Path of the base URL, as in `/v1/` or `/prefix/v1/`. */
  readonly basePath: string
  /** Origins that browsers may call from. An empty list turns CORS off; `*` stands for any origin. */
  readonly corsOrigins: readonly string[]
  /** Proxies whose X-Forwarded-For header the server trusts. */
  readonly trustProxy: readonly string[]
  /** Header in which these proxies name the user whom they signed in. Without it the server trusts no such header. */
  readonly authHeader?: string | undefined
  /** True when clients connect through a Unix socket, which means that a proxy is in front; false by default. */
  readonly isBehindUnixSocket?: () => boolean
}

/** The parts of the application besides the API. */
interface AppParts {
  readonly documents: PublicDocuments
  readonly pages: Omit<PageServerOptions, 'findClientAddress' | 'findProxyUser' | 'api' | 'getRequestId'>
  /** Serves the web app. It is tried before the pages. */
  readonly serveWeb?: ServeWebApp | undefined
  /** Counts the requests of unauthenticated clients for these parts, and their errors at the API. */
  readonly rateLimiter: RateLimiter
  /** The optional features that the metadata announces. */
  readonly switches: ServerSwitches
}

/**
 * Creates the Koa application: log, headers, CORS, health, documents, the API below the base URL, and pages. This
 * folder is the HTTP side: sockets, TLS, request heads, proxies, pages and responses. It must not know the sync rules
 * or the store's formats. Start reading here; `server.ts` opens the sockets, and `handler.ts` connects the parts.
 */
export const createApp = (api: Api, parts: AppParts, settings: AppSettings, observers: Observers): Koa => {
  const { log } = observers
  const app = new Koa()
  // `handleErrors` logs failures. Only broken connections arrive here, and any client can cause them.
  app.on('error', (error: NodeJS.ErrnoException) => {
    if (isConnectionError(error)) log.debug({ code: error.code }, 'a connection broke')
    else log.error({ err: error }, 'a response was interrupted')
  })
  const getRequestId = createRequestIds()
  const findClientAddress = createFindClientAddress(settings.trustProxy, settings.isBehindUnixSocket)
  const logRequest = createRequestLog(observers, getRequestId, findClientAddress)
  app.use((ctx, next) => {
    logRequest(ctx)
    return next()
  })
  app.use(setCommonHeaders(getRequestId))
  if (settings.corsOrigins.length > 0) app.use(handleCors(settings.corsOrigins, listMethods(api.routes)))
  app.use(handleErrors(observers, getRequestId))
  app.use(serve(api, parts, { ...settings, findClientAddress, getRequestId }))
  return app
}

/** Sets the common headers, unless the response was sent: then it has them already. */
const setCommonHeaders =
  (getRequestId: GetRequestId): Middleware =>
  async (ctx, next) => {
    await next()
    if (!ctx.headerSent) ctx.set({ ...commonHeaders, [requestIdHeader]: getRequestId(ctx.req) })
  }

/** Lists the methods that the operations of the document accept. */
const listMethods = (routes: Routes): string[] =>
  [...new Set([...routes.values()].flatMap((methods) => [...methods.keys()]))].sort()

const handleCors = (origins: readonly string[], methods: string[]): Middleware =>
  cors({
    origin: (ctx) => allowOrigin(ctx, origins),
    allowMethods: methods,
    // The contract gives these headers to clients. A browser hides all others from scripts.
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
        ctx.state.errorKind = error.kind
        metrics?.noteError(error.kind)
      }
      const { status, headers, body } = createErrorResponse(error, ctx.req.headers.authorization)
      const requestId = getRequestId(ctx.req)
      // A store error says what happened in one sentence. Each request logs it while the failure lasts, so no stack.
      if (error instanceof StoreError) log.error({ requestId }, `a request failed: ${error.message}`)
      else if (status >= 500) log.error({ err: error, requestId }, 'a request failed')
      ctx.status = status
      ctx.set(headers)
      ctx.body = body
    }
  }

/** Serves the target of a request. It is a single middleware, because each one of Koa's costs every request. */
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
  const findPublicEndpoint = createPublicEndpoints({
    documents,
    basePath,
    checkReady,
    findLocation: pages.findSite,
    features: { routes: api.routes, limits: api.limits, switches },
  })
  const respondWithPage = async (ctx: Context, target: RequestTarget, headError?: ApiError): Promise<void> => {
    ctx.state.operation = 'page'
    rateLimiter.count(findClientAddress(ctx.req))
    if (headError === undefined && serveWeb?.(ctx, target, getRequestId) === true) return
    if (await servePage(ctx, target, headError)) return
    ctx.state.operation = 'unknown'
    throw headError ?? new ApiError('operationUnknown')
  }
  return async (ctx) => {
    const target = parseTarget(ctx.req.url ?? '')
    if (target === undefined) throw new ApiError('targetInvalid')
    // For the log of requests, which would parse it again.
    ctx.state.target = target
    const endpoint = findPublicEndpoint(target.path)
    const operation = endpoint === undefined ? '' : namePublicEndpoint(target.path)
    const path = endpoint === undefined ? findApiPath(target.path, basePath) : undefined
    try {
      checkHead(ctx.req, ctx.res, target, operation !== '' && operation !== 'document')
    } catch (error) {
      // A request for a page gets its error as a page.
      if (endpoint === undefined && path === undefined && error instanceof ApiError)
        return await respondWithPage(ctx, target, error)
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
    if (endpoint === undefined) return await respondWithPage(ctx, target)
    ctx.state.operation = operation
    // Health checks are not counted: monitoring chooses its own interval.
    if (operation === 'document') rateLimiter.count(findClientAddress(ctx.req))
    rejectWriteMethods(ctx.method)
    const { type, body } = await endpoint(describeArrival(ctx.req, target))
    ctx.type = type
    ctx.body = body
  }
}

const waitsForContinue = ({ httpVersion, headers }: IncomingMessage): boolean =>
  headers.expect !== undefined && httpVersion === '1.1' && headers.expect.toLowerCase() === '100-continue'

/** Creates the server of the API: it responds to requests below the base URL. */
const createApiServer = (api: Api, findClientAddress: FindClientAddress, getRequestId: GetRequestId) => {
  const writeResponse = createResponseWriter(getRequestId)
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
      address: findClientAddress(req),
      requestId: () => getRequestId(req),
    }
    const response = await handleRequest(api, request, (session) => {
      ctx.state.userId = session.userId
    })
    await writeResponse(ctx, response)
  }
}

const healthPaths: readonly string[] = ['/healthz', '/readyz']

/**
 * Names an operation for the metrics: its path if the operation exists, else `unknown`, so that clients cannot add
 * names. A sync that waits for changes has a name of its own.
 */
const nameOperation = (path: string, query: string, routes: ReadonlyMap<string, unknown>): string => {
  if (!routes.has(path)) return 'unknown'
  return path === '/sync' && query.includes('wait=') ? 'sync/wait' : path.slice(1)
}

/** Names a public endpoint for the metrics: `healthz`, `readyz` or `document`. */
const namePublicEndpoint = (path: string): string =>
  healthPaths.find((known) => path.endsWith(known))?.slice(1) ?? 'document'
