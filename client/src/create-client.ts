import type { LinkPreview, SyncRequest, SyncResponse } from '../../generated/types.ts'
import {
  type Api,
  createApi,
  createListener,
  type Listener,
  type RetryOptions,
  recognizeErrors,
  type Send,
  sendAgain,
  sendWithoutRedirects,
} from './api.ts'
import { ClientError, findErrorBody, isClientError, isErrorBody, throwAsNetwork } from './client-error.ts'
import {
  type ChangesPage,
  collectResponse,
  listPages,
  type PageOptions,
  readSyncParts,
  type StreamOptions,
  type SyncEvent,
} from './sync.ts'
import { authorize, createTokenSource, readWebSignInCode, type TokenStorage, type WebSignIn } from './tokens.ts'

/** The options of a client: the server, the application and the token storage. */
export interface ClientOptions {
  /** The base URL with the version segment, for example `https://things.example/v1/`. */
  readonly baseUrl: string
  /** From the registration of the application (interface 1). */
  readonly clientId: string
  /** Undefined for a public client, which signs users in only by the authorization code flow with PKCE. */
  readonly clientSecret?: string
  readonly tokens: TokenStorage
  /** Sends requests; the global fetch by default. Add time-outs and proxies here, and pass `init` to fetch. */
  readonly fetch?: Send
  /** The header value for an access token; `Bearer <token>` by default (interface 5.3 leaves it open). */
  readonly authorization?: (token: string) => string
  /** The time in milliseconds since 1970; the clock of the device by default. */
  readonly now?: () => number
  /**
   * Switches safe retries after transient failures on; `{}` for the defaults. Without it each call fails at once, for
   * programs that retry themselves, as `replica.live` does.
   */
  readonly retry?: RetryOptions
}

const checkFunction = (name: string, value: unknown): void => {
  if (typeof value !== 'function') throw new TypeError(`${name} must be a function, not ${String(value)}`)
}

/** Checks the base URL: with an invalid one every call would report that there is no network. */
const checkBaseUrl = (baseUrl: unknown): void => {
  if (typeof baseUrl === 'string') {
    if (/^https?:\/\/./i.test(baseUrl)) return
    // A page may name its own server by a path.
    if ('location' in globalThis && !/^[\w+.-]*:/.test(baseUrl)) return
  }
  const what = baseUrl instanceof URL ? 'a URL; give its href' : String(baseUrl)
  throw new TypeError(`baseUrl must be a URL like https://things.example/v1/, not ${what}`)
}

/**
 * Checks the options of a program in JavaScript at once: later a missing option would look like a network failure.
 * @throws TypeError that names the option
 */
const checkOptions = (options: ClientOptions): void => {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError('createClient needs an object with baseUrl, clientId and tokens')
  }
  const { baseUrl, clientId, clientSecret, tokens } = options
  checkBaseUrl(baseUrl)
  if (typeof clientId !== 'string') {
    throw new TypeError('clientId must be the client ID of the registered app, as text')
  }
  if (clientSecret !== undefined && typeof clientSecret !== 'string') {
    throw new TypeError('clientSecret must be text, or left out for a public client')
  }
  if (typeof tokens !== 'object' || tokens === null) {
    throw new TypeError('tokens must be a token storage, for example createMemoryTokenStorage()')
  }
  for (const name of ['read', 'write', 'clear'] as const) checkFunction(`tokens.${name}`, tokens[name])
  for (const name of ['fetch', 'authorization', 'now'] as const) {
    if (options[name] !== undefined) checkFunction(name, options[name])
  }
}

/** The parameters of a sync request without the access token, which the client adds. */
export type SyncParameters = Omit<SyncRequest, 'access_token'>

/** The client of one session of a user. All calls throw ClientError, see its codes. */
export interface Client extends Listener {
  /**
   * Every operation of the document, typed. It sends bodies as forms and adds the token. Its result has `error`, the
   * error object of the server, whatever the status is (interface 7). It does not check the shape of `data`.
   */
  readonly api: Api
  /** Begins a session (interface 5.1, password), and stores its tokens but not the password. */
  readonly signIn: (username: string, password: string) => Promise<void>
  /**
   * Completes a sign-in that `beginSignIn` began, with the URL to which the browser came back, and stores the
   * tokens.
   * @throws ClientError `rejected` (`error` is `access_denied` when the user denied access), `unexpected_response`,
   * `network`
   */
  readonly finishSignIn: (begun: WebSignIn, arrivedAt: string) => Promise<void>
  /**
   * Deletes the tokens and revokes the session. Returns true when the server confirmed that. Returns false when the
   * server cannot revoke sessions or could not be reached; the tokens then expire by themselves.
   */
  readonly signOut: () => Promise<boolean>
  /** Returns the name of the session of the stored tokens, a new one after each sign-in; undefined without tokens. */
  readonly findSession: () => Promise<string | undefined>
  /** Uploads and lists in one request (interface 4.3), and returns the whole response. */
  readonly sync: (parameters?: SyncParameters, options?: StreamOptions) => Promise<SyncResponse>
  /**
   * Does the same, and yields one event at a time while the response arrives. Its memory does not grow with the
   * listing.
   */
  readonly streamSync: (parameters?: SyncParameters, options?: StreamOptions) => AsyncGenerator<SyncEvent, void>
  /** Does the same, and yields all events of a chunk together, which is faster for long listings. */
  readonly streamSyncParts: (
    parameters?: SyncParameters,
    options?: StreamOptions,
  ) => AsyncGenerator<readonly SyncEvent[], void>
  /**
   * Returns what a page says about itself: title, description, canonical URL and name of the site, each as plain text
   * that the page chose (contract, the other operations). The server reads the page.
   * @throws ClientError `not_offered` by a server without link previews; `rejected` with the `error` `unavailable` when
   * the page cannot be read, and then `description` says why, for the user; the errors of every call
   */
  readonly previewLink: (url: string, options?: { readonly signal?: AbortSignal | undefined }) => Promise<LinkPreview>
  /** Lists the changes since `from`, page by page (interface 4.3, skip and limit). */
  readonly listChanges: (options?: PageOptions) => AsyncGenerator<ChangesPage, void>
}

