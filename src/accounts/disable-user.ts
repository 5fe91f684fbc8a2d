import type { Store } from '../store/store.ts'
import type { World } from '../world.ts'
import { refuseOnlyAdmin } from './admins.ts'
import { dropCodesAndLinks, endBrowserSessions } from './end-sessions.ts'
import { findNamedUser } from './users.ts'

/**
 * Keeps a user out: nobody can sign in as the user and no token works. Sessions of apps and personal tokens are suspended,
 * so that enabling gives them back; browsers have to sign in again.
 * @throws AccountRefused when there is no such user, or nobody else is admin
 */
export const disableUser = (store: Store, name: string, world: World): Promise<void> =>
  store.registry.change(async (registry) => {
    const user = await findNamedUser(registry, name)
    await refuseOnlyAdmin(registry, user, 'disabled')
    await registry.put('users', { ...user, disabledAt: user.disabledAt ?? Math.floor(world.now() / 1000) })
    for (const session of await registry.listSessions(user.id)) {
      await registry.put('sessions', { ...session, isSuspended: true })
    }
    await endBrowserSessions(registry, user.id)
    await dropCodesAndLinks(registry, user.id)
  })

/**
 * Lets a disabled user in again, with the sessions and tokens of before.
 * @throws AccountRefused when there is no such user
 */
export const enableUser = (store: Store, name: string): Promise<void> =>
  store.registry.change(async (registry) => {
    const { disabledAt: _, ...user } = await findNamedUser(registry, name)
    await registry.put('users', user)
    for (const { isSuspended: __, ...session } of await registry.listSessions(user.id)) {
      await registry.put('sessions', session)
    }
  })
