import type { TokenGrant, TokenPair } from '../../generated/types.ts'
import type { Attempts } from '../accounts/attempts.ts'
import type { CheckPassword } from '../accounts/check-user.ts'
import { grantByCode } from '../accounts/codes.ts'
import { isNameTooLong, nameTooLong } from '../accounts/find-user.ts'
import { grantByPassword, grantByRefresh, type UserGrant } from '../accounts/grants.ts'
import { describeOrigin } from '../accounts/origin.ts'
import { revokeToken } from '../accounts/revoke-token.ts'
import type { Grant } from '../accounts/token-pairs.ts'
import type { Handlers } from '../api/handlers.ts'
import { Refused } from '../refused.ts'
import type { Origin } from '../store/registry/registry.ts'
import type { Store } from '../store/store.ts'
import { type ClientCredentials, findClientCredentials } from '../wire/client-credentials.ts'
import type { World } from '../world.ts'

/** What the token endpoint is told from outside. */
export interface TokenRules {
  readonly attempts: Attempts
  /** False: the password grant is refused. */
  readonly takesPasswords: boolean
}

/** token and revoke (interface 4.2, 5.1, 5.2; contract, token). */
export const tokenOperations = (
  store: Store,
  world: World,
  { attempts, takesPasswords }: TokenRules,
): Pick<Handlers, 'grantToken' | 'revokeToken'> => ({
  grantToken: async ({ parameters, authorization, address, userAgent, requestId }) => {
    const { grant_type: grantType, username } = parameters
    // Before the limits: what is never judged is no attempt.
    if (grantType === 'password' && !takesPasswords) throw new Refused('passwordGrantOff')
    // A malformed parameter (RFC 6749, 5.2), like one that the document does not allow; no user has such a name.
    if (username !== undefined && isNameTooLong(username)) {
      throw new Refused('grantParameterInvalid', { parameter: 'username', reason: nameTooLong })
    }
    const attempt = {
      address,
      requestId: requestId(),
      ...(grantType === 'password' && username !== undefined ? { username } : {}),
    }
    const origin = describeOrigin(address, userAgent)
    const { grant, client } = await attempts.judge(attempt, async (checkPassword) => {
      const client = readClient(authorization, parameters)
      return { client, grant: await grantTokens({ store, world, checkPassword, origin }, client, parameters) }
    })
    await attempts.welcome(address, grant.userId)
    const app = await store.registry.findApp(client.clientId)
    const body = showGrant(grant, app?.isStandard === true)
    return { status: 200, body, headers: { 'cache-control': 'no-store', pragma: 'no-cache' } }
  },
  revokeToken: async ({ parameters, authorization, address, requestId }) => {
    await attempts.judge({ address, requestId: requestId() }, async () => {
      const client = readClient(authorization, parameters)
      await revokeToken(store, { ...client, token: parameters.token })
    })
    return { status: 200, body: {} }
  },
})

const readClient = (authorization: string | undefined, form: Parameters<typeof findClientCredentials>[1]) => {
  const client = findClientCredentials(authorization, form)
  if (client === undefined) throw new Refused('clientInvalid')
  return client
}

interface Granting {
  readonly store: Store
  readonly world: World
  readonly checkPassword: CheckPassword
  readonly origin: Origin
}

const grantTokens = (
  { store, world, checkPassword, origin }: Granting,
  client: ClientCredentials,
  form: TokenGrant,
): Promise<UserGrant> => {
  if (form.grant_type === 'password') {
    const username = required('username', form.username)
    const password = required('password', form.password)
    return grantByPassword(store, { ...client, username, password }, world, checkPassword, origin)
  }
  if (form.grant_type === 'refresh_token') {
    const requestToken = required('refresh_token', form.refresh_token)
    return grantByRefresh(store, { ...client, requestToken }, world, origin)
  }
  if (form.grant_type === 'authorization_code') {
    // What has no value was not sent (RFC 6749, 3.2).
    const code = required('code', form.code || undefined)
    const [redirectUri, verifier] = [form.redirect_uri || undefined, form.code_verifier || undefined]
    return grantByCode(store, { ...client, code, redirectUri, verifier }, world, origin)
  }
  throw new Refused('grantTypeUnsupported')
}

const required = (parameter: string, value: string | undefined): string => {
  if (value === undefined) throw new Refused('grantParameterInvalid', { parameter, reason: 'is required' })
  return value
}

/** Interface 5.2 to the letter; an app that is registered as standard is spared `scope`, which OAuth libraries refuse. */
const showGrant = ({ accessToken, requestToken, expiresInSeconds }: Grant, isStandard: boolean): TokenPair => ({
  access_token: accessToken,
  expires_in: expiresInSeconds,
  request_token: requestToken,
  refresh_token: requestToken,
  token_type: 'bearer',
  ...(isStandard ? {} : { scope: null }),
})
