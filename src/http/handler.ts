import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Logger, pino } from 'pino'
import { contractVersion, routes } from '../../generated/routes.ts'
import { registerBuiltInApps, type WebAppLocation } from '../accounts/apps.ts'
import {
  createLoginAttempts,
  createRegistrations,
  defaultAttemptLimits,
  describeFailedAttempt,
  type FailedAttempt,
  type LoginAttempts,
  uncheckableHash,
} from '../accounts/login-attempts.ts'
import { defaultQuotas, enforceQuotas, type QuotaForAll } from '../accounts/quotas.ts'
import { createBodyBudgets, createLimits, type Limits } from '../api/limits.ts'
import { enqueueDeliveries } from '../delivery/dispatcher.ts'
import { createSubscriptionGuard } from '../delivery/subscriptions.ts'
import { findMaxWebhooks } from '../delivery/webhooks.ts'
import { type Environment, readVersion, systemEnvironment } from '../environment.ts'
import { createLive } from '../live/live.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { ServerSwitches } from '../oauth/authorize-request.ts'
import { createOperations } from '../operations/operations.ts'
import { createDeliveryRules, type DeliveryRules } from '../outbound/address-guard.ts'
import type { AboutServer } from '../pages/page.ts'
import { createFindSite } from '../pages/site.ts'
import type { PreviewLink } from '../preview/link-previews.ts'
import type { Provider } from '../provider/openid-provider.ts'
import { loadOnce } from '../scheduling.ts'
import type { Store } from '../store/store.ts'
import { type AppSettings, createApp } from './app.ts'
import { createRateLimiter, defaultRateLimits, type RateLimits } from './client-address.ts'
import { createDocuments } from './public-endpoints.ts'
import { createWebAppServer, readWebFiles } from './web-app.ts'

/** The options of `createHandler`; only the store is required. */
export interface HandlerOptions extends Partial<AppSettings> {
  /** Base URL that users and clients use, ending in `/v1/`; by default pages take it from the Host header. */
  readonly baseUrl?: string
  /** True lets everybody create an account on the page `/register`; false by default. */
  readonly openRegistration?: boolean
  /** The store. It stays the caller's: close it when no more requests arrive. */
  readonly store: Store
  /** Clock, ids and secrets; the system's by default. */
  readonly environment?: Environment
  /** Limits of requests; `createLimits` has the defaults. */
  readonly limits?: Partial<Limits>
  /** Quotas of each user for things, their bytes and webhooks; null, the default, means any amount. */
  readonly quotas?: Partial<QuotaForAll>
  /** Header in which proxies of `trustProxy`, or the peer of a Unix socket, name the user whom they signed in. */
  readonly authHeader?: string | undefined
  /** An OpenID provider that signs users in on the pages; needs `baseUrl`. */
  readonly provider?: Provider | undefined
  /** True creates an account for a user whom such a proxy or provider signs in, if there is none; false by default. */
  readonly authCreate?: boolean
  /** How many requests an address may send for pages, documents and the web app, and to the API without a token. */
  readonly rateLimits?: Partial<RateLimits>
  /**
   * Features that are on by default and can be turned off. The interface has them (5.1, 5.3); RFC 9700 advises against.
   */
  readonly switches?: Partial<ServerSwitches>
  /**
   * Destinations of webhooks and push notifications that are allowed besides the public internet: hosts, `host:port`,
   * addresses, networks like `10.0.0.0/8`; none by default.
   */
  readonly deliveryAllow?: readonly string[]
  /** Destinations of link previews that are allowed besides the public internet, in the same notation; none by default. */
  readonly linkPreviewAllow?: readonly string[]
  /**
   * Abort it when the server stops. It ends long polling and event streams, which otherwise last as long as their
   * clients.
   */
  readonly stopping?: AbortSignal
  /** True serves the web app at `/` instead of the start page, and registers it as an app; false by default. */
  readonly web?: boolean
  /** True registers the browser extension as an app; false by default. */
  readonly extension?: boolean
  /** Metrics to count in; none by default. */
  readonly metrics?: Metrics | undefined
  /** A pino logger; by default nothing is logged. */
  readonly log?: Logger
}

