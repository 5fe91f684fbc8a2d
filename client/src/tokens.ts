import type { TokenGrant, TokenPair } from '../../generated/types.ts'
import type { Api, Send, SendInit } from './api.ts'
import { ClientError, findErrorBody, isClientError, isErrorBody, throwAsNetwork } from './client-error.ts'
import { createRandomId } from './environment.ts'

/** The pair of tokens of one session (interface 5.2). It gives all access of the user: protect it like a password. */
export interface Tokens {
  readonly accessToken: string
  /** The refresh token (field `request_token`). */
  readonly requestToken: string
  /** The name of the session on this device: a new one after each sign-in, the same after a refresh. */
  readonly session: string
  /** When the access token expires by the clock of this device, in milliseconds since 1970. */
  readonly expiresAt: number
}

/** The storage of the tokens; it never gets the username or the password. One storage belongs to one session. */
export interface TokenStorage {
  /** Returns the tokens that were written last; undefined when there are none. Called before every request. */
  readonly read: () => Promise<Tokens | undefined>
  /** Resolves when both tokens are stored safely; the client uses the new access token only after that. */
  readonly write: (tokens: Tokens) => Promise<void>
  readonly clear: () => Promise<void>
  /**
   * Runs the work while no other client of this storage runs its work. Necessary only where several clients share one
   * storage, as tabs of a browser do: `async (work) => await navigator.locks.request('thingsync tokens', work)`.
   */
  readonly lock?: <T>(work: () => Promise<T>) => Promise<T>
}

/** Creates a storage in memory, which loses the tokens when the program ends. */
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

/** Gets, stores and refreshes the tokens of one session (interface 5). */
interface TokenSource {
  readonly signIn: (username: string, password: string) => Promise<void>
  /** Begins a session with an authorization code. */
  readonly signInByCode: (grant: CodeGrant) => Promise<void>
  /** Ends the session; returns true when the server confirmed it. */
  readonly signOut: () => Promise<boolean>
  /** Returns the name of the session of the stored tokens; undefined when there are none. */
  readonly findSession: () => Promise<string | undefined>
  /**
   * Returns an access token that has not expired by the clock of this device. It is not `rejected`, which the server
   * has just rejected as invalid. Concurrent calls share one refresh.
   * @throws ClientError `signed_out`, `network`, `rejected`
   */
  readonly getAccessToken: (rejected?: string) => Promise<string>
}

/** The result of the authorization code flow (interface 5). */
interface CodeGrant {
  readonly code: string
  readonly redirectUri: string
  readonly verifier: string
}

/** The options of a token source. */
interface TokenSourceOptions {
  /** Sends requests without an access token. */
  readonly api: Api
  readonly clientId: string
  /** Undefined for a public client. */
  readonly clientSecret: string | undefined
  readonly tokens: TokenStorage
  /** The time in milliseconds since 1970. */
  readonly now: () => number
}

// Refreshes before the token expires: a token that expires during its request costs another request.
const spareMilliseconds = 10_000

// All calls wait for one refresh; on a connection that broke without notice they would wait for many minutes.
const timeoutMilliseconds = 60_000

// A redirect would send the password or the tokens in the body to a server that the user has not chosen.
const redirect = 'manual'

