/*
 * Accounts: users, passwords, sessions, tokens, apps, one-time links, quotas and limits on sign-in attempts.
 * The functions change the registry of a store. They are given the clock and the randomness (`Environment`), and know
 * no HTTP and no pages. An operation that is not possible throws AccountError (for administrators) or ApiError (for
 * clients). Start here, then read `sessions.ts` (tokens of sessions) and `token-grants.ts` (how apps get them).
 */

import { ApiError } from '../api-error.ts'
import type { Environment } from '../environment.ts'
import { maxNameLength, type RegistryDraft, type RegistryReader, type User } from '../store/registry/registry.ts'
import type { Store } from '../store/store.ts'
import { deleteUnusedApps } from './apps.ts'
import { AccountError, validateName } from './names.ts'
import { hashPassword, isCheckableHash, nobodysPasswordHash, verifyPassword } from './passwords.ts'
import { deleteCodesAndLinks, deleteInvitations, endAllSessions, endBrowserSessions } from './sessions.ts'

/** The name and password of a user, in plain text. */
interface UserWithPassword {
  readonly name: string
  readonly password: string
}

const minPasswordCharacters = 8

/** Validates and hashes a password. @throws AccountError when it has fewer than 8 characters */
export const hashValidPassword = (password: string): Promise<string> => {
  if ([...password].length < minPasswordCharacters) {
    throw new AccountError(`the password must have at least ${minPasswordCharacters} characters`)
  }
  return hashPassword(password)
}

/** Finds the user of a typed name. @throws AccountError when there is no such user, or the name is too long */
export const findNamedUser = async (registry: RegistryReader, name: string): Promise<User> => {
  if (isNameTooLong(name)) throw new AccountError(`the user name ${nameTooLong}; "user list" shows all users`)
  const user = await findUserByTypedName(registry, name)
  if (user === undefined) throw new AccountError(`there is no user "${name}"; "user list" shows all users`)
  return user
}

/**
 * Validates a user name and normalizes it for the store: without outer spaces and composed (NFC).
 * @throws AccountError when it is not allowed
 */
export const normalizeUserName = (given: string): string => {
  validateName('user', given)
  const name = given.trim().normalize('NFC')
  validateName('user', name)
  return name
}

/** Normalizes a name and checks that no user has it. @throws AccountError when it is not allowed or taken */
export const findFreeName = async (registry: RegistryReader, given: string): Promise<string> => {
  const name = normalizeUserName(given)
  const [taken] = await registry.listUsersNamedLike(name)
  if (taken !== undefined) throw new AccountError(`user "${taken.name}" exists already; choose another name`)
  return name
}

/**
 * Adds a user within a change of the registry. The first user is an administrator.
 * @throws AccountError when the name is not allowed or taken
 */
export const putNewUser = async (
  registry: RegistryDraft,
  { name: given, passwordHash }: { readonly name: string; readonly passwordHash: string },
  environment: Environment,
): Promise<User> => {
  const name = await findFreeName(registry, given)
  const isFirst = !(await registry.hasUsers())
  const createdAt = Math.floor(environment.now() / 1000)
  const user: User = { id: environment.newId(), name, passwordHash, createdAt, ...(isFirst ? { isAdmin: true } : {}) }
  await registry.put('users', user)
  return user
}

/** Gives a user a new password within a change of the registry, and ends all sessions of the user (contract, token). */
export const putPassword = async (registry: RegistryDraft, user: User, passwordHash: string): Promise<void> => {
  await registry.put('users', { ...user, passwordHash })
  await endAllSessions(registry, user.id)
}

/**
 * Adds a user with an empty account. The store keeps the name without outer spaces and composed (NFC).
 * @throws AccountError when the name is not allowed or taken (in any case of its letters), or the password has fewer
 *   than 8 characters
 */
export const addUser = async (
  store: Store,
  { name: given, password }: UserWithPassword,
  environment: Environment,
): Promise<User> => {
  const name = normalizeUserName(given)
  const passwordHash = await hashValidPassword(password)
  return store.registry.change(async (registry) => {
    const [taken] = await registry.listUsersNamedLike(name)
    if (taken !== undefined) {
      throw new AccountError(
        `user "${taken.name}" exists already; choose another name or use "user reset-password ${taken.name}"`,
      )
    }
    return putNewUser(registry, { name, passwordHash }, environment)
  })
}

/** Lists all users of the server. */
export const listUsers = (store: Store): Promise<readonly User[]> => store.registry.listUsers()

/**
 * Gives a user a new password and ends all sessions of the user (contract, token).
 * @throws AccountError when there is no such user or the password has fewer than 8 characters
 */
export const resetPassword = async (store: Store, { name, password }: UserWithPassword): Promise<void> => {
  const passwordHash = await hashValidPassword(password)
  await store.registry.change(async (registry) => {
    const user = await findNamedUser(registry, name)
    await putPassword(registry, user, passwordHash)
  })
}