/** A request listener of `node:http`. It handles every request and never throws. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Creates a request listener with the API, its documents and health for any HTTP server of Node:
 * `createServer(await createHandler({ store }))`. In Express or Koa, mount it in front of anything that reads bodies.
 * The API is at `/v1/`, or at `basePath`. The server must add timeouts, and responses to messages that are no HTTP:
 * `openServer` has them.
 * @throws TypeError when an entry of `deliveryAllow` or `linkPreviewAllow` is neither a host nor a network
 */
export const createHandler = async (options: HandlerOptions): Promise<Handler> => {
  const { environment = systemEnvironment, log = createSilentLog(), metrics } = options
  // Every change through this server, by an operation or a page, goes to the dispatcher.
  const quotas = { ...defaultQuotas, ...options.quotas }
  const store = enforceQuotas(enqueueDeliveries(options.store, environment), quotas)
  const { basePath = '/v1/', corsOrigins = [], trustProxy = [] } = options
  const { passwordGrant = true, queryToken = true, linkPreview = true } = options.switches ?? {}
  const limits = createLimits(options.limits)
  const noteFailure = (failure: FailedAttempt): void => {
    metrics?.noteFailedAttempt(failure.reason)
    log.warn({ requestId: failure.requestId }, describeFailedAttempt(failure))
    if (failure.isHashUncheckable === true) log.error({ requestId: failure.requestId }, uncheckableHash)
  }
  const attempts = createLoginAttempts(noteFailure, undefined, undefined, store.shared)
  const guard = createSubscriptionGuard(createDeliveryRules(options.deliveryAllow))
  const live = createLive(store, environment, { ...limits, stopping: options.stopping })
  metrics?.addGauges({ listeners: live.countListeners })
  const rules = { attempts, allowsPasswordGrant: passwordGrant }
  const previewRules = createDeliveryRules(options.linkPreviewAllow, 'link_preview_allow')
  const loadPreviews = linkPreview ? loadOnce(() => loadLinkPreviews(previewRules)) : undefined
  const handlers = createOperations({ store, environment, live, guard, rules, quotas, loadPreviews })
  const bodyBudgets = createBodyBudgets(limits, () => performance.now())
  const api = { routes, handlers, store, environment, limits, bodyBudgets, allowsQueryToken: queryToken }
  const { openRegistration: isRegistrationOpen = false } = options
  if (options.provider !== undefined && options.baseUrl === undefined) {
    log.warn(
      'users cannot sign in at the OpenID provider, because base_url is not set; set it to the base URL that clients use',
    )
  }
  const providerOptions = { provider: options.provider, mayCreateAccounts: options.authCreate ?? false }
  const switchedOn = { isRegistrationOpen, hasWebApp: options.web === true }
  const tools = { store, environment, attempts, log, limits, quotas, ...switchedOn, ...providerOptions }
  const loadPages = loadOnce(() => createServerPages(tools))
  const findSite = createFindSite(basePath, options.baseUrl)
  const switches = { passwordGrant, queryToken, linkPreview }
  const rateLimiter = createRateLimiter({ ...defaultRateLimits, ...options.rateLimits })
  const serveWeb = options.web === true ? createWebAppServer(await readWebFiles(), findSite) : undefined
  const webApp = options.web === true ? { webApp: findWebAppLocation(basePath, options.baseUrl) } : {}
  await registerBuiltInApps(store, { ...webApp, extension: options.extension === true }, environment)
  const parts = {
    documents: createDocuments(options.baseUrl),
    pages: { loadPages, findSite },
    serveWeb,
    switches,
    rateLimiter,
  }
  const { isBehindUnixSocket = () => false, authHeader } = options
  const appSettings = { basePath, corsOrigins, trustProxy, isBehindUnixSocket, authHeader }
  const app = createApp(api, parts, appSettings, { log, metrics })
  const handle = app.callback()

  return (request, response) => {
    handle(request, response).catch((error: unknown) => {
      log.error({ err: error }, 'a request failed, and so did its response')
      response.destroy()
    })
  }
}

/** Loads the modules of link previews, with the parser of HTML. Most requests need none of them. */
const loadLinkPreviews = async (rules: DeliveryRules): Promise<PreviewLink> => {
  const { createLinkPreviews } = await import('../preview/link-previews.ts')
  return createLinkPreviews(rules, { version: readVersion() })
}

