import OAuth2Server from '@node-oauth/oauth2-server'
import { hashSecret } from '../../src/accounts/sessions.ts'

/** A request to the token endpoint: the fields of its form, and its Authorization header. */
export interface TokenRequest {
  readonly form: Readonly<Record<string, string>>
  readonly authorization?: string | undefined
}

/** What became of it: `tokens`, or status and error code. */
export type TokenOutcome = 'tokens' | `${number} ${string}`

/** A code that the oracle is given. */
export interface OracleCode {
  readonly code: string
  readonly clientId: string
  readonly redirectUri: string | undefined
  readonly challenge: string | undefined
  readonly expiresAt: Date
}

/** A client that the oracle is given; without a secret it is public. */
export interface OracleClient {
  readonly clientId: string
  readonly clientSecret?: string | undefined
}

interface StoredToken extends OAuth2Server.Token {
  readonly refreshToken: string
}

/**
 * `@node-oauth/oauth2-server` over plain maps: a second opinion on requests to the token endpoint. It knows one user,
 * `anna` with the password `correct horse`.
 */
export const createOracle = (clients: readonly OracleClient[]) => {
  const codes = new Map<string, OAuth2Server.AuthorizationCode>()
  const tokens = new Map<string, StoredToken>()
  const user = { name: 'anna' }
  const findClient = (id: string): OAuth2Server.Client | undefined => {
    const found = clients.find(({ clientId }) => clientId === id)
    const own = ['authorization_code', 'refresh_token']
    return found && { id, grants: found.clientSecret === undefined ? own : [...own, 'password'] }
  }
  const model = {
    getClient: async (id: string, secret?: string) => {
      const found = clients.find(({ clientId }) => clientId === id)
      // With an undefined secret it requires the client of a request that has none.
      return found?.clientSecret === (secret || undefined) ? findClient(id) : undefined
    },
    getAuthorizationCode: async (code: string) => codes.get(code),
    revokeAuthorizationCode: async ({ authorizationCode }: OAuth2Server.AuthorizationCode) =>
      codes.delete(authorizationCode),
    getUser: async (name: string, password: string) =>
      name === 'anna' && password === 'correct horse' ? user : undefined,
    saveToken: async (token: OAuth2Server.Token, client: OAuth2Server.Client, owner: OAuth2Server.User) => {
      const kept = { ...token, refreshToken: token.refreshToken ?? '', client, user: owner }
      tokens.set(kept.refreshToken, kept)
      return kept
    },
    getAccessToken: async () => undefined,
    getRefreshToken: async (token: string) => tokens.get(token),
    revokeToken: async ({ refreshToken }: OAuth2Server.RefreshToken) => tokens.delete(refreshToken),
  }
  const server = new OAuth2Server({ model: model as unknown as OAuth2Server.AuthorizationCodeModel })

  return {
    addCode: ({ code, clientId, redirectUri = '', challenge, expiresAt }: OracleCode): void => {
      const client = findClient(clientId)
      if (client === undefined) throw new Error(`the oracle does not know the client ${clientId}`)
      const pkce = challenge === undefined ? {} : { codeChallenge: challenge, codeChallengeMethod: 'S256' }
      codes.set(code, { authorizationCode: code, expiresAt, redirectUri, client, user, ...pkce })
    },
    addRefreshToken: (refreshToken: string, clientId: string): void => {
      const client = findClient(clientId) as OAuth2Server.Client
      const accessToken = hashSecret(refreshToken)
      tokens.set(refreshToken, { accessToken, refreshToken, client, user })
    },
    ask: async ({ form, authorization }: TokenRequest): Promise<TokenOutcome> => {
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': String(new URLSearchParams(form).toString().length),
        ...(authorization === undefined ? {} : { authorization }),
      }
      const request = new OAuth2Server.Request({ method: 'POST', query: {}, headers, body: { ...form } })
      try {
        await server.token(request, new OAuth2Server.Response())
        return 'tokens'
      } catch (error) {
        if (!(error instanceof OAuth2Server.OAuthError)) throw error
        return `${error.code} ${error.name}`
      }
    },
  }
}
