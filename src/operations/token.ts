import type { TokenGrant, TokenPair } from '../../generated/types.ts'
import type { Attempts } from '../accounts/attempts.ts'
import type { CheckPassword } from '../accounts/check-user.ts'
import { grantByPassword, grantByRefresh, type UserGrant } from '../accounts/grants.ts'
import { revokeToken } from '../accounts/revoke-token.ts'
import type { Grant } from '../accounts/token-pairs.ts'
import type { Handlers } from '../api/handlers.ts'
import { Refused } from '../refused.ts'
import type { Store } from '../store/store.ts'
import { type ClientCredentials, findClientCredentials } from '../wire/client-credentials.ts'
import type { World } from '../world.ts'

/** token and revoke (interface 4.2, 5.1, 5.2; contract, token). */
export const tokenOperations = (
  store: Store,
  world: World,
  attempts: Attempts,
): Pick<Handlers, 'grantToken' | 'revokeToken'> => ({
  grantToken: async ({ parameters, authorization, address }) => {
    const { grant_type: grantType, username } = parameters
    const attempt = { address, ...(grantType === 'password' && username !== undefined ? { username } : {}) }
    const grant = await attempts.judge(attempt, async (checkPassword) => {
      const client = readClient(authorization, parameters)
      return grantTokens(store, client, parameters, world, checkPassword)
    })
    attempts.welcome(address, grant.userId)
    return { status: 200, body: showGrant(grant), headers: { 'cache-control': 'no-store', pragma: 'no-cache' } }
  },
  revokeToken: async ({ parameters, authorization, address }) => {
    await attempts.judge({ address }, async () => {
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

const grantTokens = (
  store: Store,
  client: ClientCredentials,
  form: TokenGrant,
  world: World,
  checkPassword: CheckPassword,
): Promise<UserGrant> => {
  if (form.grant_type === 'password') {
    const { username, password } = form
    if (username === undefined) throw new Refused('grantParameterInvalid', missing('username'))
    if (password === undefined) throw new Refused('grantParameterInvalid', missing('password'))
    return grantByPassword(store, { ...client, username, password }, world, checkPassword)
  }
  if (form.grant_type === 'refresh_token') {
    const { refresh_token: requestToken } = form
    if (requestToken === undefined) throw new Refused('grantParameterInvalid', missing('refresh_token'))
    return grantByRefresh(store, { ...client, requestToken }, world)
  }
  throw new Refused('grantTypeUnsupported')
}

const missing = (parameter: string) => ({ parameter, reason: 'is required' })

const showGrant = ({ accessToken, requestToken, expiresInSeconds }: Grant): TokenPair => ({
  access_token: accessToken,
  expires_in: expiresInSeconds,
  request_token: requestToken,
  refresh_token: requestToken,
  token_type: 'bearer',
  scope: null,
})
