import type { RegistryDraft, RegistryReader, User } from '../store/registry/registry.ts'
import type { Store } from '../store/store.ts'
import type { World } from '../world.ts'
import { AccountRefused, refuseBadName } from './account-refused.ts'
import { refuseOnlyAdmin } from './admins.ts'
import { dropUnusedApps } from './apps.ts'
import { dropInvitations, endAllSessions } from './end-sessions.ts'
import { findUserByTypedName, isNameTooLong, nameTooLong } from './find-user.ts'
import { hashPassword, nobodysPasswordHash } from './passwords.ts'

/** A user's name and password, as the operator gives them. */
export interface UserWithPassword {
  readonly name: string
  readonly password: string
}

const minPasswordCharacters = 8

/** Hashes a password that is long enough. @throws AccountRefused when it has fewer than 8 characters */
export const hashGoodPassword = (password: string): Promise<string> => {
  if ([...password].length < minPasswordCharacters) {
    throw new AccountRefused(`the password must have at least ${minPasswordCharacters} characters`)
  }
  return hashPassword(password)
}

/** The user of a name as a person types it. @throws AccountRefused when there is none, or the name is too long */
export const findNamedUser = async (registry: RegistryReader, name: string): Promise<User> => {
  if (isNameTooLong(name)) throw new AccountRefused(`the user name ${nameTooLong}; "user list" shows all users`)
  const user = await findUserByTypedName(registry, name)
  if (user === undefined) throw new AccountRefused(`there is no user "${name}"; "user list" shows all users`)
  return user
}

/** Refuses a name that is not allowed; gives it as it is kept: without outer spaces and composed (NFC). */
export const normalizeUserName = (given: string): string => {
  refuseBadName('user', given)
  const name = given.trim().normalize('NFC')
  refuseBadName('user', name)
  return name
}

/** The name as it is kept, if it is free. @throws AccountRefused when it is not allowed or taken */
export const findFreeName = async (registry: RegistryReader, given: string): Promise<string> => {
  const name = normalizeUserName(given)
  const [taken] = await registry.listUsersNamedLike(name)
  if (taken !== undefined) throw new AccountRefused(`user "${taken.name}" exists already; choose another name`)
  return name
}

/**
 * Adds a user within a change of the registry. The first of all is admin.
 * @throws AccountRefused when the name is not allowed or taken
 */
export const putNewUser = async (
  registry: RegistryDraft,
  { name: given, passwordHash }: { readonly name: string; readonly passwordHash: string },
  world: World,
): Promise<User> => {
  const name = await findFreeName(registry, given)
  const isFirst = !(await registry.hasUsers())
  const createdAt = Math.floor(world.now() / 1000)
  const user: User = { id: world.newId(), name, passwordHash, createdAt, ...(isFirst ? { isAdmin: true } : {}) }
  await registry.put('users', user)
  return user
}

/** Gives a user a new password within a change of the registry, and ends all sessions of the user (contract, token). */
export const putPassword = async (registry: RegistryDraft, user: User, passwordHash: string): Promise<void> => {
  await registry.put('users', { ...user, passwordHash })
  await endAllSessions(registry, user.id)
}

/**
 * Adds a user with an empty account. The name is kept without outer spaces and composed (NFC).
 * @throws AccountRefused when the name is not allowed or taken, be it in another case, or the password has fewer than 8
 *   characters
 */
export const addUser = async (
  store: Store,
  { name: given, password }: UserWithPassword,
  world: World,
): Promise<User> => {
  const name = normalizeUserName(given)
  const passwordHash = await hashGoodPassword(password)
  return store.registry.change(async (registry) => {
    const [taken] = await registry.listUsersNamedLike(name)
    if (taken !== undefined) {
      throw new AccountRefused(
        `user "${taken.name}" exists already; choose another name or use "user reset-password ${taken.name}"`,
      )
    }
    return putNewUser(registry, { name, passwordHash }, world)
  })
}

/** All users of the server. */
export const listUsers = (store: Store): Promise<readonly User[]> => store.registry.listUsers()

/**
 * Gives a user a new password and ends all sessions of the user (contract, token).
 * @throws AccountRefused when there is no such user or the password has fewer than 8 characters
 */
export const resetPassword = async (store: Store, { name, password }: UserWithPassword): Promise<void> => {
  const passwordHash = await hashGoodPassword(password)
  await store.registry.change(async (registry) => {
    const user = await findNamedUser(registry, name)
    await putPassword(registry, user, passwordHash)
  })
}

/**
 * Removes a user with all sessions, all data, the invitations of that name and the apps that nobody else uses, for
 * good. When it is interrupted nobody can log in as the user any more, and it can be run again. The last user of all
 * may go, admin or not: then the server starts afresh.
 * @throws AccountRefused when there is no such user, or nobody else is admin
 */
export const removeUser = async (store: Store, name: string): Promise<void> => {
  const userId = await store.registry.change(async (registry) => {
    const user = await findNamedUser(registry, name)
    const isLast = (await registry.listUsers()).length === 1
    if (!isLast) await refuseOnlyAdmin(registry, user, 'removed')
    // No admin from here on, so that nobody counts on one who is about to go.
    const { isAdmin: _, ...former } = user
    await registry.put('users', { ...former, passwordHash: nobodysPasswordHash })
    await endAllSessions(registry, user.id)
    await dropInvitations(registry, user.name)
    await dropUnusedApps(registry, user.id)
    return user.id
  })
  await store.removeAccount(userId)
  await store.registry.change((registry) => registry.delete('users', userId))
}
