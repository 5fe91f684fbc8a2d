import type { TokenGrant, TokenPair } from '../../generated/types.ts'
import type { Api, Send, SendInit } from './api.ts'
import { ClientError, findErrorBody, isClientError, throwAsNetwork } from './client-error.ts'
import { createRandomId } from './environment.ts'

/** The pair of tokens of one session (interface 5.2). Whoever has it acts as the user: keep it as you keep a password. */
export interface Tokens {
  readonly accessToken: string
  readonly requestToken: string
  /** Names the session on this device: another one after each sign-in, the same after a refresh. */
  readonly session: string
  /** When the access token ends by this device's clock, in milliseconds since 1970. */
  readonly expiresAt: number
}

/** Where the tokens are kept; username and password never are. One storage belongs to one session. */
export interface TokenStorage {
  /** The tokens that were written last; undefined when there are none. Asked before every request. */
  readonly read: () => Promise<Tokens | undefined>
  /** Resolves when both tokens are safe; only then is the new access token used. */
  readonly write: (tokens: Tokens) => Promise<void>
  readonly clear: () => Promise<void>
  /**
   * Runs the work while nobody else who shares this storage runs theirs. Needed only where several clients share one
   * storage, as tabs of a browser do: `async (work) => await navigator.locks.request('thingsync tokens', work)`.
   */
  readonly lock?: <T>(work: () => Promise<T>) => Promise<T>
}

/** A storage that forgets the tokens when the program ends. */
export const createMemoryTokenStorage = (): TokenStorage => {
  let kept: Tokens | undefined
  return {
    read: async () => kept,
    write: async (tokens) => {
      kept = tokens
    },
    clear: async () => {
      kept = undefined
    },
  }
}

/** Gets, keeps and renews the tokens of one session (interface 5). */
interface TokenSource {
  readonly signIn: (username: string, password: string) => Promise<void>
  /** Begins a session with a code of the web flow. */
  readonly signInByCode: (grant: CodeGrant) => Promise<void>
  /** Ends the session; true when the server confirmed it. */
  readonly signOut: () => Promise<boolean>
  /** The name of the session whose tokens are kept; undefined when there are none. */
  readonly findSession: () => Promise<string | undefined>
  /**
   * An access token that has not ended by this device's clock, and is not `refused`, which the server has just called
   * invalid. Calls that need a new one at the same time share one refresh.
   * @throws ClientError `signed_out`, `network`, `refused`
   */
  readonly getAccessToken: (refused?: string) => Promise<string>
}

/** What the web flow gave (interface 5). */
interface CodeGrant {
  readonly code: string
  readonly redirectUri: string
  readonly verifier: string
}

/** What a token source needs to know. */
interface TokenSourceOptions {
  /** Without authentication. */
  readonly api: Api
  readonly clientId: string
  /** Undefined for a public application. */
  readonly clientSecret: string | undefined
  readonly tokens: TokenStorage
  /** The time in milliseconds since 1970. */
  readonly now: () => number
}

// An access token that ends while its request is on the way costs one more request.
const spareMilliseconds = 10_000

// All calls wait for one refresh; on a connection that has died unnoticed they would do so for many minutes.
const timeoutMilliseconds = 60_000

/** A token source that takes up the session that the storage knows. */
export const createTokenSource = ({ api, clientId, clientSecret, tokens, now }: TokenSourceOptions): TokenSource => {
  const lock = tokens.lock ?? ((work) => work())
  const application = { client_id: clientId, ...(clientSecret === undefined ? {} : { client_secret: clientSecret }) }
  let refreshing: Promise<string> | undefined

  const grant = async (form: TokenGrant, session: string): Promise<string> => {
    const askedAt = now()
    const body = { ...form, ...application }
    const signal = AbortSignal.timeout(timeoutMilliseconds)
    const { data, error, response } = await api.POST('/token', { body, parseAs: 'text', signal }).catch(throwAsNetwork)
    if (!response.ok) throw findErrorBody(response, error)
    const pair = readPair(data ?? '')
    const expiresAt = askedAt + pair.expires_in * 1000
    // Before its first use, so that a crash never leaves us with a pair that the server has retired.
    await tokens.write({ accessToken: pair.access_token, requestToken: pair.request_token, session, expiresAt })
    return pair.access_token
  }

  const isUsable = ({ accessToken, expiresAt }: Tokens, refused: string | undefined) =>
    accessToken !== refused && now() < expiresAt - spareMilliseconds

  const refresh = (refused: string | undefined): Promise<string> =>
    lock(async () => {
      const known = await readTokens()
      if (isUsable(known, refused)) return known.accessToken
      try {
        return await grant({ grant_type: 'refresh_token', refresh_token: known.requestToken }, known.session)
      } catch (error) {
        if (!isClientError(error, 'refused') || error.error !== 'invalid_grant') throw error
        // Somebody may have signed in again meanwhile.
        if ((await tokens.read())?.requestToken === known.requestToken) await tokens.clear()
        throw new ClientError('signed_out', 'the session has ended; sign in again', { cause: error })
      }
    })

  const readTokens = async (): Promise<Tokens> => {
    const known = await tokens.read()
    if (known === undefined) throw new ClientError('signed_out', 'there are no tokens; sign in first')
    return known
  }

  const revoke = async (token: string): Promise<boolean> => {
    const body = { token, ...application }
    try {
      return (await api.POST('/revoke', { body, parseAs: 'text' }).catch(throwAsNetwork)).response.ok
    } catch (error) {
      if (isClientError(error, 'network')) return false
      throw error
    }
  }

  return {
    signIn: async (username, password) => {
      await lock(() => grant({ grant_type: 'password', username, password }, createRandomId()))
    },
    signInByCode: async ({ code, redirectUri, verifier }) => {
      const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier }
      await lock(() => grant(form, createRandomId()))
    },
    signOut: async () => {
      const known = await tokens.read()
      await tokens.clear()
      return known === undefined ? false : await revoke(known.requestToken)
    },
    findSession: async () => (await tokens.read())?.session,
    getAccessToken: async (refused) => {
      const known = await readTokens()
      if (isUsable(known, refused)) return known.accessToken
      refreshing ??= refresh(refused).finally(() => {
        refreshing = undefined
      })
      return refreshing
    },
  }
}

