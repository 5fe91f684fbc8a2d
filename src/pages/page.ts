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

/** Who is signed in, in the browser that asks. */
export interface SignedIn {
  readonly userId: string
  readonly userName: string
  readonly isAdmin: boolean
  /** The id of the browser session. */
  readonly sessionId: string
}

/** The fields of a form or a query: the first value of each name. */
export type PageFields = ReadonlyMap<string, string>

/** What a page is asked. */
export interface PageRequest {
  readonly site: Site
  /** Below the path prefix. */
  readonly path: string
  /** The parts of the path that the route names with a colon. */
  readonly params: Readonly<Record<string, string>>
  readonly query: PageFields
  /** Empty for GET. Its form token has been judged. */
  readonly form: PageFields
  /**
   * All fields of the query, or of the form, in their order, of names that are there more than once too. A value that is
   * not percent-encoded UTF-8 is undefined where the route `readsEachField`; elsewhere the request was refused.
   */
  readonly fields: readonly (readonly [name: string, value: string | undefined])[]
  /** The network address of the browser. */
  readonly address: string
  /** What its answer and the log call it. */
  readonly requestId: string
  readonly userAgent: string
  readonly signedIn: SignedIn | undefined
  /** Whom a proxy that is believed says it has signed in. */
  readonly proxyUser: string | undefined
  /** The secret by which a browser is known in which nobody is signed in; undefined when it has none yet. */
  readonly visitorSecret: string | undefined
  /** The secret of the session cookie, for ending that session. */
  readonly sessionSecret: string | undefined
  /** For the forms of this page (`PostForm`). */
  readonly formToken: string
}

/** The same, of somebody who is signed in. */
export interface SignedInRequest extends PageRequest {
  readonly signedIn: SignedIn
}

/** What cookies an answer sets: a new secret, or none any more. Without a name nothing changes. */
export interface CookieChange {
  /** The secret of a new browser session; null ends it in the browser. */
  readonly session?: string | null
}

/** A page to be shown. */
export interface ShownPage extends CookieChange {
  readonly status?: number
  readonly title: string
  /** What search engines may say of the page; without it they are asked to leave the page out. */
  readonly description?: string
  readonly content: ComponentChildren
  /** A sheet of the width of a form; without, the width of lists. */
  readonly isNarrow?: boolean
  /** No bar with navigation, as for sign-in and consent. */
  readonly isAlone?: boolean
  readonly headers?: Readonly<Record<string, string>>
  /** Origins, beside ours, that a form of the page may lead to (`form-action`). */
  readonly formTargets?: readonly string[]
  /** A style that only this page has, beside that of all pages. */
  readonly style?: PageStyle
  /** Path of a module of ours that the page runs; it may ask this server only. A page can be read without it. */
  readonly script?: string
}

/** Another page to go to, by GET: 303. A path of ours (`/account`), or `away`, any address. */
export type SeeOther = CookieChange & ({ readonly see: string } | { readonly away: string })

/** A JSON document to be kept as a file of this name; lists in it are streamed. */
export interface Download {
  readonly download: string
  readonly document: unknown
}

/** What a page answers. */
export type PageResult = ShownPage | SeeOther | Download

/** What pages work with. */
export interface PageTools {
  readonly store: Store
  readonly environment: Environment
  readonly attempts: LoginAttempts
  readonly log: Logger
  readonly oneTimeSecrets: OneTimeSecrets
  readonly registrations: Registrations
  /** Signs people in who are known there; absent where none is set. */
  readonly provider: Provider | undefined
  /** Whoever a proxy or a provider signs in is given an account, if there is none. */
  readonly mayCreateAccounts: boolean
  /** How much everybody may have. */
  readonly quotas: QuotaForAll
  readonly about: AboutServer
}

/** What is told of the server: its versions to everybody, the rest to admins. */
export interface AboutServer {
  readonly version: string
  /** Of `openapi.yaml`. */
  readonly contractVersion: string
  /** What people can do without an admin: make an account. */
  readonly isRegistrationOpen: boolean
  /** Limits that are set: what each is about, and its value. */
  readonly limits: readonly { readonly name: string; readonly value: string; readonly note: string }[]
}

/** Answers a request. @throws PageError, ApiError, StoreFailed */
export type PageHandler<Request extends PageRequest = PageRequest> = (
  request: Request,
  tools: PageTools,
) => PageResult | Promise<PageResult>

/** A page and its address. A part of the path that begins with a colon is any text without a slash (`:id`). */
export interface PageRoute {
  readonly path: string
  readonly get?: PageHandler
  readonly post?: PageHandler
  /** For everybody who is signed in and no admin it is not there, whatever is asked of it. */
  readonly isForAdmins?: boolean
  /** The form makes something new: the very same one, sent again, makes nothing (`sent-once.ts`). */
  readonly isDeduplicated?: boolean
  /**
   * Answers a form that was shown to a stranger who has signed in meanwhile, in another tab. Its token is not judged: who
   * is signed in must stay the same.
   */
  readonly whenSignedInMeanwhile?: PageHandler<SignedInRequest>
  /**
   * Also taken without a form token when the browser says that a page of this origin sent it (`Sec-Fetch-Site`, or `Origin`
   * where the browser does not know the first), which no other site can make it say: so the web app signs people out.
   */
  readonly trustsOwnPages?: boolean
  /** It says itself what is wrong with a field that cannot be decoded. */
  readonly readsEachField?: boolean
  /** What a GET does here is more than showing: HEAD is refused. */
  readonly rejectsHead?: boolean
}
