import type { Store } from '../store/store.ts'
import type { World } from '../world.ts'
import { AccountRefused, refuseBadName } from './account-refused.ts'
import { hashSecret } from './hash.ts'

/** What a personal access token is to be. */
export interface NewPersonalToken {
  readonly userId: string
  readonly name: string
  readonly isReadOnly: boolean
  /** From now on; absent: for ever. */
  readonly expiresInSeconds?: number | undefined
}

/** Personal access tokens that a user may have. */
export const mostTokens = 100

/**
 * Makes a personal access token: a session without an app that nobody has to refresh. The token is seen this once.
 * @throws AccountRefused when the name is not allowed, or the user has 100
 */
export const addPersonalToken = async (
  store: Store,
  { userId, name: given, isReadOnly, expiresInSeconds }: NewPersonalToken,
  world: World,
): Promise<{ readonly id: string; readonly token: string; readonly expiresAt?: number }> => {
  const name = given.trim()
  refuseBadName('token', name)
  const id = world.newId()
  const token = world.newSecret()
  const createdAt = Math.floor(world.now() / 1000)
  const expiry = expiresInSeconds === undefined ? {} : { expiresAt: createdAt + expiresInSeconds }
  const personal = {
    name,
    hash: hashSecret(token),
    isReadOnly,
    ...expiry,
  }
  await store.registry.change(async (registry) => {
    const user = await registry.findUser(userId)
    if (user === undefined || user.disabledAt !== undefined) throw new AccountRefused('the user is gone or disabled')
    const tokens = (await registry.listSessions(userId)).filter((session) => session.personal !== undefined)
    if (tokens.length >= mostTokens) throw new AccountRefused(`a user may have ${mostTokens} tokens; revoke one first`)
    await registry.put('sessions', { id, userId, clientId: id, createdAt, pairs: [], personal })
  })
  return { id, token, ...expiry }
}
