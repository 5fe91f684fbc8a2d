import type { Store } from '../store/store.ts'
import { AccountRefused } from './account-refused.ts'
import { listAdmins, refuseOnlyAdmin } from './admins.ts'
import { findNamedUser } from './users.ts'

/**
 * Makes a user admin, beside those who are.
 * @throws AccountRefused when there is no such user, or the user is disabled
 */
export const promoteUser = (store: Store, name: string): Promise<void> =>
  store.directory.change(async (directory) => {
    const user = await findNamedUser(directory, name)
    if (user.disabledAt !== undefined) {
      throw new AccountRefused(`user "${user.name}" is disabled; enable the user first`)
    }
    // In an older folder nobody is marked: the admin there would cease to be one when the first is.
    for (const admin of await listAdmins(directory)) await directory.putUser({ ...admin, isAdmin: true })
    await directory.putUser({ ...user, isAdmin: true })
  })

/**
 * Takes the admin pages from a user, who stays.
 * @throws AccountRefused when there is no such user, or nobody else is admin
 */
export const demoteUser = (store: Store, name: string): Promise<void> =>
  store.directory.change(async (directory) => {
    const named = await findNamedUser(directory, name)
    await refuseOnlyAdmin(directory, named, 'demoted')
    const { isAdmin: _, ...user } = named
    await directory.putUser(user)
  })
