import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import OidcProvider from 'oidc-provider'
import { onTestFinished } from 'vitest'

/** The claims of a user at the provider; the sign-in there requires only the subject. */
export type ProviderUser = Readonly<Record<string, unknown>>

/** Header and claims of an ID token. */
export type TokenPart = Readonly<Record<string, unknown>>

/** What a provider, or an attacker between it and the server, forges. */
export interface Lie {
  /** Another ID token instead of the right one; `sign` makes one as the provider does. */
  readonly token?: (header: TokenPart, claims: TokenPart, tools: { sign: SignToken; keys: () => SigningKey }) => string
  /** Another response than its keys. */
  readonly keys?: (context: { status: number; body: unknown }) => void
}

/** A key, and what it is called. */
export interface SigningKey {
  readonly privateKey: KeyObject
  readonly kid: string
}

/** Signs a token by a key, by a secret (HS256) or not at all. */
export type SignToken = (header: TokenPart, claims: TokenPart, key: KeyObject | string | undefined) => string

/** A key for RS256. */
export const createSigningKey = (kid: string): SigningKey => ({
  kid,
  privateKey: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
})

const signToken: SignToken = (header, claims, key) => {
  const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  const signature =
    key === undefined
      ? Buffer.alloc(0)
      : typeof key === 'string'
        ? createHmac('sha256', key).update(text).digest()
        : sign('sha256', Buffer.from(text), key)
  return `${text}.${signature.toString('base64url')}`
}

/** A real OpenID provider on a free port. */
export interface ProviderFixture {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Goes through the provider's own pages as the user with a subject; gives the address that it leads back to. */
  readonly signIn: (address: string, subject: string) => Promise<string>
  /** Signs by a new key from now on, and knows the ones before no more. */
  readonly changeKey: (kid: string) => void
}

/** Opens the provider with its users, by subject, for a server with these redirect URIs. */
export const openProviderFixture = async (
  users: Map<string, ProviderUser>,
  redirectUris: readonly string[],
  lie: Lie = {},
): Promise<ProviderFixture> => {
  // Its address must be known before it is made.
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const [clientId, clientSecret] = ['things', 'a secret of this client, long enough']
  let key = createSigningKey('first')
  const openProvider = () => {
    const provider = new OidcProvider(issuer, {
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uris: [...redirectUris],
          post_logout_redirect_uris: redirectUris.map((uri) => uri.replace('/provider/back', '')),
        },
      ],
      claims: { openid: ['sub'], profile: ['preferred_username'], email: ['email', 'email_verified'] },
      findAccount: (_context, sub) => ({ accountId: sub, claims: async () => ({ sub, ...users.get(sub) }) }),
      cookies: { keys: ['for this fixture'] },
      jwks: { keys: [{ ...key.privateKey.export({ format: 'jwk' }), kid: key.kid, alg: 'RS256', use: 'sig' }] },
    })
    provider.use(async (context, next) => {
      await next()
      const route = context.oidc?.route
      if (route === 'jwks') lie.keys?.(context)
      if (route !== 'token' || lie.token === undefined) return
      const body = context.body as { id_token: string }
      const [header, claims] = body.id_token
        .split('.', 2)
        .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as TokenPart)
      body.id_token = lie.token(header ?? {}, claims ?? {}, { sign: signToken, keys: () => key })
    })
    server.removeAllListeners('request').on('request', provider.callback())
  }
  openProvider()
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })

  const signIn: ProviderFixture['signIn'] = async (address, subject) => {
    const cookies = new Map<string, string>()
    const send = async (url: string, init: RequestInit = {}): Promise<Response> => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await fetch(url, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } })
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        cookies.set(name, value)
      }
      return response
    }
    let url = address
    for (let step = 0; step < 12; step++) {
      if (!url.startsWith(issuer)) return url
      const response = await send(url)
      const location = response.headers.get('location')
      if (location !== null) {
        url = new URL(location, issuer).href
        continue
      }
      const page = await response.text()
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1]
      if (prompt === undefined) throw new Error(`the provider shows something else: ${response.status} ${page}`)
      const body = new URLSearchParams({ prompt, ...(prompt === 'login' && { login: subject, password: 'any' }) })
      const sent = await send(url, { method: 'POST', body })
      url = new URL(sent.headers.get('location') ?? '', issuer).href
    }
    throw new Error('the provider leads nowhere')
  }
  const changeKey = (kid: string) => {
    key = createSigningKey(kid)
    openProvider()
  }
  return { issuer, clientId, clientSecret, signIn, changeKey }
}
