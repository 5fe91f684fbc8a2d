import type { SessionInfo, TokenGrant, TokenPair } from '../../generated/types.ts'
import { grantByCode } from '../accounts/authorization-codes.ts'
import type { LoginAttempts } from '../accounts/login-attempts.ts'
import { type EndingSession, endSessions, type ListedSession, listSessions } from '../accounts/session-management.ts'
import type { Grant } from '../accounts/sessions.ts'
import { describeOrigin } from '../accounts/sessions.ts'
import { grantByPassword, grantByRefresh, revokeToken, type UserGrant } from '../accounts/token-grants.ts'
import type { CheckPassword } from '../accounts/users.ts'
import { isNameTooLong, nameTooLong } from '../accounts/users.ts'
import type { Handlers } from '../api/handlers.ts'
import { ApiError } from '../api-error.ts'
import type { Environment } from '../environment.ts'
import type { Origin, Session, User } from '../store/registry/registry.ts'
import type { Store } from '../store/store.ts'
import { type ClientCredentials, findClientCredentials } from '../wire/credentials.ts'

/** The options of the token endpoint. */
export interface TokenOptions {
  readonly attempts: LoginAttempts
  /** False rejects the password grant. */
  readonly allowsPasswordGrant: boolean
}

/** Creates the operations token and revoke (interface 4.2, 5.1, 5.2; contract, token). */
export const tokenOperations = (
  store: Store,
  environment: Environment,
  { attempts, allowsPasswordGrant }: TokenOptions,
): Pick<Handlers, 'grantToken' | 'revokeToken'> => ({
  grantToken: async ({ parameters, authorization, address, userAgent, requestId }) => {
    const { grant_type: grantType, username } = parameters
    // Before the limiter: a request whose password is never checked is no attempt.
    if (grantType === 'password' && !allowsPasswordGrant) throw new ApiError('passwordGrantOff')
    // A malformed parameter (RFC 6749, 5.2), like any that the document does not allow: no user has such a name.
    if (username !== undefined && isNameTooLong(username)) {
      throw new ApiError('grantParameterInvalid', { parameter: 'username', reason: nameTooLong })
    }
    const attempt = {
      address,
      requestId: requestId(),
      ...(grantType === 'password' && username !== undefined ? { username } : {}),
    }
    const origin = describeOrigin(address, userAgent)
    const { grant, client } = await attempts.check(attempt, async (checkPassword) => {
      const client = readClient(authorization, parameters)
      return { client, grant: await grantTokens({ store, environment, checkPassword, origin }, client, parameters) }
    })
    await attempts.recordSuccess(address, grant.userId)
    const app = await store.registry.findApp(client.clientId)
    const body = showGrant(grant, app?.isStandard === true)
    return { status: 200, body, headers: { 'cache-control': 'no-store', pragma: 'no-cache' } }
  },
  revokeToken: async ({ parameters, authorization, address, requestId }) => {
    await attempts.check({ address, requestId: requestId() }, async () => {
      const client = readClient(authorization, parameters)
      await revokeToken(store, { ...client, token: parameters.token })
    })
    return { status: 200, body: {} }
  },
})

const readClient = (authorization: string | undefined, form: Parameters<typeof findClientCredentials>[1]) => {
  const client = findClientCredentials(authorization, form)
  if (client === undefined) throw new ApiError('clientMissing')
  return client
}

interface GrantContext {
  readonly store: Store
  readonly environment: Environment
  readonly checkPassword: CheckPassword
  readonly origin: Origin
}

const grantTokens = (
  { store, environment, checkPassword, origin }: GrantContext,
  client: ClientCredentials,
  form: TokenGrant,
): Promise<UserGrant> => {
  if (form.grant_type === 'password') {
    const username = requireParameter('username', form.username)
    const password = requireParameter('password', form.password)
    return grantByPassword(store, { ...client, username, password }, environment, checkPassword, origin)
  }
  if (form.grant_type === 'refresh_token') {
    const refreshToken = requireParameter('refresh_token', form.refresh_token)
    return grantByRefresh(store, { ...client, refreshToken }, environment, origin)
  }
  if (form.grant_type === 'authorization_code') {
    // A parameter without a value counts as absent (RFC 6749, 3.2).
    const code = requireParameter('code', form.code || undefined)
    const [redirectUri, verifier] = [form.redirect_uri || undefined, form.code_verifier || undefined]
    return grantByCode(store, { ...client, code, redirectUri, verifier }, environment, origin)
  }
  throw new ApiError('grantTypeUnsupported')
}

