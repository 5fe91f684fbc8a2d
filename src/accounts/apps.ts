import type { App } from '../store/directory.ts'
import type { Store } from '../store/store.ts'
import type { World } from '../world.ts'
import { AccountRefused, refuseBadName } from './account-refused.ts'
import { hashSecret } from './hash.ts'

/** What the developer of an app is given, once: only a hash of the secret is kept (interface 5). */
export interface AppCredentials {
  readonly clientId: string
  readonly clientSecret: string
  readonly name: string
}

/**
 * Registers an app; several may have the same name.
 * @throws AccountRefused when the name is not allowed
 */
export const addApp = async (store: Store, name: string, world: World): Promise<AppCredentials> => {
  refuseBadName('app', name)
  const clientId = world.newId()
  const clientSecret = world.newSecret()
  const createdAt = Math.floor(world.now() / 1000)
  await store.directory.change((directory) =>
    directory.putApp({ clientId, name, secretHash: hashSecret(clientSecret), createdAt }),
  )
  return { clientId, clientSecret, name }
}

/** All registered apps. */
export const listApps = (store: Store): Promise<readonly App[]> => store.directory.listApps()

/**
 * Removes an app and ends its sessions.
 * @throws AccountRefused when there is no such app
 */
export const removeApp = (store: Store, clientId: string): Promise<void> =>
  store.directory.change(async (directory) => {
    if ((await directory.findApp(clientId)) === undefined) {
      throw new AccountRefused(`there is no app with the client id "${clientId}"; "app list" shows all apps`)
    }
    for (const user of await directory.listUsers()) {
      for (const session of await directory.listSessions(user.id)) {
        if (session.clientId === clientId) await directory.deleteSession(session.id)
      }
    }
    await directory.deleteApp(clientId)
  })
