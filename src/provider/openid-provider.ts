import type { Configuration, CustomFetch } from 'openid-client'
import { AccountError } from '../accounts/names.ts'
import { nobodysPasswordHash } from '../accounts/passwords.ts'
import { openBrowserSession, type SignedIn, type SignInContext } from '../accounts/session-management.ts'
import { deleteExpired } from '../accounts/sessions.ts'
import { findNamedUser, findUserByTypedName, isNameTooLong, putNewUser } from '../accounts/users.ts'
import type { Environment } from '../environment.ts'
import { sealJson, sealKeyOf, unsealJson } from '../seal.ts'
import type { RegistryDraft, User } from '../store/registry/registry.ts'
import type { Store } from '../store/store.ts'

/** A sign-in under way: what the provider's answer is judged by, and until when. */
interface PendingSignIn {
  readonly until: number
  readonly next: string
  readonly nonce: string
  readonly verifier: string
}

const underWayMs = 10 * 60_000
const purpose = 'sign-in at the provider'
const timeoutSeconds = 10
/** How long a provider that failed is not asked again: strangers may press the button as often as they like. */
const retryDelayMs = 5_000

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
    const options = { execute, timeout: timeoutSeconds, [client.customFetch]: fetchLimited }
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
      failure = { until: passed() + retryDelayMs, error }
      throw new ProviderFailed('unreachable', error)
    }
  }

  const begin: Provider['begin'] = async (browser, next, redirectUri) => {
    const config = await configure()
    const client = await loadClient()
    const [nonce, verifier] = [client.randomNonce(), client.randomPKCECodeVerifier()]
    const begun: PendingSignIn = { until: now() + underWayMs, next, nonce, verifier }
    return client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'openid profile email',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state: sealJson(sealKeyOf(browser), purpose, begun),
      nonce,
    }).href
  }

  const findBegun = (browser: string | undefined, state: string): PendingSignIn => {
    const begun =
      browser === undefined ? undefined : (unsealJson(sealKeyOf(browser), purpose, state) as PendingSignIn | undefined)
    if (begun === undefined || begun.until < now()) throw new ProviderFailed('notBegun')
    return begun
  }

  const fetchClaims = async (
    query: ReadonlyMap<string, string>,
    redirectUri: string,
    { nonce, verifier }: PendingSignIn,
  ) => {
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
      throw new ProviderFailed(isUnreachable(error) ? 'unreachable' : 'strange', error)
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

const unreachableCodes: ReadonlySet<unknown> = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
])

/** Whether the tokens, the claims or the keys did not come, and not what came was wrong. `fetch` gives a TypeError. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof Error &&
  ('code' in error ? unreachableCodes.has(error.code) : error instanceof TypeError && error.cause !== undefined)

const addQuery = (redirectUri: string, query: ReadonlyMap<string, string>): URL => {
  const url = new URL(redirectUri)
  for (const [name, value] of query) url.searchParams.set(name, value)
  return url
}

/** How an OpenID provider is asked. */
export interface ProviderSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret?: string | undefined
  /** What the button on the sign-in page calls it. */
  readonly name: string
  /** The claim that is the user name here. */
  readonly userClaim: 'preferred_username' | 'email'
}

/** Who came back from the provider, and where the person was going. */
interface ProviderSignIn {
  readonly name: string
  /** Issuer and subject, together. */
  readonly subject: string
  /** A path of ours. */
  readonly next: string
}

/** Signs people in at an OpenID provider: the authorization code flow with PKCE, state and nonce. */
export interface Provider {
  readonly name: string
  /** Where to send a browser that has this secret. @throws ProviderFailed */
  readonly begin: (browser: string, next: string, redirectUri: string) => Promise<string>
  /** Judges what the browser came back with to `redirectUri`, where it was sent to begin with. @throws ProviderFailed */
  readonly finish: (
    browser: string | undefined,
    query: ReadonlyMap<string, string>,
    redirectUri: string,
  ) => Promise<ProviderSignIn>
  /** Where the person is signed out there, too; undefined when the provider has no such address, or does not answer. */
  readonly findSignOut: (backTo: string) => Promise<string | undefined>
}

