import type { Logger } from 'pino'
import type { ComponentChildren } from 'preact'
import type { LoginAttempts, Registrations } from '../accounts/login-attempts.ts'
import type { QuotaForAll } from '../accounts/quotas.ts'
import type { Environment } from '../environment.ts'
import type { Provider } from '../provider/openid-provider.ts'
import type { Store } from '../store/store.ts'
import type { OneTimeSecrets } from './cookies.ts'
import type { Site } from './site.ts'

/** The style of all pages. */
export interface PageStyle {
  readonly css: string
  /** Names it in a Content-Security-Policy: `'sha256-…'`. */
  readonly source: string
}

/** The user who is signed in, in the browser that sent the request. */
export interface SignedIn {
  readonly userId: string
  readonly userName: string
  readonly isAdmin: boolean
  /** The id of the browser session. */
  readonly sessionId: string
}

/** The fields of a form or a query: the first value of each name. */
export type PageFields = ReadonlyMap<string, string>

/** A request for a page. */
export interface PageRequest {
  readonly site: Site
  /** Below the path prefix. */
  readonly path: string
  /** The path parameters: parts that the route names with a colon. */
  readonly params: Readonly<Record<string, string>>
  readonly query: PageFields
  /** Empty for GET. Its form token was checked. */
  readonly form: PageFields
  /**
   * All fields of the query, or of the form, in their order, with repeated names. A value that is not percent-encoded
   * UTF-8 is undefined when the route sets `readsEachField`; otherwise the request was rejected.
   */
  readonly fields: readonly (readonly [name: string, value: string | undefined])[]
  /** The IP address of the browser. */
  readonly address: string
  /** The id of the request in the response and the log. */
  readonly requestId: string
  readonly userAgent: string
  readonly signedIn: SignedIn | undefined
  /** The user name that a trusted proxy has signed in. */
  readonly proxyUser: string | undefined
  /**
   * True when the browser says that pages of this origin alone led here, redirects included (`Sec-Fetch-Site`). False
   * for a browser that does not say it.
   */
  readonly isFromOwnPage: boolean
  /** The secret of a browser without a signed-in user; undefined when it has none yet. */
  readonly visitorSecret: string | undefined
  /** The secret of the session cookie, which ends that session. */
  readonly sessionSecret: string | undefined
  /** For the forms of this page (`PostForm`). */
  readonly formToken: string
}

/** A request for a page by a signed-in user. */
export interface SignedInRequest extends PageRequest {
  readonly signedIn: SignedIn
}

/** The cookies that a response sets or removes. An absent cookie does not change. */
export interface CookieChange {
  /** The secret of a new browser session; null ends it in the browser. */
  readonly session?: string | null
}

/** A page to show. */
export interface ShownPage extends CookieChange {
  readonly status?: number
  readonly title: string
  /** The text for search engines; without it the page excludes itself from their indexes. */
  readonly description?: string
  readonly content: ComponentChildren
  /** True for the width of a form, false for the width of lists. */
  readonly isNarrow?: boolean
  /** Leaves the navigation bar out, for example on the sign-in and consent pages. */
  readonly isAlone?: boolean
  readonly headers?: Readonly<Record<string, string>>
  /** Other origins to which a form of the page may lead (`form-action`). */
  readonly formTargets?: readonly string[]
  /** A style for this page only, beside the style of all pages. */
  readonly style?: PageStyle
  /**
   * Path of a module of this server that the page runs. It may send requests to this server only. The page works
   * without it.
   */
  readonly script?: string
}

/** A redirect (303) to another page: `see`, a path of this server (`/account`), or `away`, any URL. */
export type SeeOther = CookieChange & ({ readonly see: string } | { readonly away: string })

/** A JSON document that the browser saves as a file of this name. Lists in it are streamed. */
export interface Download {
  readonly download: string
  readonly document: unknown
}

/** The result of a page. */
export type PageResult = ShownPage | SeeOther | Download

/** The dependencies of pages. */
export interface PageTools {
  readonly store: Store
  readonly environment: Environment
  readonly attempts: LoginAttempts
  readonly log: Logger
  readonly oneTimeSecrets: OneTimeSecrets
  readonly registrations: Registrations
  /** The OpenID provider; undefined when no setting names one. */
  readonly provider: Provider | undefined
  /** Create an account for a user without one whom a proxy or a provider signs in. */
  readonly mayCreateAccounts: boolean
  /** The quotas of users without a quota of their own. */
  readonly quotas: QuotaForAll
  readonly about: AboutServer
}

/** The description of the server. Everybody sees the versions, administrators see the rest. */
export interface AboutServer {
  readonly version: string
  /** Of `openapi.yaml`. */
  readonly contractVersion: string
  /** True when users can create an account without an administrator. */
  readonly isRegistrationOpen: boolean
  /** True when this server serves the web app at `/`, to browsers that can run it. */
  readonly hasWebApp: boolean
  /** The limits of the server, each with its value and a note. The note of a quota is its setting. */
  readonly limits: readonly {
    readonly name: string
    readonly value: string
    readonly note: string
    readonly isQuota?: boolean
  }[]
}

/** Handles a request for a page. @throws PageError, ApiError, StoreError */
export type PageHandler<Request extends PageRequest = PageRequest> = (
  request: Request,
  tools: PageTools,
) => PageResult | Promise<PageResult>

/** A page and its path. A part of the path that begins with a colon (`:id`) matches any text without a slash. */
export interface PageRoute {
  readonly path: string
  readonly get?: PageHandler
  readonly post?: PageHandler
  /** For signed-in users who are not administrators, every request to it gets 404. */
  readonly isForAdmins?: boolean
  /** The form creates something: the same form, sent again, creates nothing (`createDeduplicator`). */
  readonly isDeduplicated?: boolean
  /**
   * Handles a form that was shown before the user signed in, in another tab. Its token was not checked, so the handler
   * must not change the signed-in user.
   */
  readonly whenSignedInMeanwhile?: PageHandler<SignedInRequest>
  /**
   * Accepts a form without a token when the browser says that a page of this origin sent it. The browser does so with
   * `Sec-Fetch-Site`, or `Origin` where it lacks the first; other sites cannot forge these. The web app signs users out
   * so.
   */
  readonly trustsOwnPages?: boolean
  /** The page itself reports a field that cannot be decoded. */
  readonly readsEachField?: boolean
  /** GET has side effects here, so the server rejects HEAD. */
  readonly rejectsHead?: boolean
}
