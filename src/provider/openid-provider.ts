/*
 * Sign-in with an external identity, from an OpenID provider or a trusted proxy.
 * It knows the accounts, but no pages and no cookies. Start with `openProvider` and `signInExternally`.
 */

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

/** A pending sign-in: the values by which the response of the provider is checked, and the end of its validity. */
interface PendingSignIn {
  /** In milliseconds since 1970. */
  readonly until: number
  readonly next: string
  readonly nonce: string
  readonly verifier: string
}

const pendingMs = 10 * 60_000
const purpose = 'sign-in at the provider'
const timeoutSeconds = 10
/** After a failure, the server does not call the provider for this time, because anonymous users can begin sign-ins. */
const retryDelayMs = 5_000

/** Loads the client at the first sign-in, because most servers have no provider. */
const loadClient = () => import('openid-client')

/** Unix time (`now`) and a monotonic clock (`passed`), both in milliseconds. */
interface Clock {
  readonly now: () => number
  readonly passed: () => number
}

const systemClock: Clock = { now: () => Date.now(), passed: () => performance.now() }

/**
 * Opens a provider. It discovers the endpoints at the first sign-in, and again after a failure. A pending sign-in is
 * stored in its `state`, sealed with the secret of the browser. So any process can finish it, and no other browser can.
 */
export const openProvider = (
  { issuer, clientId, clientSecret, name, userClaim }: ProviderSettings,
  { now, passed }: Clock = systemClock,
): Provider => {
  let discovered: Promise<Configuration> | undefined
  let failure: { readonly until: number; readonly error: unknown } | undefined

  const discover = async (): Promise<Configuration> => {
    const client = await loadClient()
    // The settings allow plain http only for this machine.
    const execute = issuer.startsWith('http:') ? [client.allowInsecureRequests] : []
    const options = { execute, timeout: timeoutSeconds, [client.customFetch]: fetchLimited }
    const config = await client.discovery(new URL(issuer), clientId, clientSecret, undefined, options)
    // OpenID Core, 3.1.3.7 does not require this for the token endpoint, but a proxy in between may not be trustworthy.
    client.enableNonRepudiationChecks(config)
    return config
  }

  const configure = async (): Promise<Configuration> => {
    if (failure !== undefined && passed() < failure.until) throw new ProviderFailed('unreachable', failure.error)
    discovered ??= discover()
    try {
      return await discovered
    } catch (error) {
      discovered = undefined
      failure = { until: passed() + retryDelayMs, error }
      throw new ProviderFailed('unreachable', error)
    }
  }

  const begin: Provider['begin'] = async (browser, next, redirectUri) => {
    const config = await configure()
    const client = await loadClient()
    const [nonce, verifier] = [client.randomNonce(), client.randomPKCECodeVerifier()]
    const pending: PendingSignIn = { until: now() + pendingMs, next, nonce, verifier }
    return client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'openid profile email',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state: sealJson(sealKeyOf(browser), purpose, pending),
      nonce,
    }).href
  }

  const findPending = (browser: string | undefined, state: string): PendingSignIn => {
    const pending =
      browser === undefined ? undefined : (unsealJson(sealKeyOf(browser), purpose, state) as PendingSignIn | undefined)
    if (pending === undefined || pending.until < now()) throw new ProviderFailed('notBegun')
    return pending
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
      // The provider does not know the code any more (RFC 6749, 5.2), because each code works once.
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
      const pending = findPending(browser, query.get('state') ?? '')
      const claims: Readonly<Record<string, unknown>> & { iss: string; sub: string } = await fetchClaims(
        query,
        redirectUri,
        pending,
      )
      const userName = claims[userClaim]
      if (typeof userName !== 'string' || userName === '') throw new ProviderFailed('noName')
      // Otherwise a user who can type any mail address into a profile there could sign in as any user here.
      if (userClaim === 'email' && claims.email_verified !== true) throw new ProviderFailed('notVerified')
      return { name: userName, subject: JSON.stringify([claims.iss, claims.sub]), next: pending.next }
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

/**
 * True when the tokens, the claims or the keys did not arrive; false when their content is wrong. `fetch` throws a
 * TypeError.
 */
const isUnreachable = (error: unknown): boolean =>
  error instanceof Error &&
  ('code' in error ? unreachableCodes.has(error.code) : error instanceof TypeError && error.cause !== undefined)

const addQuery = (redirectUri: string, query: ReadonlyMap<string, string>): URL => {
  const url = new URL(redirectUri)
  for (const [name, value] of query) url.searchParams.set(name, value)
  return url
}

/** The settings of an OpenID provider. */
export interface ProviderSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret?: string | undefined
  /** Its name on the button of the sign-in page. */
  readonly name: string
  /** The claim that contains the user name. */
  readonly userClaim: 'preferred_username' | 'email'
}