/**
 * Permanently removes a user with all sessions, all data, the invitations of that name and the apps that no other user
 * uses. After an interruption, nobody can sign in as the user, and the removal can be run again. The last user can be
 * removed even as the only administrator: then the server is as new.
 * @throws AccountError when there is no such user, or the user is the only administrator
 */
export const removeUser = async (store: Store, name: string): Promise<void> => {
  const userId = await store.registry.change(async (registry) => {
    const user = await findNamedUser(registry, name)
    const isLast = (await registry.listUsers()).length === 1
    if (!isLast) await rejectOnlyAdmin(registry, user, 'removed')
    // Not an administrator from here on, so that no other change counts on this one.
    const { isAdmin: _, ...former } = user
    await registry.put('users', { ...former, passwordHash: nobodysPasswordHash })
    await endAllSessions(registry, user.id)
    await deleteInvitations(registry, user.name)
    await deleteUnusedApps(registry, user.id)
    return user.id
  })
  await store.removeAccount(userId)
  await store.registry.change((registry) => registry.delete('users', userId))
}

/**
 * Decides when a password is checked, or throws; returns the result of the check. The id of the user is undefined when
 * no user has the name.
 */
export type CheckPassword = (userId: string | undefined, verify: () => Promise<boolean>) => Promise<boolean>

/** True for a user who exists, is not disabled, and still has the password that was checked. */
export const maySignIn = (user: User | undefined, checkedHash: string): boolean =>
  user !== undefined && user.disabledAt === undefined && user.passwordHash === checkedHash

/**
 * Creates the error for a wrong password. The client learns nothing more. The log says when the hash of the user cannot
 * be checked (`isCheckableHash`).
 */
const createPasswordError = (user: User | undefined): ApiError =>
  new ApiError('passwordInvalid', user && !isCheckableHash(user.passwordHash) ? { hash: 'not checkable' } : {})

/**
 * Finds the user with this name and password. Call `maySignIn` in a later change of the registry for the user: by then
 * the user may have been removed or disabled, or have another password.
 * @throws ApiError `passwordInvalid`, after the same time for an unknown or disabled user; what `checkPassword` throws
 */
export const checkUser = async (
  store: Store,
  { username, password }: { readonly username: string; readonly password: string },
  checkPassword: CheckPassword,
): Promise<User> => {
  const user = await findUserByTypedName(store.registry, username)
  const isRight = await checkPassword(user?.id, () => verifyPassword(password, user?.passwordHash))
  if (user === undefined || !isRight || !maySignIn(user, user.passwordHash)) throw createPasswordError(user)
  return user
}

type UserFinder = Pick<RegistryReader, 'findUserByName' | 'listUsersNamedLike'>

/**
 * True for a text that is too long to be a user name. Reject it with `nameTooLong` where you read it, before any other
 * work with it.
 */
export const isNameTooLong = (name: string): boolean => name.length > maxNameLength

/** The error text for such a name. It follows the name of the field. */
export const nameTooLong = 'is too long: a user name has at most 200 characters'

/**
 * Finds the user of a typed name: the user with exactly this name, with or without outer spaces. Otherwise it is the
 * only user whose name differs in nothing but case and similar spellings. A backup of another program may contain
 * "Anna" and "anna": each is found by the exact name, and "ANNA" finds neither. A name that is too long finds no user
 * (`isNameTooLong`).
 */
export const findUserByTypedName = async (registry: UserFinder, name: string): Promise<User | undefined> => {
  if (isNameTooLong(name)) return undefined
  const exact = (await registry.findUserByName(name)) ?? (await registry.findUserByName(name.trim()))
  if (exact !== undefined) return exact
  const [alike, another] = await registry.listUsersNamedLike(name)
  return another === undefined ? alike : undefined
}

/**
 * Gives a user another name, or the same name in another spelling. Things, sessions, tokens and browsers stay; the old
 * name is free. Deletes the invitations of the new name, because it is taken now. Returns the name as it is stored.
 * @throws AccountError when there is no such user, or the new name is not allowed or taken
 */
export const renameUser = (store: Pick<Store, 'registry'>, oldName: string, given: string): Promise<string> =>
  store.registry.change(async (registry) => {
    const user = await findNamedUser(registry, oldName)
    const name = normalizeUserName(given)
    const taken = (await registry.listUsersNamedLike(name)).find(({ id }) => id !== user.id)
    if (taken !== undefined) throw new AccountError(`user "${taken.name}" exists already; choose another name`)
    await registry.put('users', { ...user, name })
    await deleteInvitations(registry, name)
    return name
  })

/**
 * Disables a user: nobody can sign in as the user, and no token works. It suspends sessions of apps and personal
 * tokens, which `enableUser` resumes; browsers must sign in again.
 * @throws AccountError when there is no such user, or the user is the only administrator
 */