const findWebAppLocation = (basePath: string, baseUrl: string | undefined): WebAppLocation => ({
  origin: baseUrl === undefined ? undefined : new URL(baseUrl).origin,
  prefix: basePath.replace(/\/(v1\/)?$/, ''),
})

/** The options of `createServerPages`. */
interface ServerPagesOptions {
  readonly store: Store
  readonly environment: Environment
  readonly attempts: LoginAttempts
  readonly log: Logger
  readonly limits: Limits
  readonly quotas: QuotaForAll
  readonly isRegistrationOpen: boolean
  readonly hasWebApp: boolean
  readonly provider: Provider | undefined
  readonly mayCreateAccounts: boolean
}

const megabyte = 1_000_000
const showBytes = (bytes: number): string => {
  if (bytes < megabyte) return `${Math.round(bytes / 1000)} KB`
  const amount = bytes / megabyte
  return `${amount < 10 ? Math.round(10 * amount) / 10 : showCount(Math.round(amount))} MB`
}
const showCount = (count: number): string => count.toLocaleString('en')

const showQuota = (max: number | null, show = showCount): string => (max === null ? 'No limit' : show(max))

const describeLimits = (limits: Limits, quotas: QuotaForAll): AboutServer['limits'] => [
  { name: 'Items', value: showQuota(quotas.things), note: 'quota_things', isQuota: true },
  { name: 'Size of items and tags', value: showQuota(quotas.bytes, showBytes), note: 'quota_bytes', isQuota: true },
  { name: 'Tags with settings', value: showQuota(quotas.tags), note: 'quota_tags', isQuota: true },
  { name: 'Webhooks', value: showCount(findMaxWebhooks(quotas.hooks)), note: 'quota_hooks', isQuota: true },
  { name: 'One request', value: showBytes(limits.maxBodyBytes), note: 'max_body_bytes' },
  { name: 'Fields of a form', value: showCount(limits.maxFormFields), note: 'in an API request' },
  {
    name: 'Requests of one user at a time',
    value: showBytes(limits.maxUserBytes),
    note: 'four requests of the maximum size',
  },
  {
    name: 'Requests without a token at a time',
    value: showBytes(limits.maxUnauthenticatedBytes),
    note: 'of all clients together',
  },
  {
    name: 'Requests without a token from one address',
    value: showBytes(limits.maxUnauthenticatedBytesPerAddress),
    note: 'at a time',
  },
  {
    name: 'A form of these pages',
    value: showBytes(limits.maxGrantBodyBytes),
    note: `at most ${limits.maxGrantFields} fields`,
  },
  {
    name: 'Wrong passwords',
    value: `${defaultAttemptLimits.perPair} in ${defaultAttemptLimits.windowSeconds / 60} minutes`,
    note: 'for one account from one address; other addresses may continue',
  },
  {
    name: 'Wrong secrets and links',
    value: `${defaultAttemptLimits.perAddress} in ${defaultAttemptLimits.windowSeconds / 60} minutes`,
    note: 'from one address',
  },
]

/** Loads the modules of the pages and creates the pages. Programs that sync never open a page. */
const createServerPages = async ({ limits, isRegistrationOpen, hasWebApp, ...tools }: ServerPagesOptions) => {
  const { store, environment } = tools
  const [{ createPages }, { allPages }, { readPageStyle }, { findSignedIn }, { createOneTimeSecrets }] =
    await Promise.all([
      import('../pages/handle-page.ts'),
      import('../pages/routes.ts'),
      import('../pages/render-page.tsx'),
      import('../pages/signed-in.ts'),
      import('../pages/cookies.ts'),
    ])
  return createPages({
    routes: allPages,
    style: await readPageStyle(),
    tools: {
      ...tools,
      oneTimeSecrets: createOneTimeSecrets(environment.now),
      registrations: createRegistrations(store.shared),
      about: {
        version: readVersion(),
        contractVersion,
        isRegistrationOpen,
        hasWebApp,
        limits: describeLimits(limits, tools.quotas),
      },
    },
    findSignedIn: (secret) => findSignedIn(store, secret, environment),
  })
}

/** Creates a log that writes nothing. */
export const createSilentLog = (): Logger => pino({ level: 'silent' })