const readPair = (text: string): Pick<TokenPair, 'access_token' | 'request_token' | 'expires_in'> => {
  const pair = parse(text)
  if (
    !(typeof pair === 'object' && pair !== null) ||
    !('access_token' in pair && typeof pair.access_token === 'string') ||
    !('request_token' in pair && typeof pair.request_token === 'string') ||
    !('expires_in' in pair && typeof pair.expires_in === 'number')
  ) {
    throw new ClientError('unexpected_answer', 'the token endpoint answered no pair of tokens')
  }
  const { access_token, request_token, expires_in } = pair
  return { access_token, request_token, expires_in }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/**
 * Sends requests with the access token in the header (interface 5.3). A request that is answered that its token is
 * invalid (interface 7; with which status is left open) is sent once more with a new one; it was not carried out.
 */
export const authorize = (send: Send, source: TokenSource, toHeader: (token: string) => string): Send => {
  const sendWith = (request: Request, token: string, init?: SendInit) => {
    request.headers.set('authorization', toHeader(token))
    return send(request, init)
  }
  return async (request, init) => {
    const again = request.clone()
    const token = await source.getAccessToken()
    const answer = await sendWith(request, token, init)
    if (answer.ok || !(await isTokenInvalid(answer.clone()))) return answer
    return sendWith(again, await source.getAccessToken(token), init)
  }
}

const isTokenInvalid = async (answer: Response): Promise<boolean> => {
  const text = await answer.text()
  try {
    return JSON.parse(text)?.error === 'invalid_grant'
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

/** A sign-in that was sent to the server's page: keep it until the browser comes back, and let nobody else see it. */
export interface WebSignIn {
  /** Where the person has to be sent now. */
  readonly address: string
  readonly redirectUri: string
  /** Comes back with the answer, and tells it from what was never asked. */
  readonly state: string
  /** Proves that who brings the code is who asked for it (RFC 7636). */
  readonly verifier: string
}

/** What the sign-in is for. */
export interface WebSignInOptions {
  /** The base address with the version segment, as `https://things.example/v1/`. */
  readonly baseUrl: string
  readonly clientId: string
  /** One that is registered for the application, to the letter. */
  readonly redirectUri: string
}

const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const makeSecret = (): string => toBase64Url(crypto.getRandomValues(new Uint8Array(32)))

/** The server of a base address: without the version segment. */
const serverOf = (baseUrl: string): string => baseUrl.replace(/\/v1\/?$/, '')

/**
 * Begins a sign-in on the server's own page (interface 5, the web flow), so that the application sees no password: send the
 * person to `address`, and give what comes back to `finishWebSignIn` of a client. Needs Web Crypto, which browsers offer
 * over https and on `localhost` only.
 */
export const beginWebSignIn = async ({ baseUrl, clientId, redirectUri }: WebSignInOptions): Promise<WebSignIn> => {
  const [state, verifier] = [makeSecret(), makeSecret()]
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state,
    code_challenge: toBase64Url(new Uint8Array(hash)),
    code_challenge_method: 'S256',
  })
  return { address: `${serverOf(baseUrl)}/authorize?${query}`, redirectUri, state, verifier }
}

/**
 * The code in the address that the browser came back to.
 * @throws ClientError `refused` with the server's `error` (`access_denied` when the person said no), `unexpected_answer` for
 * an address that is no answer to this sign-in
 */
export const readWebSignInCode = (baseUrl: string, { state }: WebSignIn, arrivedAt: string): string => {
  const { searchParams } = new URL(arrivedAt)
  const issuer = searchParams.get('iss')
  if (searchParams.get('state') !== state || (issuer !== null && issuer !== serverOf(baseUrl))) {
    throw new ClientError('unexpected_answer', 'this is no answer to the sign-in that was begun')
  }
  const error = searchParams.get('error')
  if (error !== null) {
    const description = searchParams.get('error_description') ?? ''
    throw new ClientError('refused', `${error}: ${description}`, { error, description })
  }
  const code = searchParams.get('code')
  if (code === null) throw new ClientError('unexpected_answer', 'the answer to the sign-in has no code')
  return code
}
