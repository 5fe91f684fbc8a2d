/*
 * The rules of the authorization code flow with PKCE (RFC 6749, RFC 7636): requests, redirect URIs and server metadata.
 * The functions are pure: they know no store, no HTTP and no clock. Start with `checkAuthorizeRequest`.
 */

import { hash, timingSafeEqual } from 'node:crypto'
import { isRegisteredRedirect } from './redirect-uris.ts'

/** The properties of a registered app that the check of its request needs. */
interface RequestingApp {
  readonly redirectUris: readonly string[]
  /** True for a public client: registered without a secret. */
  readonly isPublic: boolean
}

/** A valid request, for which the consent page may be shown. */
export interface AuthorizeRequest<App> {
  readonly app: App
  /** The target of the response: the only URI of the app when the request names none. */
  readonly redirectUri: string
  readonly isRedirectGiven: boolean
  readonly state: string | undefined
  /** The S256 challenge of PKCE. */
  readonly challenge: string | undefined
}

/** The error codes that this server sends to an app (RFC 6749, 4.1.2.1). */
type AuthorizeError = 'invalid_request' | 'unsupported_response_type' | 'access_denied'

/** The outcome of the check of an authorization request. */
export type AuthorizeResult<App> =
  | { readonly kind: 'valid'; readonly request: AuthorizeRequest<App> }
  /** Shown on a page and never sent by a redirect, because the URI is not known to be the app's. */
  | { readonly kind: 'errorHere'; readonly parameter: 'client_id' | 'redirect_uri'; readonly reason: string }
  | {
      readonly kind: 'errorToApp'
      readonly app: App
      readonly redirectUri: string
      readonly state: string | undefined
      readonly error: AuthorizeError
      readonly description: string
    }

/** The fields of a query or form, with every repetition. A value is undefined when its bytes are not UTF-8. */
export type AuthorizeFields = readonly (readonly [name: string, value: string | undefined])[]

interface Parameter {
  /** An empty value counts as absent (RFC 6749, 3.1). */
  readonly value: string | undefined
  readonly isRepeated: boolean
  readonly isUnreadable: boolean
}

const unreadable = 'is not percent-encoded UTF-8'

const readParameter = (fields: AuthorizeFields, name: string): Parameter => {
  const values = fields.filter(([fieldName]) => fieldName === name).map(([, value]) => value)
  return { value: values[0] || undefined, isRepeated: values.length > 1, isUnreadable: values.includes(undefined) }
}

/**
 * Checks the parameters of `/authorize` (contract, authorization code flow). An error of the client id or the redirect
 * URI is `errorHere`. All other errors go to the app, including unreadable values. It ignores unknown parameters and
 * `scope`.
 */
export const checkAuthorizeRequest = async <App extends RequestingApp>(
  fields: AuthorizeFields,
  findApp: (clientId: string) => Promise<App | undefined>,
): Promise<AuthorizeResult<App>> => {
  const clientId = readParameter(fields, 'client_id')
  const rejectClient = (reason: string) => ({ kind: 'errorHere', parameter: 'client_id', reason }) as const
  if (clientId.isRepeated) return rejectClient('is given more than once')
  if (clientId.isUnreadable) return rejectClient(unreadable)
  if (clientId.value === undefined) return rejectClient('is required')
  const app = await findApp(clientId.value)
  if (app === undefined) return rejectClient('is not the client ID of a registered app')

  const redirect = checkRedirect(fields, app)
  if ('kind' in redirect) return redirect
  const state = readParameter(fields, 'state')
  const target = { app, ...redirect, state: state.isRepeated ? undefined : state.value }
  const problem = findProblem(fields, app)
  if (problem === undefined) {
    return { kind: 'valid', request: { ...target, challenge: readParameter(fields, 'code_challenge').value } }
  }
  const { isRedirectGiven: _, ...back } = target
  return { kind: 'errorToApp', ...back, ...problem }
}