const requireParameter = (parameter: string, value: string | undefined): string => {
  if (value === undefined) throw new ApiError('grantParameterInvalid', { parameter, reason: 'is required' })
  return value
}

/**
 * Renders a grant as interface 5.2 says. An app that is registered as standard gets no null `scope`: OAuth libraries
 * reject it.
 */
const showGrant = ({ accessToken, refreshToken, expiresInSeconds }: Grant, isStandard: boolean): TokenPair => ({
  access_token: accessToken,
  expires_in: expiresInSeconds,
  request_token: refreshToken,
  refresh_token: refreshToken,
  token_type: 'bearer',
  ...(isStandard ? {} : { scope: null }),
})

/** Creates the operations session/list and session/revoke (contract, what is ours beside the interface). */
export const sessionOperations = (
  store: Store,
  environment: Environment,
): Pick<Handlers, 'listSessions' | 'revokeSession'> => ({
  listSessions: async ({ session }) => {
    const listed = (await listSessions(store, session.userId, environment)).filter(isVisibleTo(session))
    return { status: 200, body: listed.map((other) => showSession(other, session)) }
  },
  revokeSession: async ({ parameters, session }) => {
    const { id } = parameters
    const isVisible = isVisibleTo(session)
    const endedCount = await endSessions(store, session.userId, (other) => other.id === id && isVisible(other))
    if (endedCount === 0) throw new ApiError('sessionUnknown')
    return { status: 200, body: { revoked_session: id } }
  },
})

/**
 * Tells which sessions of the user a token may list and end: an app's token the sessions of its app, a personal token
 * all sessions, and a read-only personal token only its own.
 */
const isVisibleTo =
  ({ id, clientId, personal }: Session) =>
  (other: EndingSession): boolean =>
    personal === undefined ? other.clientId === clientId : !personal.isReadOnly || other.id === id

const showSession = (listed: ListedSession, current: Session): SessionInfo => {
  const { id, kind, createdAt, name, clientId, began, isReadOnly, lastUsedAt, expiresAt, origin } = listed
  return {
    id,
    kind,
    current: id === current.id,
    date: createdAt,
    ...(name !== undefined && { name }),
    ...(clientId !== undefined && { client_id: clientId }),
    ...(began !== undefined && { began }),
    ...(isReadOnly !== undefined && { read_only: isReadOnly }),
    ...(lastUsedAt !== undefined && { last_used: lastUsedAt }),
    ...(expiresAt !== undefined && { expires: expiresAt }),
    ...(origin !== undefined && { address: origin.address }),
    ...(origin?.userAgent !== undefined && { user_agent: origin.userAgent }),
  }
}

/** Creates the operations user/get and test (interface 4.1, 2.5; contract, the other operations). */
export const userOperations = (store: Store): Pick<Handlers, 'getUser' | 'getTest' | 'postTest'> => ({
  getUser: async ({ session }) => {
    const user = await findSessionUser(store, session)
    const view = await store.read(session.userId, session)
    const body = {
      username: user.name,
      date: user.createdAt,
      pos: view.position,
      thingCount: await view.countThings(),
    }
    return { status: 200, body }
  },
  getTest: async ({ session }) => ({ status: 200, body: { user: (await findSessionUser(store, session)).name } }),
  postTest: async ({ session }) => ({ status: 200, body: { user: (await findSessionUser(store, session)).name } }),
})

const findSessionUser = async (store: Store, session: Session): Promise<User> => {
  const user = await store.registry.findUser(session.userId)
  if (user === undefined) throw new Error(`session ${session.id} belongs to no user`)
  return user
}
