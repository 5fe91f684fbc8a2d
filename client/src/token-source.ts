import type { TokenGrant, TokenPair } from '../../generated/types.ts'
import { ClientError, isClientError, refusalOf, throwAsNetwork } from './client-error.ts'
import type { Api } from './create-api.ts'
import { createRandomId } from './random-id.ts'
import type { TokenStorage, Tokens } from './tokens.ts'

/** Gets, keeps and renews the tokens of one session (interface 5). */
export interface TokenSource {
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
export interface CodeGrant {
  readonly code: string
  readonly redirectUri: string
  readonly verifier: string
}

/** What a token source needs to know. */
export interface TokenSourceOptions {
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
    if (!response.ok) throw refusalOf(response, error)
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
