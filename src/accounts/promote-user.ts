import type { Store } from '../store/store.ts'
import { AccountRefused } from './account-refused.ts'
import { listAdmins, refuseOnlyAdmin } from './admins.ts'
import { findNamedUser } from './users.ts'

/**
 * Makes a user admin, beside those who are.
 * @throws AccountRefused when there is no such user, or the user is disabled
 */
export const promoteUser = (store: Store, name: string): Promise<void> =>
  store.registry.change(async (registry) => {
    const user = await findNamedUser(registry, name)
    if (user.disabledAt !== undefined) {
      throw new AccountRefused(`user "${user.name}" is disabled; enable the user first`)
    }
    // Where nobody is marked, the admin would cease to be one when the first is.
    for (const admin of await listAdmins(registry)) await registry.put('users', { ...admin, isAdmin: true })
    await registry.put('users', { ...user, isAdmin: true })
  })

/**
 * Takes the admin pages from a user, who stays.
 * @throws AccountRefused when there is no such user, or nobody else is admin
 */
export const demoteUser = (store: Store, name: string): Promise<void> =>
  store.registry.change(async (registry) => {
    const named = await findNamedUser(registry, name)
    await refuseOnlyAdmin(registry, named, 'demoted')
    const { isAdmin: _, ...user } = named
    await registry.put('users', user)
  })
