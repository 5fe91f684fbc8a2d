import { hash, timingSafeEqual } from 'node:crypto'
import { isRegisteredRedirect } from './redirect-uris.ts'

/** What has to be known of a registered app to judge its request. */
interface RequestingApp {
  readonly redirectUris: readonly string[]
  /** Registered without a secret. */
  readonly isPublic: boolean
}

/** A request that a person may be asked about. */
export interface AuthorizeRequest<App> {
  readonly app: App
  /** Where the answer goes; the app's only one when the request names none. */
  readonly redirectUri: string
  readonly isRedirectGiven: boolean
  readonly state: string | undefined
  /** S256 challenge of PKCE. */
  readonly challenge: string | undefined
}

/** The error codes that go back to an app (RFC 6749, 4.1.2.1), as far as they are given here. */
type AuthorizeError = 'invalid_request' | 'unsupported_response_type' | 'access_denied'

/** What became of a request for authorization. */
export type AuthorizeResult<App> =
  | { readonly kind: 'ask'; readonly request: AuthorizeRequest<App> }
  /** To be said on a page, and never by a redirect: nobody knows whose address that would be. */
  | { readonly kind: 'refusedHere'; readonly parameter: 'client_id' | 'redirect_uri'; readonly reason: string }
  | {
      readonly kind: 'refusedToApp'
      readonly app: App
      readonly redirectUri: string
      readonly state: string | undefined
      readonly error: AuthorizeError
      readonly description: string
    }

/** The fields of a query or form, every repetition kept; a value is undefined when its bytes say no text. */
export type AuthorizeFields = readonly (readonly [name: string, value: string | undefined])[]

interface Given {
  /** Without a value it is as if it was not given (RFC 6749, 3.1). */
  readonly value: string | undefined
  readonly isRepeated: boolean
  readonly isUnreadable: boolean
}

const unreadable = 'is not percent-encoded UTF-8'

const read = (fields: AuthorizeFields, name: string): Given => {
  const values = fields.filter(([one]) => one === name).map(([, value]) => value)
  return { value: values[0] || undefined, isRepeated: values.length > 1, isUnreadable: values.includes(undefined) }
}

/**
 * Judges the parameters of `/authorize` (contract, the web flow). An unknown app or redirect address is refused here,
 * anything else goes back to the app, a value that cannot be read included. Parameters that are unknown are not looked at,
 * nor is what `scope` asks for.
 */
export const checkAuthorizeRequest = async <App extends RequestingApp>(
  fields: AuthorizeFields,
  findApp: (clientId: string) => Promise<App | undefined>,
): Promise<AuthorizeResult<App>> => {
  const clientId = read(fields, 'client_id')
  const refuseClient = (reason: string) => ({ kind: 'refusedHere', parameter: 'client_id', reason }) as const
  if (clientId.isRepeated) return refuseClient('is given more than once')
  if (clientId.isUnreadable) return refuseClient(unreadable)
  if (clientId.value === undefined) return refuseClient('is required')
  const app = await findApp(clientId.value)
  if (app === undefined) return refuseClient('names no app that is registered here')

  const redirect = checkRedirect(fields, app)
  if ('kind' in redirect) return redirect
  const state = read(fields, 'state')
  const answer = { app, ...redirect, state: state.isRepeated ? undefined : state.value }
  const problem = findProblem(fields, app)
  if (problem === undefined) {
    return { kind: 'ask', request: { ...answer, challenge: read(fields, 'code_challenge').value } }
  }
  const { isRedirectGiven: _, ...back } = answer
  return { kind: 'refusedToApp', ...back, ...problem }
}

const checkRedirect = (fields: AuthorizeFields, { redirectUris }: RequestingApp) => {
  const { value, isRepeated, isUnreadable } = read(fields, 'redirect_uri')
  const refuse = (reason: string) => ({ kind: 'refusedHere', parameter: 'redirect_uri', reason }) as const
  if (isRepeated) return refuse('is given more than once')
  if (isUnreadable) return refuse(unreadable)
  if (value !== undefined) {
    if (!isRegisteredRedirect(redirectUris, value)) return refuse('is none of those that the app has registered')
    return { redirectUri: value, isRedirectGiven: true }
  }
  const [only, another] = redirectUris
  if (only === undefined) return refuse('is missing, and the app has registered none')
  if (another !== undefined) return refuse('is required, because the app has registered more than one')
  return { redirectUri: only, isRedirectGiven: false }
}