/** The user who signed in at the provider, and the page to continue with. */
interface ProviderSignIn {
  readonly name: string
  /** The issuer and the subject, as a JSON array. */
  readonly subject: string
  /** A path of this server. */
  readonly next: string
}

/** Signs users in at an OpenID provider, by the authorization code flow with PKCE, state and nonce. */
export interface Provider {
  readonly name: string
  /** Begins a sign-in for the browser with this secret; returns the URL at the provider. @throws ProviderFailed */
  readonly begin: (browser: string, next: string, redirectUri: string) => Promise<string>
  /**
   * Checks the response with which the browser returned to `redirectUri`, the same URI as in `begin`. @throws
   * ProviderFailed
   */
  readonly finish: (
    browser: string | undefined,
    query: ReadonlyMap<string, string>,
    redirectUri: string,
  ) => Promise<ProviderSignIn>
  /** Finds the URL that signs the user out there; undefined when the provider has none, or does not respond. */
  readonly findSignOut: (backTo: string) => Promise<string | undefined>
}

/** Why a sign-in at the provider failed. */
export type ProviderFault = 'unreachable' | 'notBegun' | 'denied' | 'strange' | 'noName' | 'notVerified'

/** Thrown when a sign-in at the provider fails; the cause is for the log. */
export class ProviderFailed extends Error {
  override readonly name = 'ProviderFailed'
  readonly fault: ProviderFault

  constructor(fault: ProviderFault, cause?: unknown) {
    super(`sign-in by the provider: ${fault}`, { cause })
    this.fault = fault
  }
}

/** The maximum size of a response of the provider. Real responses have some kilobytes. */
const maxResponseBytes = 1024 * 1024

/** Fetches a response and limits it to `maxResponseBytes`: reading beyond fails. */
const fetchLimited: CustomFetch = async (url, options) => {
  const response = await fetch(url, options as RequestInit)
  let bytes = 0
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength
      if (bytes > maxResponseBytes)
        controller.error(new RangeError(`the response of ${url} is longer than ${maxResponseBytes} bytes`))
      else controller.enqueue(chunk)
    },
  })
  return new Response(response.body?.pipeThrough(counted) ?? null, response)
}

/** The identity of a user that a proxy or an OpenID provider has checked. */
export interface ExternalIdentity {
  readonly name: string
  /** The issuer and the subject of a provider. They permanently identify a user, even after a change of the name. */
  readonly subject?: string | undefined
}

/** Why a user with a checked identity cannot sign in here. */
export type ExternalSignInError = 'nameTooLong' | 'unknown' | 'disabled' | 'otherSubject'

// Elsewhere, “anna” in fullwidth letters, or with a joiner in it, may be another user, who must not sign in as anna.
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
  // The provider may give a name to another user. That user must not get into the account of the previous user.
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
 * Signs a user in with a checked identity. The first sign-in by a provider binds the account to the subject, so that
 * later ones find it after a change of the name. It creates an account only when `mayCreate` is true; that has no
 * password.
 */
export const signInExternally = async (
  store: Store,
  identity: ExternalIdentity,
  context: SignInContext,
  environment: Environment,
  { mayCreate }: { readonly mayCreate: boolean },
): Promise<SignedIn | { readonly failure: ExternalSignInError }> => {
  if (isNameTooLong(identity.name)) return { failure: 'nameTooLong' }
  await deleteExpired(store, environment)
  return store.registry.change(async (registry) => {
    const found = await findExternalUser(registry, identity)
    const user =
      found === 'unknown' && mayCreate ? await createExternalUser(registry, identity.name, environment) : found
    if (typeof user === 'string') return { failure: user }
    if (user.disabledAt !== undefined) return { failure: 'disabled' }
    if (identity.subject !== undefined && user.subject === undefined) {
      await registry.put('users', { ...user, subject: identity.subject })
    }
    return { user, cookie: await openBrowserSession(registry, user.id, context, environment) }
  })
}

/**
 * Removes the provider's subject from a user: the next sign-in there with that name binds the account again.
 * @throws AccountError when there is no such user, or the provider has no subject for the user
 */
export const unbindUser = (store: Pick<Store, 'registry'>, name: string): Promise<void> =>
  store.registry.change(async (registry) => {
    const { subject, ...user } = await findNamedUser(registry, name)
    if (subject === undefined) throw new AccountError(`user "${user.name}" is not linked to an OpenID provider`)
    await registry.put('users', user)
  })
