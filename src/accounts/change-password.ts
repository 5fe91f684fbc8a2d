import { Refused } from '../refused.ts'
import type { RegistryDraft } from '../store/registry/registry.ts'
import type { Store } from '../store/store.ts'
import { type CheckPassword, mayEnter, refusePassword } from './check-user.ts'
import { verifyPassword } from './passwords.ts'
import { hashGoodPassword, putPassword } from './users.ts'

/** A user's own change of password. */
export interface PasswordChange {
  readonly userId: string
  readonly oldPassword: string
  readonly newPassword: string
}

/**
 * Lets a user change the password; all sessions end, also the one that asked for it (contract, token). Gives what
 * `openSession` gives, which is done in the same change: whatever ends sessions right after it ends that one, too.
 * @throws Refused `passwordInvalid` when the old one is wrong; AccountRefused when the new one is too short; what
 *   `checkPassword` throws
 */
export const changePassword = async <T>(
  store: Store,
  { userId, oldPassword, newPassword }: PasswordChange,
  checkPassword: CheckPassword,
  openSession: (registry: RegistryDraft) => Promise<T>,
): Promise<T> => {
  const user = await store.registry.findUser(userId)
  const isRight = await checkPassword(userId, () => verifyPassword(oldPassword, user?.passwordHash))
  if (user === undefined || !isRight) throw refusePassword(user)
  const passwordHash = await hashGoodPassword(newPassword)
  return store.registry.change(async (registry) => {
    const newest = await registry.findUser(userId)
    if (newest === undefined || !mayEnter(newest, user.passwordHash)) throw new Refused('passwordInvalid')
    await putPassword(registry, newest, passwordHash)
    return openSession(registry)
  })
}
