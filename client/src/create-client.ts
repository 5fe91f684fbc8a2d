import type { SyncAnswer, SyncRequest } from '../../generated/types.ts'
import { type Api, createApi, createListener, type Listener, type RetryOptions, type Send, sendAgain } from './api.ts'
import { ClientError, findErrorBody, throwAsNetwork } from './client-error.ts'
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

/** Which server, which application, and where the tokens are kept. */
export interface ClientOptions {
  /** The base address with the version segment, as `https://things.example/v1/`. */
  readonly baseUrl: string
  /** From the registration of the application (interface 1). */
  readonly clientId: string
  /** Left out for a public application, which signs people in by the web flow only. */
  readonly clientSecret?: string
  readonly tokens: TokenStorage
  /** Carries out requests; the global fetch by default. Put time-outs and proxies here, and give fetch the `init`, too. */
  readonly fetch?: Send
  /** The header value for an access token; `Bearer <token>` by default (interface 5.3 leaves it open). */
  readonly authorization?: (token: string) => string
  /** The time in milliseconds since 1970; the device's clock by default. */
  readonly now?: () => number
  /**
   * Sends what may safely be sent twice again when it failed for the moment; `{}` for the defaults. Left out, each call
   * fails at once, as a program wants that tries again by itself (`replica.live` does).
   */
  readonly retry?: RetryOptions
}

const checkFunction = (name: string, value: unknown): void => {
  if (typeof value !== 'function') throw new TypeError(`${name} must be a function, and is ${String(value)}`)
}

/** Without it each call would say that there is no network, for ever. */
const checkBaseUrl = (baseUrl: unknown): void => {
  if (typeof baseUrl === 'string') {
    if (/^https?:\/\/./i.test(baseUrl)) return
    // A page may name its own server by a path.
    if ('location' in globalThis && !/^[\w+.-]*:/.test(baseUrl)) return
  }
  const what = baseUrl instanceof URL ? 'a URL; give its href' : String(baseUrl)
  throw new TypeError(`baseUrl must be an address as https://things.example/v1/, and is ${what}`)
}

/**
 * What a program in JavaScript forgot is said at once: later it would look like a network that is away.
 * @throws TypeError that names the option
 */
const checkOptions = (options: ClientOptions): void => {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError('createClient needs an object with baseUrl, clientId and tokens')
  }
  const { baseUrl, clientId, clientSecret, tokens } = options
  checkBaseUrl(baseUrl)
  if (typeof clientId !== 'string') {
    throw new TypeError('clientId must be the text that the registration of the application gave')
  }
  if (clientSecret !== undefined && typeof clientSecret !== 'string') {
    throw new TypeError('clientSecret must be text, or left out for a public application')
  }
  if (typeof tokens !== 'object' || tokens === null) {
    throw new TypeError('tokens must be a token storage, as createMemoryTokenStorage() makes one')
  }
  for (const name of ['read', 'write', 'clear'] as const) checkFunction(`tokens.${name}`, tokens[name])
  for (const name of ['fetch', 'authorization', 'now'] as const) {
    if (options[name] !== undefined) checkFunction(name, options[name])
  }
}

/** A sync request without the token, which the client adds. */
export type SyncParameters = Omit<SyncRequest, 'access_token'>

/** The client of one user's session. All calls throw ClientError, see its codes. */
export interface Client extends Listener {
  /** Every operation of the document, typed; bodies are sent as forms, the token is added, answers are not judged. */
  readonly api: Api
  /** Begins a session (interface 5.1, password) and keeps its tokens, not the password. */
  readonly signIn: (username: string, password: string) => Promise<void>
  /**
   * Begins a session with what the browser brought back from a sign-in that `beginWebSignIn` began, and keeps its tokens.
   * @throws ClientError `refused` (`error` is `access_denied` when the person said no), `unexpected_answer`, `network`
   */
  readonly finishWebSignIn: (begun: WebSignIn, arrivedAt: string) => Promise<void>
  /**
   * Forgets the tokens and asks the server to end the session; true when the server confirmed that, false when it
   * cannot or could not be reached: the tokens then end by themselves.
   */
  readonly signOut: () => Promise<boolean>
  /** Names the session whose tokens are kept, another one after each sign-in; undefined when there are none. */
  readonly findSession: () => Promise<string | undefined>
  /** Uploads and lists in one request (interface 4.3); the whole answer at once. */
  readonly sync: (parameters?: SyncParameters, options?: StreamOptions) => Promise<SyncAnswer>
  /** The same, one thing at a time while the answer arrives, in memory that does not grow with the listing. */
  readonly streamSync: (parameters?: SyncParameters, options?: StreamOptions) => AsyncGenerator<SyncEvent, void>
  /** The same, all that a chunk of the answer brings together: less work for each thing, where there are many. */
  readonly streamSyncParts: (
    parameters?: SyncParameters,
    options?: StreamOptions,
  ) => AsyncGenerator<readonly SyncEvent[], void>
  /** What changed since `from`, page by page (interface 4.3, skip and limit). */
  readonly listChanges: (options?: PageOptions) => AsyncGenerator<ChangesPage, void>
}

/**
 * A client; it sends nothing yet. With tokens in the storage it continues their session.
 * @throws TypeError that names the option that is missing or wrong
 */
export const createClient = (options: ClientOptions): Client => {
  checkOptions(options)
  const sendOnce: Send = options.fetch ?? ((request, init) => globalThis.fetch(request, init))
  const send = options.retry === undefined ? sendOnce : sendAgain(sendOnce, options.retry)
  const { baseUrl, clientId, clientSecret, tokens, now = Date.now } = options
  const source = createTokenSource({ api: createApi(baseUrl, send), clientId, clientSecret, tokens, now })
  const toHeader = options.authorization ?? ((token) => `Bearer ${token}`)
  const sendSync = authorize(send, source, toHeader)
  const api = createApi(baseUrl, sendSync)

  async function* streamSyncParts(parameters: SyncParameters = {}, stream: StreamOptions = {}) {
    const { data, error, response } = await askSync(api, sendSync, parameters, stream.signal)
    if (!response.ok) throw findErrorBody(response, error)
    if (!data) throw new ClientError('unexpected_answer', 'the answer is empty', { status: response.status })
    yield* readSyncParts(data, stream)
  }
  async function* streamSync(parameters: SyncParameters = {}, stream: StreamOptions = {}) {
    for await (const part of streamSyncParts(parameters, stream)) yield* part
  }
  return {
    // Who listens decides by each failure how to go on.
    ...createListener(baseUrl, authorize(sendOnce, source, toHeader)),
    api,
    signIn: source.signIn,
    finishWebSignIn: async (begun, arrivedAt) => {
      const code = readWebSignInCode(baseUrl, begun, arrivedAt)
      await source.signInByCode({ code, redirectUri: begun.redirectUri, verifier: begun.verifier })
    },
    signOut: source.signOut,
    findSession: source.findSession,
    sync: (parameters, stream) => collectResponse(streamSync(parameters, stream)),
    streamSync,
    streamSyncParts,
    listChanges: (page) => listPages(streamSync, page),
  }
}

/** A GET changes nothing, so it is used wherever nothing is uploaded. */
const askSync = (
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
