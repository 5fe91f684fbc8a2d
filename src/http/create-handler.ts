import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { createAttempts } from '../accounts/attempts.ts'
import { describeFailedAttempt, type FailedAttempt, uncheckableHash } from '../accounts/failed-attempt.ts'
import { keepQuotas, type QuotaForAll, usualQuotas } from '../accounts/quotas.ts'
import { registerWebApp, type WebAppPlace } from '../accounts/web-app.ts'
import { createLimits, type Limits } from '../api/limits.ts'
import { createRooms } from '../api/rooms.ts'
import { createRoutes } from '../api/routes.ts'
import { armWrites } from '../delivery/arm-writes.ts'
import { createLive } from '../live/live.ts'
import { createSilentLog } from '../log/silent-log.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { ServerSwitches } from '../oauth/metadata.ts'
import { createOperations } from '../operations/all-operations.ts'
import { createDeliveryRules } from '../outbound/delivery-rules.ts'
import { createSubscriptionGuard } from '../outbound/subscription-guard.ts'
import { createFindSite } from '../pages/site.ts'
import type { Provider } from '../provider/provider.ts'
import type { Store } from '../store/store.ts'
import { systemWorld, type World } from '../world.ts'
import { type AppSettings, createApp } from './app.ts'
import { readDocuments } from './documents.ts'
import { openPages } from './open-pages.ts'
import { createWebServer } from './serve-web.ts'
import { createVisits, defaultVisitLimits, type VisitLimits } from './visits.ts'
import { readWebFiles } from './web-files.ts'

/** What a handler works with; only the store is needed. */
export interface HandlerOptions extends Partial<AppSettings> {
  /** Address that people and clients use, ending in `/v1/`; by default pages are told it by the Host header. */
  readonly baseUrl?: string
  /** Everybody may make an account on the page `/register`; false by default. */
  readonly openRegistration?: boolean
  /** Stays the caller's: close it when no more requests come. */
  readonly store: Store
  /** Time, ids and secrets; the system's by default. */
  readonly world?: World
  /** What requests may hold; `createLimits` has the others. */
  readonly limits?: Partial<Limits>
  /** How much everybody may have of things, their bytes and webhooks; null, as by default, is any amount. */
  readonly quotas?: Partial<QuotaForAll>
  /** Header in which proxies of `trustProxy`, or behind a Unix socket, name the user whom they have signed in. */
  readonly authHeader?: string | undefined
  /** An OpenID provider that signs people in on the pages; needs `baseUrl`. */
  readonly provider?: Provider | undefined
  /** Whoever such a proxy or provider signs in is given an account, if there is none; false by default. */
  readonly authCreate?: boolean
  /** How often an address may ask for pages, documents and the web app, and for what the API refuses without an access token. */
  readonly visits?: Partial<VisitLimits>
  /** What is on by default and may be switched off: RFC 9700 advises against both (interface 5.1, 5.3 have them). */
  readonly switches?: Partial<ServerSwitches>
  /**
   * Where webhooks and push notifications may be sent beside the public internet: hosts, `host:port`, addresses, networks
   * like `10.0.0.0/8`; nowhere by default.
   */
  readonly deliveryAllow?: readonly string[]
  /**
   * Aborted when the server stops: ends the answers that wait for changes, which else go on for as long as their
   * clients stay.
   */
  readonly stopping?: AbortSignal
  /** Serves the web app at `/`, in the place of the start page, and makes it known as an app; false by default. */
  readonly web?: boolean
  /** Counts what happens; without one nothing is counted. */
  readonly metrics?: Metrics | undefined
  /** A pino logger; without one nothing is logged. */
  readonly log?: Logger
}

/** A request listener of `node:http`. It takes every request, and never throws. */
export type Handler = (request: IncomingMessage, answer: ServerResponse) => void

/**
 * Makes the API, its documents and health into a request listener for any HTTP server of Node:
 * `createServer(await createHandler({ store }))`, or mounted in Express or Koa in front of anything that reads bodies.
 * The API is at `/v1/`, or at `basePath`. Time-outs, and answers to what is no HTTP, are the server's business:
 * `openServer` has them.
 * @throws TypeError when `deliveryAllow` holds what is neither a host nor a network
 */
export const createHandler = async (options: HandlerOptions): Promise<Handler> => {
  const { world = systemWorld, log = createSilentLog(), metrics } = options
  // Whatever is changed through this server, by an operation or a page, is handed over to be told.
  const quotas = { ...usualQuotas, ...options.quotas }
  const store = keepQuotas(armWrites(options.store, world), quotas)
  const { basePath = '/v1/', corsOrigins = [], trustProxy = [] } = options
  const { passwordGrant = true, queryToken = true } = options.switches ?? {}
  const limits = createLimits(options.limits)
  const routes = await createRoutes()
  const noteFailure = (failure: FailedAttempt): void => {
    metrics?.noteFailedAttempt(failure.reason)
    log.warn({ requestId: failure.requestId }, describeFailedAttempt(failure))
    if (failure.isHashUncheckable === true) log.error({ requestId: failure.requestId }, uncheckableHash)
  }
  const attempts = createAttempts(noteFailure, undefined, undefined, store.shared)
  const guard = createSubscriptionGuard(createDeliveryRules(options.deliveryAllow))
  const live = createLive(store, world, { ...limits, stopping: options.stopping })
  metrics?.addGauges({ listeners: live.countListeners })
  const rules = { attempts, takesPasswords: passwordGrant }
  const handlers = createOperations({ store, world, live, guard, rules, quotas })
  const rooms = createRooms(limits, () => performance.now())
  const api = { routes, handlers, store, world, limits, rooms, takesQueryToken: queryToken }
  const { openRegistration: isRegistrationOpen = false } = options
  if (options.provider !== undefined && options.baseUrl === undefined) {
    log.warn('nobody can sign in at the OpenID provider: it leads back to the base URL (base_url), which is not set')
  }
  const elsewhere = { provider: options.provider, mayCreateAccounts: options.authCreate ?? false }
  const pages = await openPages({ store, world, attempts, log, limits, quotas, isRegistrationOpen, ...elsewhere })
  const findSite = createFindSite(basePath, options.baseUrl)
  const switches = { passwordGrant, queryToken }
  const visits = createVisits({ ...defaultVisitLimits, ...options.visits })
  const serveWeb = options.web === true ? createWebServer(await readWebFiles(), findSite) : undefined
  if (options.web === true) await registerWebApp(store, webPlace(basePath, options.baseUrl), world)
  const beside = {
    documents: await readDocuments(options.baseUrl),
    pages: { pages, findSite },
    serveWeb,
    switches,
    visits,
  }
  const { isBehindUnixSocket = () => false, authHeader } = options
  const place = { basePath, corsOrigins, trustProxy, isBehindUnixSocket, authHeader }
  const app = createApp(api, beside, place, { log, metrics })
  const handle = app.callback()

  return (request, answer) => {
    handle(request, answer).catch((error: unknown) => {
      log.error({ err: error }, 'a request failed, and so did its answer')
      answer.destroy()
    })
  }
}

const webPlace = (basePath: string, baseUrl: string | undefined): WebAppPlace => ({
  origin: baseUrl === undefined ? undefined : new URL(baseUrl).origin,
  prefix: basePath.replace(/\/(v1\/)?$/, ''),
})