/** Why nobody was signed in. */
export type ProviderFault = 'unreachable' | 'notBegun' | 'denied' | 'strange' | 'noName' | 'notVerified'

/** Thrown when a provider signs nobody in; the cause is for the log. */
export class ProviderFailed extends Error {
  override readonly name = 'ProviderFailed'
  readonly fault: ProviderFault

  constructor(fault: ProviderFault, cause?: unknown) {
    super(`sign-in by the provider: ${fault}`, { cause })
    this.fault = fault
  }
}

/** What a provider says has some kilobytes. */
const maxResponseBytes = 1024 * 1024

/** As `fetch`; what an answer has beyond a mebibyte is not received, and reading it fails. */
const fetchLimited: CustomFetch = async (url, options) => {
  const response = await fetch(url, options as RequestInit)
  let bytes = 0
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength
      if (bytes > maxResponseBytes)
        controller.error(new RangeError(`the answer of ${url} is longer than ${maxResponseBytes} bytes`))
      else controller.enqueue(chunk)
    },
  })
  return new Response(response.body?.pipeThrough(counted) ?? null, response)
}

/** Who somebody is, as a proxy or an OpenID provider says, which has checked it. */
export interface ExternalIdentity {
  readonly name: string
  /** Issuer and subject of a provider: the same person for ever, whatever the name. */
  readonly subject?: string | undefined
}

/** Why somebody who is known elsewhere does not get in. */
export type ExternalSignInError = 'nameTooLong' | 'unknown' | 'disabled' | 'otherSubject'

// Elsewhere “anna” in fullwidth letters, or with a joiner in it, may be somebody else, who must not get in as anna.
const isSameName = (given: string, { name }: User): boolean =>
  given === name || (given === given.normalize('NFKC') && given.toLowerCase() === name.toLowerCase())

const findExternalUser = async (
  registry: RegistryDraft,
  { name, subject }: ExternalIdentity,
): Promise<User | ExternalSignInError> => {
  const bound = subject === undefined ? undefined : await registry.findUserBySubject(subject)
  if (bound !== undefined) return bound
  const user = await findUserByTypedName(registry, name)
  if (user === undefined || !isSameName(name, user)) return 'unknown'
  // A name that is given to somebody else there must not be the way into the account of whoever had it before.
  if (subject !== undefined && user.subject !== undefined) return 'otherSubject'
  return user
}

const createExternalUser = async (
  registry: RegistryDraft,
  name: string,
  environment: Environment,
): Promise<User | 'unknown'> => {
  try {
    return await putNewUser(registry, { name, passwordHash: nobodysPasswordHash }, environment)
  } catch (error) {
    if (error instanceof AccountError) return 'unknown'
    throw error
  }
}

/**
 * Signs a person in who was signed in elsewhere. The first sign-in by a provider binds the account to its subject, so that
 * later ones find it whatever the name is by then. An account is made only where `mayCreate` says so; it has no password.
 */
export const signInExternally = async (
  store: Store,
  known: ExternalIdentity,
  place: SignInContext,
  environment: Environment,
  { mayCreate }: { readonly mayCreate: boolean },
): Promise<SignedIn | { readonly failure: ExternalSignInError }> => {
  if (isNameTooLong(known.name)) return { failure: 'nameTooLong' }
  await deleteExpired(store, environment)
  return store.registry.change(async (registry) => {
    const found = await findExternalUser(registry, known)
    const user = found === 'unknown' && mayCreate ? await createExternalUser(registry, known.name, environment) : found
    if (typeof user === 'string') return { failure: user }
    if (user.disabledAt !== undefined) return { failure: 'disabled' }
    if (known.subject !== undefined && user.subject === undefined) {
      await registry.put('users', { ...user, subject: known.subject })
    }
    return { user, cookie: await openBrowserSession(registry, user.id, place, environment) }
  })
}

/**
 * Forgets who a user is for the provider: the next sign-in there by that name binds the account anew.
 * @throws AccountError when there is no such user
 */
export const unbindUser = (store: Pick<Store, 'registry'>, name: string): Promise<void> =>
  store.registry.change(async (registry) => {
    const { subject: _, ...user } = await findNamedUser(registry, name)
    await registry.put('users', user)
  })