export const disableUser = (store: Store, name: string, environment: Environment): Promise<void> =>
  store.registry.change(async (registry) => {
    const user = await findNamedUser(registry, name)
    await rejectOnlyAdmin(registry, user, 'disabled')
    await registry.put('users', { ...user, disabledAt: user.disabledAt ?? Math.floor(environment.now() / 1000) })
    for (const session of await registry.listSessions(user.id)) {
      await registry.put('sessions', { ...session, isSuspended: true })
    }
    await endBrowserSessions(registry, user.id)
    await deleteCodesAndLinks(registry, user.id)
  })

/**
 * Enables a disabled user and resumes the suspended sessions and tokens.
 * @throws AccountError when there is no such user
 */
export const enableUser = (store: Store, name: string): Promise<void> =>
  store.registry.change(async (registry) => {
    const { disabledAt: _, ...user } = await findNamedUser(registry, name)
    await registry.put('users', user)
    for (const { isSuspended: __, ...session } of await registry.listSessions(user.id)) {
      await registry.put('sessions', session)
    }
  })

type AdminReader = Pick<RegistryReader, 'listMarkedAdmins' | 'listUsers'>

/**
 * Lists the administrators: the users who may use the admin pages. Where none is marked, it is the user who was created
 * first. That happens after an interrupted removal of the last user, or after a repair without administrators.
 */
export const listAdmins = async (registry: AdminReader): Promise<readonly User[]> => {
  const marked = await registry.listMarkedAdmins()
  if (marked.length > 0) return marked
  const [first, ...others] = await registry.listUsers()
  if (first === undefined) return []
  return [others.reduce((earliest, user) => (user.createdAt < earliest.createdAt ? user : earliest), first)]
}

/**
 * Registries with a marked administrator. They always keep one (`rejectOnlyAdmin`), so an unmarked user is never one.
 */
const withMarkedAdmins = new WeakSet<object>()

/** True when the user is one of `listAdmins`. Each page calls this, so it reads the store only until one is marked. */
export const isAdmin = async (registry: AdminReader, user: User): Promise<boolean> => {
  if (user.isAdmin === true) return true
  if (withMarkedAdmins.has(registry)) return false
  const admins = await listAdmins(registry)
  if (admins.some(({ isAdmin }) => isAdmin === true)) withMarkedAdmins.add(registry)
  return admins.some(({ id }) => id === user.id)
}

/**
 * Ensures that another enabled administrator stays. Otherwise the first user, by chance, would become one.
 * @throws AccountError when the user is an administrator and no other enabled user is one
 */
const rejectOnlyAdmin = async (
  registry: AdminReader,
  user: User,
  fate: 'disabled' | 'removed' | 'demoted',
): Promise<void> => {
  if (!(await isAdmin(registry, user))) return
  const admins = await listAdmins(registry)
  if (admins.some(({ id, disabledAt }) => id !== user.id && disabledAt === undefined)) return
  throw new AccountError(
    `user "${user.name}" is the only administrator and cannot be ${fate}; promote another user first with "user promote NAME"`,
  )
}

/**
 * Makes a user an administrator; the others stay administrators.
 * @throws AccountError when there is no such user, or the user is disabled
 */
export const promoteUser = (store: Store, name: string): Promise<void> =>
  store.registry.change(async (registry) => {
    const user = await findNamedUser(registry, name)
    if (user.disabledAt !== undefined) {
      throw new AccountError(`user "${user.name}" is disabled; enable the user first`)
    }
    // Where nobody is marked, the first mark would take the rights from the present administrator.
    for (const admin of await listAdmins(registry)) await registry.put('users', { ...admin, isAdmin: true })
    await registry.put('users', { ...user, isAdmin: true })
  })

/**
 * Takes the rights of an administrator from a user.
 * @throws AccountError when there is no such user, or the user is the only administrator
 */
export const demoteUser = (store: Store, name: string): Promise<void> =>
  store.registry.change(async (registry) => {
    const named = await findNamedUser(registry, name)
    await rejectOnlyAdmin(registry, named, 'demoted')
    const { isAdmin: _, ...user } = named
    await registry.put('users', user)
  })

/** A change of the password by the user. */
interface PasswordChange {
  readonly userId: string
  readonly oldPassword: string
  readonly newPassword: string
}

/**
 * Changes the password of a user and ends all sessions, even the session of the request (contract, token). Returns the
 * result of `openSession`, which runs in the same change: a later end of all sessions then ends the new session as
 * well.
 * @throws ApiError `passwordInvalid` when the old password is wrong; AccountError when the new one is too short; what
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
  if (user === undefined || !isRight) throw createPasswordError(user)
  const passwordHash = await hashValidPassword(newPassword)
  return store.registry.change(async (registry) => {
    const newest = await registry.findUser(userId)
    if (newest === undefined || !maySignIn(newest, user.passwordHash)) throw new ApiError('passwordInvalid')
    await putPassword(registry, newest, passwordHash)
    return openSession(registry)
  })
}