const checkRedirect = (fields: AuthorizeFields, { redirectUris }: RequestingApp) => {
  const { value, isRepeated, isUnreadable } = readParameter(fields, 'redirect_uri')
  const reject = (reason: string) => ({ kind: 'errorHere', parameter: 'redirect_uri', reason }) as const
  if (isRepeated) return reject('is given more than once')
  if (isUnreadable) return reject(unreadable)
  if (value !== undefined) {
    if (!isRegisteredRedirect(redirectUris, value)) return reject('is not a redirect URI of the app')
    return { redirectUri: value, isRedirectGiven: true }
  }
  const [only, another] = redirectUris
  if (only === undefined) return reject('is missing, and the app has no redirect URI')
  if (another !== undefined) return reject('is required, because the app has more than one redirect URI')
  return { redirectUri: only, isRedirectGiven: false }
}

interface Problem {
  readonly error: AuthorizeError
  readonly description: string
}

const single = ['response_type', 'state', 'code_challenge', 'code_challenge_method'] as const

const findProblem = (fields: AuthorizeFields, { isPublic }: RequestingApp): Problem | undefined => {
  const invalid = (description: string): Problem => ({ error: 'invalid_request', description })
  const repeated = single.find((name) => readParameter(fields, name).isRepeated)
  if (repeated !== undefined) return invalid(`${repeated} is given more than once`)
  const broken = [...single, 'scope'].find((name) => readParameter(fields, name).isUnreadable)
  if (broken !== undefined) return invalid(`${broken} ${unreadable}`)

  const responseType = readParameter(fields, 'response_type').value
  if (responseType === undefined) return invalid('response_type is required')
  if (responseType !== 'code') {
    return { error: 'unsupported_response_type', description: 'response_type must be code' }
  }

  const challenge = readParameter(fields, 'code_challenge').value
  const method = readParameter(fields, 'code_challenge_method').value
  if (challenge === undefined) {
    if (isPublic) return invalid('code_challenge is required for an app without a secret')
    return method === undefined ? undefined : invalid('code_challenge_method is given without a code_challenge')
  }
  // An absent method means `plain` (RFC 7636, 4.3).
  if (method !== 'S256') return invalid('code_challenge_method must be S256')
  if (!isChallenge(challenge)) {
    return invalid('code_challenge must be a SHA-256 as base64url without padding, 43 characters')
  }
  return undefined
}

/**
 * True for text that can be an S256 challenge: the SHA-256 of something as base64url without padding (RFC 7636, 4.2).
 */
export const isChallenge = (text: string): boolean => /^[\w-]{43}$/.test(text)

const verifierForm = /^[\w.~-]{43,128}$/

/** True when the S256 challenge was derived from this verifier (RFC 7636, 4.6). */
export const isVerifierOf = (challenge: string, verifier: string): boolean => {
  if (!verifierForm.test(verifier) || !isChallenge(challenge)) return false
  return timingSafeEqual(Buffer.from(hash('sha256', verifier, 'base64url')), Buffer.from(challenge))
}

/** The location of a server: its origin, the path prefix without a trailing slash, and the base URL of the API. */
export interface ServerLocation {
  readonly origin: string
  readonly prefix: string
  /** Ends in `/v1/`. */
  readonly baseUrl: string
}

/** The optional features of a server for apps. */
export interface ServerSwitches {
  readonly passwordGrant: boolean
  readonly queryToken: boolean
  readonly linkPreview: boolean
}

/** Builds the issuer identifier of a server, for its metadata and its redirects (RFC 8414, RFC 9207). */
export const buildIssuer = ({ origin, prefix }: Pick<ServerLocation, 'origin' | 'prefix'>): string =>
  `${origin}${prefix}`

const clientMethods = ['client_secret_basic', 'client_secret_post', 'none']

/** Builds the metadata of the authorization server (RFC 8414; `bearer_methods_supported` is from RFC 9728). */
export const describeMetadata = (
  location: ServerLocation,
  { passwordGrant, queryToken }: Pick<ServerSwitches, 'passwordGrant' | 'queryToken'>,
): object => {
  const issuer = buildIssuer(location)
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${location.baseUrl}token`,
    revocation_endpoint: `${location.baseUrl}revoke`,
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
 * Lists the paths of the metadata. RFC 8414 puts it before the path prefix. Some clients append it to the prefix
 * instead, and a proxy can forward only paths below the prefix.
 */
export const metadataPaths = (prefix: string): readonly string[] =>
  prefix === '' ? [wellKnown] : [wellKnown, `${wellKnown}${prefix}`, `${prefix}${wellKnown}`]
