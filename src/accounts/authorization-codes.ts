import { ApiError, type ApiErrorKind } from '../api-error.ts'
import type { Environment } from '../environment.ts'
import { isVerifierOf } from '../oauth/authorize-request.ts'
import { isRedirectOfCode, isRegisteredRedirect } from '../oauth/redirect-uris.ts'
import type { App, AuthorizationCode, Origin, RegistryReader } from '../store/registry/registry.ts'
import type { Store } from '../store/store.ts'
import { type ClientCredentials, checkClient, isPublicClient } from './apps.ts'
import { beginSession, deleteExpired, hashSecret, isExpired } from './sessions.ts'
import type { UserGrant } from './token-grants.ts'

/** The app, the user and the authorization request to which a code is bound. */
export type CodeRequest = Pick<
  AuthorizationCode,
  'clientId' | 'userId' | 'redirectUri' | 'isRedirectNamed' | 'appName' | 'challenge'
> & {
  /** The state that the redirect carries beside the code. */
  readonly state?: string | undefined
}

const codeSeconds = 60
// The store keeps a used code for as long as the first access token of its session is valid.
const usedCodeSeconds = 3600
/** The maximum number of codes of a user. Codes that are issued at the same time may exceed it. */
export const maxCodesPerUser = 50

/**
 * Issues an authorization code, valid once within 60 s (contract, authorization code flow). The store keeps only its
 * hash.
 */
export const issueCode = async (
  store: Store,
  { state, ...request }: CodeRequest,
  environment: Environment,
): Promise<string> => {
  const code = environment.newSecret()
  const expiresAt = Math.floor(environment.now() / 1000) + codeSeconds
  await deleteExpired(store, environment)
  // Outside the change: there are few codes at a time, and listing them inside would delay every change that adds one.
  const excess = await findExcessCodes(store.registry, request.userId)
  await store.registry.change(async (registry) => {
    for (const { hash } of excess) await registry.delete('codes', hash)
    const sent = state === undefined ? {} : { stateHash: hashSecret(state) }
    await registry.put('codes', { ...request, ...sent, hash: hashSecret(code), expiresAt })
  })
  return code
}

/** Lists the oldest codes of a user that must be deleted before the user gets another one. */
const findExcessCodes = async (registry: RegistryReader, userId: string): Promise<readonly AuthorizationCode[]> => {
  const oldest = [...(await registry.listCodes(userId))].sort((a, b) => a.expiresAt - b.expiresAt)
  return oldest.slice(0, Math.max(0, oldest.length - maxCodesPerUser + 1))
}

/** The form of an authorization_code grant, decoded (contract, authorization code flow). */
export interface CodeGrant extends ClientCredentials {
  readonly code: string
  readonly redirectUri?: string | undefined
  readonly verifier?: string | undefined
}

/** Finds the first part of a grant that does not match the authorization request of the code. */
const findMismatch = (
  found: AuthorizationCode,
  { code, redirectUri, verifier }: CodeGrant,
  app: App,
): ApiErrorKind | undefined => {
  const isRightRedirect =
    redirectUri === undefined
      ? !found.isRedirectNamed
      : isRedirectOfCode(found.redirectUri, redirectUri, {
          isCode: (given) => given === code,
          isState: (given) => hashSecret(given) === found.stateHash,
        })
  if (!isRightRedirect) return 'codeRedirectWrong'
  if (found.challenge === undefined) {
    // An attacker removed the challenge from the request (PKCE downgrade; RFC 9700, 2.1.1).
    if (verifier !== undefined) return 'codeVerifierUnexpected'
    // A public client must send a challenge, so the app had a secret when this code was issued.
    return isPublicClient(app) ? 'codeInvalid' : undefined
  }
  if (verifier === undefined) return 'codeVerifierMissing'
  return isVerifierOf(found.challenge, verifier) ? undefined : 'codeVerifierWrong'
}

/**
 * Begins a session with a code. A code that is presented again ends the session that it began (RFC 9700). A code that
 * is presented with a wrong parameter stays valid for its client.
 * @throws ApiError `clientMissing`, `clientInvalid`, `codeInvalid`, `codeRedirectWrong`, `codeVerifierMissing`,
 *   `codeVerifierWrong`, `codeVerifierUnexpected`
 */
export const grantByCode = async (
  store: Store,
  form: CodeGrant,
  environment: Environment,
  origin?: Origin,
): Promise<UserGrant> => {
  await checkClient(store.registry, form)
  // An error thrown inside the change would undo it, and a failed grant may have ended a session.
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
    // The URI may have been removed from the app because its host has another owner now.
    if (!isRegisteredRedirect(app.redirectUris ?? [], redirectUri)) return 'codeInvalid'
    const user = await registry.findUser(userId)
    if (user === undefined || user.disabledAt !== undefined) return 'codeInvalid'
    const allowed = appName === undefined ? undefined : { name: appName, redirectUri }
    const { id, grant } = await beginSession(
      registry,
      { userId, clientId, began: 'code', allowed, origin },
      environment,
    )
    const expiresAt = Math.floor(environment.now() / 1000) + usedCodeSeconds
    await registry.put('codes', { ...found, expiresAt, sessionId: id })
    return { ...grant, userId }
  })
  if (typeof granted === 'string') throw new ApiError(granted)
  return granted
}