interface Problem {
  readonly error: AuthorizeError
  readonly description: string
}

const single = ['response_type', 'state', 'code_challenge', 'code_challenge_method'] as const

const findProblem = (fields: AuthorizeFields, { isPublic }: RequestingApp): Problem | undefined => {
  const invalid = (description: string): Problem => ({ error: 'invalid_request', description })
  const repeated = single.find((name) => read(fields, name).isRepeated)
  if (repeated !== undefined) return invalid(`${repeated} is given more than once`)
  const broken = [...single, 'scope'].find((name) => read(fields, name).isUnreadable)
  if (broken !== undefined) return invalid(`${broken} ${unreadable}`)

  const responseType = read(fields, 'response_type').value
  if (responseType === undefined) return invalid('response_type is required')
  if (responseType !== 'code') {
    return { error: 'unsupported_response_type', description: 'response_type must be code' }
  }

  const challenge = read(fields, 'code_challenge').value
  const method = read(fields, 'code_challenge_method').value
  if (challenge === undefined) {
    if (isPublic) return invalid('code_challenge is required for an app without a secret')
    return method === undefined ? undefined : invalid('code_challenge_method is given without a code_challenge')
  }
  // Absent means `plain` (RFC 7636, 4.3).
  if (method !== 'S256') return invalid('code_challenge_method must be S256')
  if (!isChallenge(challenge)) {
    return invalid('code_challenge must be a SHA-256 as base64url without padding, 43 characters')
  }
  return undefined
}

/** True for text that can be an S256 challenge: the SHA-256 of something as base64url without padding (RFC 7636, 4.2). */
export const isChallenge = (text: string): boolean => /^[\w-]{43}$/.test(text)

const verifierForm = /^[\w.~-]{43,128}$/

/** True when the verifier is the one that an S256 challenge was made of (RFC 7636, 4.6). */
export const isVerifierOf = (challenge: string, verifier: string): boolean => {
  if (!verifierForm.test(verifier) || !isChallenge(challenge)) return false
  return timingSafeEqual(Buffer.from(hash('sha256', verifier, 'base64url')), Buffer.from(challenge))
}

/** Where a server is: scheme, host and port, the path prefix without a slash at its end, and the base address of the API. */
export interface ServerLocation {
  readonly origin: string
  readonly prefix: string
  /** Ends in `/v1/`. */
  readonly baseUrl: string
}

/** What a server lets apps do; both may be switched off. */
export interface ServerSwitches {
  readonly passwordGrant: boolean
  readonly queryToken: boolean
}

/** The name of a server among others, which its metadata and its redirects carry (RFC 8414, RFC 9207). */
export const issuerOf = ({ origin, prefix }: Pick<ServerLocation, 'origin' | 'prefix'>): string => `${origin}${prefix}`

const clientMethods = ['client_secret_basic', 'client_secret_post', 'none']

/** What a server tells OAuth clients about itself (RFC 8414; `bearer_methods_supported` is one of RFC 9728). */
export const describeMetadata = (place: ServerLocation, { passwordGrant, queryToken }: ServerSwitches): object => {
  const issuer = issuerOf(place)
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${place.baseUrl}token`,
    revocation_endpoint: `${place.baseUrl}revoke`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', ...(passwordGrant ? ['password'] : [])],
    token_endpoint_auth_methods_supported: clientMethods,
    revocation_endpoint_auth_methods_supported: clientMethods,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    bearer_methods_supported: ['header', 'body', ...(queryToken ? ['query'] : [])],
    service_documentation: `${issuer}/docs`,
  }
}

const wellKnown = '/.well-known/oauth-authorization-server'

/**
 * The paths of the metadata: where RFC 8414 puts it, which is before the path prefix, and below the prefix, where clients
 * look that append it, and where a proxy can pass it on.
 */
export const metadataPaths = (prefix: string): readonly string[] =>
  prefix === '' ? [wellKnown] : [wellKnown, `${wellKnown}${prefix}`, `${prefix}${wellKnown}`]
