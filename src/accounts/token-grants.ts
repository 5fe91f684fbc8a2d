import { ApiError } from '../api-error.ts'
import type { Environment } from '../environment.ts'
import type { App, Origin, RegistryReader, Session } from '../store/registry/registry.ts'
import type { Store } from '../store/store.ts'
import { type ClientCredentials, checkClient, isPublicClient } from './apps.ts'
import { AccountError, validateName } from './names.ts'
import { addPendingPair, beginSession, type Grant, hashSecret, isExpired, issuePair } from './sessions.ts'
import { type CheckPassword, checkUser, maySignIn } from './users.ts'

/** The form of a password grant, decoded (interface 5.1). */
interface PasswordGrant extends ClientCredentials {
  readonly username: string
  readonly password: string
}

/** The form of a refresh_token grant, decoded (interface 5.1). */
interface RefreshGrant extends ClientCredentials {
  readonly refreshToken: string
}

/** A grant, and the user of its session. */
export interface UserGrant extends Grant {
  readonly userId: string
}

/** Rejects public clients: an app that cannot keep a secret must not see passwords. */
const rejectPublicClient = (app: App): void => {
  if (isPublicClient(app)) throw new ApiError('appIsPublic')
}

/**
 * Begins a session with a password (interface 5.1, password). It ends the sessions of the user that cannot continue,
 * and the least recently used above 200.
 * @throws ApiError `clientMissing`, `clientInvalid`, `appIsPublic`; `passwordInvalid`, after the same time for an unknown or disabled
 *   user; what `checkPassword` throws
 */
export const grantByPassword = async (
  store: Store,
  form: PasswordGrant,
  environment: Environment,
  checkPassword: CheckPassword,
  origin?: Origin,
): Promise<UserGrant> => {
  rejectPublicClient(await checkClient(store.registry, form))
  const user = await checkUser(store, form, checkPassword)

  const grant = await store.registry.change(async (registry) => {
    // While the password was being checked, app and user may have been removed or the password changed.
    await checkClient(registry, form)
    const newestUser = await registry.findUser(user.id)
    if (!maySignIn(newestUser, user.passwordHash)) throw new ApiError('passwordInvalid')

    const { clientId } = form
    return (await beginSession(registry, { userId: user.id, clientId, began: 'password', origin }, environment)).grant
  })
  return { ...grant, userId: user.id }
}

/**
 * Issues a new pair for a session (interface 5.1, refresh_token). The presented refresh token works until the new pair
 * is first used, so that a client can safely retry after a lost response. Presented later, it ends the session (RFC
 * 9700).
 * @throws ApiError `clientMissing`, `clientInvalid`, `refreshTokenInvalid`
 */
export const grantByRefresh = async (
  store: Store,
  form: RefreshGrant,
  environment: Environment,
  origin?: Origin,
): Promise<UserGrant> => {
  await checkClient(store.registry, form)
  const requestHash = hashSecret(form.refreshToken)
  const found = await store.registry.findSessionByRequestHash(requestHash)
  if (found?.clientId !== form.clientId) throw new ApiError('refreshTokenInvalid')

  const { grant, pair } = issuePair('pending', environment)
  const isGranted = await store.registry.change(async (registry) => {
    const session = await registry.findSessionByRequestHash(requestHash)
    const used = session?.pairs.find((candidate) => candidate.requestHash === requestHash)
    if (!session || !used || session.isSuspended || isExpired(used.requestExpiresAt, environment)) return false
    if (used.state === 'retired') {
      // The ApiError comes after this change, because an error inside it would undo it.
      await registry.delete('sessions', session.id)
      return false
    }
    await registry.put('sessions', {
      ...session,
      pairs: addPendingPair(session.pairs, used, pair, environment),
      ...(origin === undefined ? {} : { origin }),
      lastUsedAt: Math.floor(environment.now() / 1000),
    })
    return true
  })
  if (!isGranted) throw new ApiError('refreshTokenInvalid')
  return { ...grant, userId: found.userId }
}

/** The properties of a new personal access token. */
interface NewPersonalToken {
  readonly userId: string
  readonly name: string
  readonly isReadOnly: boolean
  /** From now on; absent when it never expires. */
  readonly expiresInSeconds?: number | undefined
}

/** The maximum number of personal access tokens of a user. */
export const maxTokens = 100

/**
 * Creates a personal access token: a session without an app and without refresh. The store keeps only its hash.
 * @throws AccountError when the name is not allowed, the user has 100 tokens, or the user was removed or disabled
 */
export const addPersonalToken = async (
  store: Store,
  { userId, name: given, isReadOnly, expiresInSeconds }: NewPersonalToken,
  environment: Environment,
): Promise<{ readonly id: string; readonly token: string; readonly expiresAt?: number }> => {
  const name = given.trim()
  validateName('token', name)
  const id = environment.newId()
  const token = environment.newSecret()
  const createdAt = Math.floor(environment.now() / 1000)
  const expiry = expiresInSeconds === undefined ? {} : { expiresAt: createdAt + expiresInSeconds }
  const personal = {
    name,
    hash: hashSecret(token),
    isReadOnly,
    ...expiry,
  }
  await store.registry.change(async (registry) => {
    const user = await registry.findUser(userId)
    if (user === undefined || user.disabledAt !== undefined) throw new AccountError('the user was removed or disabled')
    const tokens = (await registry.listSessions(userId)).filter((session) => session.personal !== undefined)
    if (tokens.length >= maxTokens)
      throw new AccountError(`a user may have at most ${maxTokens} tokens; revoke one first`)
    await registry.put('sessions', { id, userId, clientId: id, createdAt, pairs: [], personal })
  })
  return { id, token, ...expiry }
}

const findSessionOf = async (registry: RegistryReader, hash: string): Promise<Session | undefined> =>
  (await registry.findSessionByRequestHash(hash)) ?? registry.findSessionByAccessHash(hash)

/**
 * Ends the session of an access or refresh token (RFC 7009). For an unknown token, or a token of another app, it does
 * nothing and throws nothing.
 * @throws ApiError `clientMissing`, `clientInvalid`
 */
export const revokeToken = async (
  store: Store,
  form: ClientCredentials & { readonly token: string },
): Promise<void> => {
  await checkClient(store.registry, form)
  const hash = hashSecret(form.token)
  const session = await findSessionOf(store.registry, hash)
  if (session?.clientId !== form.clientId) return
  await store.registry.change((registry) => registry.delete('sessions', session.id))
}