/**
 * Creates a client, and sends nothing yet. It continues the session of tokens in the storage.
 * @throws TypeError that names the missing or wrong option
 */
export const createClient = (options: ClientOptions): Client => {
  checkOptions(options)
  const sendOnce = sendWithoutRedirects(options.fetch ?? ((request, init) => globalThis.fetch(request, init)))
  const send = options.retry === undefined ? sendOnce : sendAgain(sendOnce, options.retry)
  const { baseUrl, clientId, clientSecret, tokens, now = Date.now } = options
  const source = createTokenSource({ api: createApi(baseUrl, send), clientId, clientSecret, tokens, now })
  const toHeader = options.authorization ?? ((token) => `Bearer ${token}`)
  const sendSync = authorize(send, source, toHeader)
  const api = createApi(baseUrl, sendSync)
  const operations = recognizeErrors(api, async (call) => {
    const token = await source.getAccessToken()
    const result = await call()
    // A server may reject the token with the status 200 (interface 7). Then it has carried out nothing.
    if (!result.response.ok || !isErrorBody(result.error) || result.error.error !== 'invalid_grant') return result
    await source.getAccessToken(token)
    return await call()
  })

  async function* exchange(parameters: SyncParameters, stream: StreamOptions) {
    const { data, error, response } = await sendSyncRequest(api, sendSync, parameters, stream.signal)
    if (!response.ok) throw findErrorBody(response, error)
    if (!data) throw new ClientError('unexpected_response', 'the response is empty', { status: response.status })
    yield* readSyncParts(data, stream)
  }
  async function* streamSyncParts(parameters: SyncParameters = {}, stream: StreamOptions = {}) {
    const token = await source.getAccessToken()
    try {
      yield* exchange(parameters, stream)
    } catch (error) {
      if (!isClientError(error, 'rejected') || error.status !== 200 || error.error !== 'invalid_grant') throw error
      // A server may reject the token with the status 200 (interface 7). Then it has carried out nothing.
      await source.getAccessToken(token)
      yield* exchange(parameters, stream)
    }
  }
  async function* streamSync(parameters: SyncParameters = {}, stream: StreamOptions = {}) {
    for await (const part of streamSyncParts(parameters, stream)) yield* part
  }
  return {
    // Without retries: the live replica decides after each failure how to go on.
    ...createListener(baseUrl, authorize(sendOnce, source, toHeader)),
    api: operations,
    signIn: source.signIn,
    finishSignIn: async (begun, arrivedAt) => {
      const code = readWebSignInCode(baseUrl, begun, arrivedAt)
      await source.signInByCode({ code, redirectUri: begun.redirectUri, verifier: begun.verifier })
    },
    signOut: source.signOut,
    findSession: source.findSession,
    sync: (parameters, stream) => collectResponse(streamSync(parameters, stream)),
    streamSync,
    streamSyncParts,
    previewLink: async (url, { signal } = {}) => {
      const abort = signal === undefined ? {} : { signal }
      const { data, error, response } = await operations.GET('/link/preview', { params: { query: { url } }, ...abort })
      if (response.status === 404) {
        throw new ClientError('not_offered', 'the server has no link previews', { status: response.status })
      }
      if (data === undefined) throw findErrorBody(response, error)
      return data
    },
    listChanges: (page) => listPages(streamSync, page),
  }
}

/** Sends a sync request: a GET, which changes nothing, if there is nothing to upload. */
const sendSyncRequest = (
  api: Api,
  send: Send,
  { from, skip, limit, ...rest }: SyncParameters,
  signal: AbortSignal | undefined,
) => {
  const listing = {
    ...(from == null ? {} : { from }),
    ...(skip == null ? {} : { skip }),
    ...(limit == null ? {} : { limit }),
  }
  const body = Object.fromEntries(Object.entries(rest).filter(([, value]) => hasAny(value)))
  const init = { parseAs: 'stream', ...(signal === undefined ? {} : abortable(send, signal)) } as const
  return Object.keys(body).length === 0
    ? api.GET('/sync', { ...init, params: { query: listing } })
    : api.POST('/sync', { ...init, body: { ...listing, ...body } })
}

const abortable = (send: Send, signal: AbortSignal) => ({
  signal,
  fetch: (request: Request) => send(request, { signal }).catch(throwAsNetwork),
})

const hasAny = (value: object | null | undefined): boolean => value != null && Object.keys(value).length > 0