/** Creates a token source, which continues the session of the tokens in the storage. */
export const createTokenSource = ({ api, clientId, clientSecret, tokens, now }: TokenSourceOptions): TokenSource => {
  const lock = tokens.lock ?? ((work) => work())
  const application = { client_id: clientId, ...(clientSecret === undefined ? {} : { client_secret: clientSecret }) }
  let refreshing: Promise<string> | undefined

  const grant = async (form: TokenGrant, session: string): Promise<string> => {
    const requestedAt = now()
    const sent = { ...form, ...application }
    const signal = AbortSignal.timeout(timeoutMilliseconds)
    const { data, error, response } = await api
      .POST('/token', { body: sent, parseAs: 'text', signal, redirect })
      .catch(throwAsNetwork)
    if (!response.ok) throw findErrorBody(response, error)
    const body = parse(data ?? '')
    if (isErrorBody(body)) throw findErrorBody(response, body)
    const pair = readPair(body)
    const expiresAt = requestedAt + pair.expires_in * 1000
    // Before its first use, so that after a crash the storage never holds a pair that the server has retired.
    await tokens.write({ accessToken: pair.access_token, requestToken: pair.request_token, session, expiresAt })
    return pair.access_token
  }

  const isUsable = ({ accessToken, expiresAt }: Tokens, rejected: string | undefined) =>
    accessToken !== rejected && now() < expiresAt - spareMilliseconds

  const refresh = (rejected: string | undefined): Promise<string> =>
    lock(async () => {
      const known = await readTokens()
      if (isUsable(known, rejected)) return known.accessToken
      try {
        return await grant({ grant_type: 'refresh_token', refresh_token: known.requestToken }, known.session)
      } catch (error) {
        if (!isClientError(error, 'rejected') || error.error !== 'invalid_grant') throw error
        // The user may have signed in again meanwhile.
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
      const { data, response } = await api.POST('/revoke', { body, parseAs: 'text', redirect }).catch(throwAsNetwork)
      return response.ok && !isErrorBody(parse(data ?? ''))
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
    getAccessToken: async (rejected) => {
      const known = await readTokens()
      if (isUsable(known, rejected)) return known.accessToken
      refreshing ??= refresh(rejected).finally(() => {
        refreshing = undefined
      })
      return refreshing
    },
  }
}

const readPair = (pair: unknown): Pick<TokenPair, 'access_token' | 'request_token' | 'expires_in'> => {
  if (
    !(typeof pair === 'object' && pair !== null) ||
    !('access_token' in pair && typeof pair.access_token === 'string') ||
    !('request_token' in pair && typeof pair.request_token === 'string') ||
    !('expires_in' in pair && typeof pair.expires_in === 'number')
  ) {
    throw new ClientError('unexpected_response', 'the response of the token endpoint has no pair of tokens')
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
 * Wraps `send` to add the access token to the header (interface 5.3). When the server rejects the token (interface 7
 * leaves the status open), it refreshes the token and sends the request once more: the server did not carry it out.
 */
export const authorize = (send: Send, source: TokenSource, toHeader: (token: string) => string): Send => {
  const sendWith = (request: Request, token: string, init?: SendInit) => {
    request.headers.set('authorization', toHeader(token))
    return send(request, init)
  }
  return async (request, init) => {
    const again = request.clone()
    const token = await source.getAccessToken()
    const response = await sendWith(request, token, init)
    if (response.ok || !(await isTokenInvalid(response.clone()))) return response
    return sendWith(again, await source.getAccessToken(token), init)
  }
}

const isTokenInvalid = async (response: Response): Promise<boolean> => {
  const text = await response.text()
  try {
    return JSON.parse(text)?.error === 'invalid_grant'
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

/** A sign-in that has begun on the page of the server: keep it secret until the browser comes back. */
export interface WebSignIn {
  /** The URL to which the browser must go now. */
  readonly address: string
  readonly redirectUri: string
  /** The server returns it with the response, so that a response to another request is detected. */
  readonly state: string
  /** Proves that the code is used by the program that requested it (PKCE, RFC 7636). */
  readonly verifier: string
}

/** The options of a sign-in. */
export interface WebSignInOptions {
  /** The base URL with the version segment, for example `https://things.example/v1/`. */
  readonly baseUrl: string
  readonly clientId: string
  /** A redirect URI that is registered for the application, with exactly the same text. */
  readonly redirectUri: string
}

const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const createSecret = (): string => toBase64Url(crypto.getRandomValues(new Uint8Array(32)))

/** Returns the URL of the server: the base URL without the version segment. */
const serverOf = (baseUrl: string): string => baseUrl.replace(/\/v1\/?$/, '')

/**
 * Begins a sign-in on the page of the server (interface 5, the authorization code flow with PKCE), so that the
 * application sees no password. Send the browser to `address`, and pass the URL to which it comes back to
 * `finishSignIn` of a client. Needs Web Crypto, which browsers offer only over https and on `localhost`.
 */
export const beginSignIn = async ({ baseUrl, clientId, redirectUri }: WebSignInOptions): Promise<WebSignIn> => {
  const [state, verifier] = [createSecret(), createSecret()]
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
 * Reads the code from the URL to which the browser came back.
 * @throws ClientError `rejected` with the `error` of the server (`access_denied` when the user denied access),
 * `unexpected_response` for a URL that does not belong to this sign-in
 */
export const readWebSignInCode = (baseUrl: string, { state }: WebSignIn, arrivedAt: string): string => {
  const { searchParams } = new URL(arrivedAt)
  const issuer = searchParams.get('iss')
  if (searchParams.get('state') !== state || (issuer !== null && issuer !== serverOf(baseUrl))) {
    throw new ClientError('unexpected_response', 'this URL does not belong to the sign-in that was begun')
  }
  const error = searchParams.get('error')
  if (error !== null) {
    const description = searchParams.get('error_description') ?? ''
    throw new ClientError('rejected', `${error}: ${description}`, { error, description })
  }
  const code = searchParams.get('code')
  if (code === null) throw new ClientError('unexpected_response', 'the response to the sign-in has no code')
  return code
}
