import { nobodysPasswordHash } from '../../src/accounts/passwords.ts'
import { issuePair } from '../../src/accounts/sessions.ts'
import type { Environment } from '../../src/environment.ts'
import type { Store } from '../../src/store/store.ts'

/** Makes a user without a password, because checking one is slow on purpose; gives the name. */
export const enrollUser = async (store: Store, environment: Environment): Promise<string> => {
  const id = environment.newId()
  const name = `user ${id}`
  const createdAt = Math.floor(environment.now() / 1000)
  await store.registry.change((registry) =>
    registry.put('users', { id, name, passwordHash: nobodysPasswordHash, createdAt }),
  )
  return name
}

/** Makes a session of the user, as a grant does, and gives its access token. */
export const enrollDevice = async (
  store: Store,
  userName: string,
  clientId: string,
  environment: Environment,
): Promise<string> => {
  const { grant, pair } = issuePair('current', environment)
  await store.registry.change(async (registry) => {
    const user = await registry.findUserByName(userName)
    if (user === undefined) throw new Error(`there is no user ${userName}`)
    const createdAt = Math.floor(environment.now() / 1000)
    await registry.put('sessions', {
      id: environment.newId(),
      userId: user.id,
      clientId,
      began: 'password',
      createdAt,
      pairs: [pair],
    })
  })
  return grant.accessToken
}
