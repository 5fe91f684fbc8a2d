import { Refused } from '../refused.ts'
import type { User } from '../store/registry/registry.ts'
import type { Store } from '../store/store.ts'
import { isCheckableHash } from './argon2.ts'
import { findUserByTypedName } from './find-user.ts'
import { verifyPassword } from './passwords.ts'

/**
 * Decides when a password is checked, or refuses to; gives what the check gives. The user's id is undefined when nobody
 * has the name.
 */
export type CheckPassword = (userId: string | undefined, verify: () => Promise<boolean>) => Promise<boolean>

/** True for a user who is there, is not disabled, and still has the password that was checked. */
export const mayEnter = (user: User | undefined, checkedHash: string): boolean =>
  user !== undefined && user.disabledAt === undefined && user.passwordHash === checkedHash

/**
 * The error for a wrong password. The client learns nothing more; the log says when the hash of the user is one that no
 * password is checked against (`isCheckableHash`).
 */
export const refusePassword = (user: User | undefined): Refused =>
  new Refused('passwordInvalid', user && !isCheckableHash(user.passwordHash) ? { hash: 'not checkable' } : {})

/**
 * The user who has this name and password. Whoever changes the registry for the user asks `mayEnter` in that change:
 * meanwhile the user may have been removed or disabled, or have another password.
 * @throws Refused `passwordInvalid`, after the same time for a user who is unknown or disabled; what the check throws
 */
export const checkUser = async (
  store: Store,
  { username, password }: { readonly username: string; readonly password: string },
  checkPassword: CheckPassword,
): Promise<User> => {
  const user = await findUserByTypedName(store.registry, username)
  const isRight = await checkPassword(user?.id, () => verifyPassword(password, user?.passwordHash))
  if (user === undefined || !isRight || !mayEnter(user, user.passwordHash)) throw refusePassword(user)
  return user
}
