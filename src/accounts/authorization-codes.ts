import { ApiError, type ApiErrorKind } from '../api-error.ts'
import type { Environment } from '../environment.ts'
import { isVerifierOf } from '../oauth/authorize-request.ts'
import { isRedirectOfCode, isRegisteredRedirect } from '../oauth/redirect-uris.ts'
import type { App, AuthorizationCode, Origin, RegistryReader } from '../store/registry/registry.ts'
import type { Store } from '../store/store.ts'
import { type ClientCredentials, checkClient, isPublicApp } from './apps.ts'
import { beginSession, deleteExpired, hashSecret, isExpired } from './sessions.ts'
import type { UserGrant } from './token-grants.ts'

/** What a code is bound to: the app, the user who allowed it, and the request of the web flow. */
export type CodeRequest = Pick<
  AuthorizationCode,
  'clientId' | 'userId' | 'redirectUri' | 'isRedirectNamed' | 'appName' | 'challenge'
> & {
  /** The state that goes back with it. */
  readonly state?: string | undefined
}

const codeSeconds = 60
// A used one is recognized for as long as its session's first access token lasts.
const usedSeconds = 3600
/** Codes that a user may have, give or take those that are issued at the same time. */
export const maxCodesPerUser = 50

/** Issues an authorization code: 60 s, once (contract, the web flow). Only its hash is kept. */
export const issueCode = async (
  store: Store,
  { state, ...request }: CodeRequest,
  environment: Environment,
): Promise<string> => {
  const code = environment.newSecret()
  const expiresAt = Math.floor(environment.now() / 1000) + codeSeconds
  await deleteExpired(store, environment)
  // Outside the change: there are few codes at a time, and whoever reads among them is in the way of all who add one.
  const spare = await findExcessCodes(store.registry, request.userId)
  await store.registry.change(async (registry) => {
    for (const { hash } of spare) await registry.delete('codes', hash)
    const sent = state === undefined ? {} : { stateHash: hashSecret(state) }
    await registry.put('codes', { ...request, ...sent, hash: hashSecret(code), expiresAt })
  })
  return code
}

/** The codes of a user that have to go for one more. */
const findExcessCodes = async (registry: RegistryReader, userId: string): Promise<readonly AuthorizationCode[]> => {
  const oldest = [...(await registry.listCodes(userId))].sort((a, b) => a.expiresAt - b.expiresAt)
  return oldest.slice(0, Math.max(0, oldest.length - maxCodesPerUser + 1))
}

/** The form of an authorization_code grant, decoded (contract, the web flow). */
export interface CodeGrant extends ClientCredentials {
  readonly code: string
  readonly redirectUri?: string | undefined
  readonly verifier?: string | undefined
}

/** What does not fit what the code is bound to, if anything. */
const findMismatch = (
  found: AuthorizationCode,
  { code, redirectUri, verifier }: CodeGrant,
  app: App,
): ApiErrorKind | undefined => {
  const isRightPlace =
    redirectUri === undefined
      ? !found.isRedirectNamed
      : isRedirectOfCode(found.redirectUri, redirectUri, {
          isCode: (given) => given === code,
          isState: (given) => hashSecret(given) === found.stateHash,
        })
  if (!isRightPlace) return 'codeRedirectWrong'
  if (found.challenge === undefined) {
    // Somebody took the challenge away on the way (RFC 9700, 2.1.1).
    if (verifier !== undefined) return 'codeVerifierUnexpected'
    // The app had a secret when its code was issued.
    return isPublicApp(app) ? 'codeInvalid' : undefined
  }
  if (verifier === undefined) return 'codeVerifierMissing'
  return isVerifierOf(found.challenge, verifier) ? undefined : 'codeVerifierWrong'
}

/**
 * Begins a session with a code. A code that comes a second time ends the session that it began (RFC 9700); one that comes
 * with something wrong stays good for whoever has the right things.
 * @throws ApiError `clientInvalid`, `codeInvalid`, and what `findMismatch` says
 */
export const grantByCode = async (
  store: Store,
  form: CodeGrant,
  environment: Environment,
  origin?: Origin,
): Promise<UserGrant> => {
  await checkClient(store.registry, form)
  // What throws inside the change is undone, and a refusal may have ended a session.
  const granted = await store.registry.change(async (registry): Promise<UserGrant | ApiErrorKind> => {
    const app = await checkClient(registry, form)
    const found = await registry.findCode(hashSecret(form.code))
    if (found === undefined || found.clientId !== form.clientId) return 'codeInvalid'
    if (found.sessionId !== undefined) {
      await registry.delete('sessions', found.sessionId)
      return 'codeInvalid'
    }
    if (isExpired(found.expiresAt, environment)) return 'codeInvalid'
    const mismatch = findMismatch(found, form, app)
    if (mismatch !== undefined) return mismatch
    const { userId, clientId, redirectUri, appName } = found
    // The address may have been removed from the app because it fell into other hands.
    if (!isRegisteredRedirect(app.redirectUris ?? [], redirectUri)) return 'codeInvalid'
    const user = await registry.findUser(userId)
    if (user === undefined || user.disabledAt !== undefined) return 'codeInvalid'
    const allowed = appName === undefined ? undefined : { name: appName, redirectUri }
    const { id, grant } = await beginSession(
      registry,
      { userId, clientId, began: 'code', allowed, origin },
      environment,
    )
    const expiresAt = Math.floor(environment.now() / 1000) + usedSeconds
    await registry.put('codes', { ...found, expiresAt, sessionId: id })
    return { ...grant, userId }
  })
  if (typeof granted === 'string') throw new ApiError(granted)
  return granted
}
