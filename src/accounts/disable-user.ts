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
  store.directory.change(async (directory) => {
    const user = await findNamedUser(directory, name)
    await refuseOnlyAdmin(directory, user, 'disabled')
    await directory.putUser({ ...user, disabledAt: user.disabledAt ?? Math.floor(world.now() / 1000) })
    for (const session of await directory.listSessions(user.id)) {
      await directory.putSession({ ...session, isSuspended: true })
    }
    await endBrowserSessions(directory, user.id)
    await dropCodesAndLinks(directory, user.id)
  })

/**
 * Lets a disabled user in again, with the sessions and tokens of before.
 * @throws AccountRefused when there is no such user
 */
export const enableUser = (store: Store, name: string): Promise<void> =>
  store.directory.change(async (directory) => {
    const { disabledAt: _, ...user } = await findNamedUser(directory, name)
    await directory.putUser(user)
    for (const { isSuspended: __, ...session } of await directory.listSessions(user.id)) {
      await directory.putSession(session)
    }
  })
