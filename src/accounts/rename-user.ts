import type { Store } from '../store/store.ts'
import { AccountRefused } from './account-refused.ts'
import { dropInvitations } from './end-sessions.ts'
import { findNamedUser, normalizeUserName } from './users.ts'

/**
 * Gives a user another name, or the same in another spelling; things, sessions, tokens and browsers stay as they are, and
 * the old name is free. Invitations of the new name end, because it is taken now. Gives the name as it is kept.
 * @throws AccountRefused when there is no such user, or the new name is not allowed or taken
 */
export const renameUser = (store: Pick<Store, 'registry'>, oldName: string, given: string): Promise<string> =>
  store.registry.change(async (registry) => {
    const user = await findNamedUser(registry, oldName)
    const name = normalizeUserName(given)
    const taken = (await registry.listUsersNamedLike(name)).find(({ id }) => id !== user.id)
    if (taken !== undefined) throw new AccountRefused(`user "${taken.name}" exists already; choose another name`)
    await registry.put('users', { ...user, name })
    await dropInvitations(registry, name)
    return name
  })
