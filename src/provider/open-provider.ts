import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Configuration } from 'openid-client'
import { fetchShort } from './fetch-short.ts'
import { type Provider, ProviderFailed, type ProviderSettings } from './provider.ts'

/** A sign-in under way: what was sent along, and for which browser. */
interface Begun {
  readonly browser: string
  readonly next: string
  readonly redirectUri: string
  readonly nonce: string
  readonly verifier: string
}

const minutesUnderWay = 10
const mostUnderWay = 10_000
const timeoutSeconds = 10
/** How long a provider that failed is not asked again: strangers may press the button as often as they like. */
const restMs = 5_000

const hashOf = (secret: string): string => hash('sha256', secret, 'base64url')

/** Loaded by the first sign-in only: most servers have no provider. */
const loadClient = () => import('openid-client')

/**
 * A provider that is asked for its addresses at the first sign-in, and again after a failure. What is under way is in
 * memory: ten minutes at most, and no longer than this process.
 */
export const openProvider = (
  { issuer, clientId, clientSecret, name, userClaim }: ProviderSettings,
  now: () => number = () => performance.now(),
): Provider => {
  const begun = new LRUCache<string, Begun>({
    max: mostUnderWay,
    ttl: minutesUnderWay * 60_000,
    ttlResolution: 0,
    perf: { now },
  })
  let known: Promise<Configuration> | undefined
  let failure: { readonly until: number; readonly error: unknown } | undefined

  const discover = async (): Promise<Configuration> => {
    const client = await loadClient()
    // Plain http is for this machine only; the settings refuse any other.
    const execute = issuer.startsWith('http:') ? [client.allowInsecureRequests] : []
    const options = { execute, timeout: timeoutSeconds, [client.customFetch]: fetchShort }
    return client.discovery(new URL(issuer), clientId, clientSecret, undefined, options)
  }

  const configure = async (): Promise<Configuration> => {
    if (failure !== undefined && now() < failure.until) throw new ProviderFailed('unreachable', failure.error)
    known ??= discover()
    try {
      return await known
    } catch (error) {
      known = undefined
      failure = { until: now() + restMs, error }
      throw new ProviderFailed('unreachable', error)
    }
  }

  const begin: Provider['begin'] = async (browser, next, redirectUri) => {
    const config = await configure()
    const client = await loadClient()
    const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()]
    begun.set(state, { browser: hashOf(browser), next, redirectUri, nonce, verifier })
    return client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'openid profile email',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    }).href
  }

  /** What was begun with this state in this browser, this once. */
  const takeBegun = (browser: string | undefined, state: string): Begun => {
    const found = begun.get(state)
    if (found === undefined || browser === undefined || found.browser !== hashOf(browser)) {
      throw new ProviderFailed('notBegun')
    }
    begun.delete(state)
    return found
  }

  const fetchClaims = async (query: ReadonlyMap<string, string>, state: string, taken: Begun) => {
    const client = await loadClient()
    const config = await configure()
    const { nonce, verifier, redirectUri } = taken
    const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true }
    try {
      const tokens = await client.authorizationCodeGrant(config, addQuery(redirectUri, query), checks)
      const claims = tokens.claims()
      if (claims === undefined) throw new ProviderFailed('strange')
      if (claims[userClaim] !== undefined) return { ...claims, iss: claims.iss, sub: claims.sub }
      const info = await client.fetchUserInfo(config, tokens.access_token, claims.sub)
      return { ...info, iss: claims.iss, sub: claims.sub }
    } catch (error) {
      if (error instanceof client.AuthorizationResponseError) throw new ProviderFailed('denied', error)
      throw error instanceof ProviderFailed ? error : new ProviderFailed('strange', error)
    }
  }

  return {
    name,
    begin,
    finish: async (browser, query) => {
      const state = query.get('state') ?? ''
      const taken = takeBegun(browser, state)
      const claims: Readonly<Record<string, unknown>> & { iss: string; sub: string } = await fetchClaims(
        query,
        state,
        taken,
      )
      const userName = claims[userClaim]
      if (typeof userName !== 'string' || userName === '') throw new ProviderFailed('noName')
      // Else whoever may type an address into a profile there would be anybody here.
      if (userClaim === 'email' && claims.email_verified !== true) throw new ProviderFailed('notVerified')
      return { name: userName, subject: JSON.stringify([claims.iss, claims.sub]), next: taken.next }
    },
    findSignOut: async (backTo) => {
      const client = await loadClient()
      try {
        const config = await configure()
        if (config.serverMetadata().end_session_endpoint === undefined) return undefined
        return client.buildEndSessionUrl(config, { post_logout_redirect_uri: backTo }).href
      } catch (error) {
        if (error instanceof ProviderFailed) return undefined
        throw error
      }
    },
  }
}

const addQuery = (redirectUri: string, query: ReadonlyMap<string, string>): URL => {
  const url = new URL(redirectUri)
  for (const [name, value] of query) url.searchParams.set(name, value)
  return url
}
