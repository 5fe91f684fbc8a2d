import type { Configuration } from 'openid-client'
import { sealJson, sealKeyOf, unsealJson } from '../seal.ts'
import { fetchShort } from './fetch-short.ts'
import { type Provider, ProviderFailed, type ProviderSettings } from './provider.ts'

/** A sign-in under way: what the provider's answer is judged by, and until when. */
interface Begun {
  readonly until: number
  readonly next: string
  readonly nonce: string
  readonly verifier: string
}

const underWayMs = 10 * 60_000
const purpose = 'sign-in at the provider'
const timeoutSeconds = 10
/** How long a provider that failed is not asked again: strangers may press the button as often as they like. */
const restMs = 5_000

/** Loaded by the first sign-in only: most servers have no provider. */
const loadClient = () => import('openid-client')

/** Unix time, and the time that has passed since any moment; both in milliseconds. */
interface Clock {
  readonly now: () => number
  readonly passed: () => number
}

const systemClock: Clock = { now: () => Date.now(), passed: () => performance.now() }

/**
 * A provider that is asked for its addresses at the first sign-in, and again after a failure. What is under way is kept
 * in its `state`, sealed by the secret of the browser: any server can go on with it, and strangers take nobody's place.
 */
export const openProvider = (
  { issuer, clientId, clientSecret, name, userClaim }: ProviderSettings,
  { now, passed }: Clock = systemClock,
): Provider => {
  let known: Promise<Configuration> | undefined
  let failure: { readonly until: number; readonly error: unknown } | undefined

  const discover = async (): Promise<Configuration> => {
    const client = await loadClient()
    // Plain http is for this machine only; the settings refuse any other.
    const execute = issuer.startsWith('http:') ? [client.allowInsecureRequests] : []
    const options = { execute, timeout: timeoutSeconds, [client.customFetch]: fetchShort }
    const config = await client.discovery(new URL(issuer), clientId, clientSecret, undefined, options)
    // Not required of what comes from the token endpoint (OpenID Core, 3.1.3.7), but a proxy in between may have no scruples.
    client.enableNonRepudiationChecks(config)
    return config
  }

  const configure = async (): Promise<Configuration> => {
    if (failure !== undefined && passed() < failure.until) throw new ProviderFailed('unreachable', failure.error)
    known ??= discover()
    try {
      return await known
    } catch (error) {
      known = undefined
      failure = { until: passed() + restMs, error }
      throw new ProviderFailed('unreachable', error)
    }
  }

  const begin: Provider['begin'] = async (browser, next, redirectUri) => {
    const config = await configure()
    const client = await loadClient()
    const [nonce, verifier] = [client.randomNonce(), client.randomPKCECodeVerifier()]
    const begun: Begun = { until: now() + underWayMs, next, nonce, verifier }
    return client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'openid profile email',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state: sealJson(sealKeyOf(browser), purpose, begun),
      nonce,
    }).href
  }

  const findBegun = (browser: string | undefined, state: string): Begun => {
    const begun =
      browser === undefined ? undefined : (unsealJson(sealKeyOf(browser), purpose, state) as Begun | undefined)
    if (begun === undefined || begun.until < now()) throw new ProviderFailed('notBegun')
    return begun
  }

  const fetchClaims = async (query: ReadonlyMap<string, string>, redirectUri: string, { nonce, verifier }: Begun) => {
    const client = await loadClient()
    const config = await configure()
    const expectedState = query.get('state') ?? ''
    const checks = { pkceCodeVerifier: verifier, expectedState, expectedNonce: nonce, idTokenExpected: true }
    try {
      const tokens = await client.authorizationCodeGrant(config, addQuery(redirectUri, query), checks)
      const claims = tokens.claims()
      if (claims === undefined) throw new ProviderFailed('strange')
      if (!isSubject(claims.sub)) {
        throw new ProviderFailed(
          'strange',
          new Error(`sub of the ID token must have 1 to ${maxSubjectCharacters} characters`),
        )
      }
      if (claims[userClaim] !== undefined) return { ...claims, iss: claims.iss, sub: claims.sub }
      const info = await client.fetchUserInfo(config, tokens.access_token, claims.sub)
      return { ...info, iss: claims.iss, sub: claims.sub }
    } catch (error) {
      if (error instanceof client.AuthorizationResponseError) throw new ProviderFailed('denied', error)
      // A code that is not known any more (RFC 6749, 5.2): each is taken once.
      if (error instanceof client.ResponseBodyError && error.error === 'invalid_grant')
        throw new ProviderFailed('notBegun', error)
      if (error instanceof ProviderFailed) throw error
      throw new ProviderFailed(isNoAnswer(error) ? 'unreachable' : 'strange', error)
    }
  }

  return {
    name,
    begin,
    finish: async (browser, query, redirectUri) => {
      const begun = findBegun(browser, query.get('state') ?? '')
      const claims: Readonly<Record<string, unknown>> & { iss: string; sub: string } = await fetchClaims(
        query,
        redirectUri,
        begun,
      )
      const userName = claims[userClaim]
      if (typeof userName !== 'string' || userName === '') throw new ProviderFailed('noName')
      // Else whoever may type an address into a profile there would be anybody here.
      if (userClaim === 'email' && claims.email_verified !== true) throw new ProviderFailed('notVerified')
      return { name: userName, subject: JSON.stringify([claims.iss, claims.sub]), next: begun.next }
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

/** OpenID Core, 2. */
const maxSubjectCharacters = 255

const isSubject = (sub: unknown): boolean => typeof sub === 'string' && sub !== '' && sub.length <= maxSubjectCharacters

const noAnswers: ReadonlySet<unknown> = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
])

/** Whether the tokens, the claims or the keys did not come, and not what came was wrong. `fetch` gives a TypeError. */
const isNoAnswer = (error: unknown): boolean =>
  error instanceof Error &&
  ('code' in error ? noAnswers.has(error.code) : error instanceof TypeError && error.cause !== undefined)

const addQuery = (redirectUri: string, query: ReadonlyMap<string, string>): URL => {
  const url = new URL(redirectUri)
  for (const [name, value] of query) url.searchParams.set(name, value)
  return url
}
