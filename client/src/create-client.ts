import type { SyncAnswer, SyncRequest } from '../../generated/types.ts'
import { authorize } from './authorize.ts'
import { type ClientOptions, checkOptions } from './check-options.ts'
import { ClientError, refusalOf, throwAsNetwork } from './client-error.ts'
import { collectAnswer } from './collect-answer.ts'
import { type Api, createApi, type Send } from './create-api.ts'
import { type ChangesPage, listPages, type PageOptions } from './list-pages.ts'
import { createListener, type Listener } from './listen.ts'
import { sendAgain } from './retry.ts'
import { readSyncParts, type StreamOptions, type SyncEvent } from './sync-events.ts'
import { createTokenSource } from './token-source.ts'
import { readWebSignInCode, type WebSignIn } from './web-sign-in.ts'

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
    if (!response.ok) throw refusalOf(response, error)
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
    sync: (parameters, stream) => collectAnswer(streamSync(parameters, stream)),
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
