import { isChallenge } from './pkce.ts'
import { isRegisteredRedirect } from './redirect-uri.ts'

/** What has to be known of a registered app to judge its request. */
export interface RequestingApp {
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
export type AuthorizeError = 'invalid_request' | 'unsupported_response_type' | 'access_denied'

/** What became of a request for authorization. */
export type AuthorizeVerdict<App> =
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
export type GivenFields = readonly (readonly [name: string, value: string | undefined])[]

interface Given {
  /** Without a value it is as if it was not given (RFC 6749, 3.1). */
  readonly value: string | undefined
  readonly isRepeated: boolean
  readonly isUnreadable: boolean
}

const unreadable = 'is not percent-encoded UTF-8'

const read = (fields: GivenFields, name: string): Given => {
  const values = fields.filter(([one]) => one === name).map(([, value]) => value)
  return { value: values[0] || undefined, isRepeated: values.length > 1, isUnreadable: values.includes(undefined) }
}

/**
 * Judges the parameters of `/authorize` (contract, the web flow). An unknown app or redirect address is refused here,
 * anything else goes back to the app, a value that cannot be read included. Parameters that are unknown are not looked at,
 * nor is what `scope` asks for.
 */
export const judgeAuthorize = async <App extends RequestingApp>(
  fields: GivenFields,
  findApp: (clientId: string) => Promise<App | undefined>,
): Promise<AuthorizeVerdict<App>> => {
  const clientId = read(fields, 'client_id')
  const refuseClient = (reason: string) => ({ kind: 'refusedHere', parameter: 'client_id', reason }) as const
  if (clientId.isRepeated) return refuseClient('is given more than once')
  if (clientId.isUnreadable) return refuseClient(unreadable)
  if (clientId.value === undefined) return refuseClient('is required')
  const app = await findApp(clientId.value)
  if (app === undefined) return refuseClient('names no app that is registered here')

  const redirect = judgeRedirect(fields, app)
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

const judgeRedirect = (fields: GivenFields, { redirectUris }: RequestingApp) => {
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

const findProblem = (fields: GivenFields, { isPublic }: RequestingApp): Problem | undefined => {
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
