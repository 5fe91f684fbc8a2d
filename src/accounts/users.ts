import { ApiError } from '../api-error.ts'
import type { Environment } from '../environment.ts'
import { maxNameLength, type RegistryDraft, type RegistryReader, type User } from '../store/registry/registry.ts'
import type { Store } from '../store/store.ts'
import { deleteUnusedApps } from './apps.ts'
import { AccountError, validateName } from './names.ts'
import { hashPassword, isCheckableHash, nobodysPasswordHash, verifyPassword } from './passwords.ts'
import { deleteCodesAndLinks, deleteInvitations, endAllSessions, endBrowserSessions } from './sessions.ts'

/** A user's name and password, as the operator gives them. */
interface UserWithPassword {
  readonly name: string
  readonly password: string
}

const minPasswordCharacters = 8

/** Hashes a password that is long enough. @throws AccountError when it has fewer than 8 characters */
export const hashValidPassword = (password: string): Promise<string> => {
  if ([...password].length < minPasswordCharacters) {
    throw new AccountError(`the password must have at least ${minPasswordCharacters} characters`)
  }
  return hashPassword(password)
}

/** The user of a name as a person types it. @throws AccountError when there is none, or the name is too long */
export const findNamedUser = async (registry: RegistryReader, name: string): Promise<User> => {
  if (isNameTooLong(name)) throw new AccountError(`the user name ${nameTooLong}; "user list" shows all users`)
  const user = await findUserByTypedName(registry, name)
  if (user === undefined) throw new AccountError(`there is no user "${name}"; "user list" shows all users`)
  return user
}

/** Refuses a name that is not allowed; gives it as it is kept: without outer spaces and composed (NFC). */
export const normalizeUserName = (given: string): string => {
  validateName('user', given)
  const name = given.trim().normalize('NFC')
  validateName('user', name)
  return name
}

/** The name as it is kept, if it is free. @throws AccountError when it is not allowed or taken */
export const findFreeName = async (registry: RegistryReader, given: string): Promise<string> => {
  const name = normalizeUserName(given)
  const [taken] = await registry.listUsersNamedLike(name)
  if (taken !== undefined) throw new AccountError(`user "${taken.name}" exists already; choose another name`)
  return name
}

/**
 * Adds a user within a change of the registry. The first of all is admin.
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
 * Adds a user with an empty account. The name is kept without outer spaces and composed (NFC).
 * @throws AccountError when the name is not allowed or taken, be it in another case, or the password has fewer than 8
 *   characters
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

/** All users of the server. */
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
 * Removes a user with all sessions, all data, the invitations of that name and the apps that nobody else uses, for
 * good. When it is interrupted nobody can log in as the user any more, and it can be run again. The last user of all
 * may go, admin or not: then the server starts afresh.
 * @throws AccountError when there is no such user, or nobody else is admin
 */
export const removeUser = async (store: Store, name: string): Promise<void> => {
  const userId = await store.registry.change(async (registry) => {
    const user = await findNamedUser(registry, name)
    const isLast = (await registry.listUsers()).length === 1
    if (!isLast) await rejectOnlyAdmin(registry, user, 'removed')
    // No admin from here on, so that nobody counts on one who is about to go.
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
 * Decides when a password is checked, or refuses to; gives what the check gives. The user's id is undefined when nobody
 * has the name.
 */
export type CheckPassword = (userId: string | undefined, verify: () => Promise<boolean>) => Promise<boolean>

/** True for a user who is there, is not disabled, and still has the password that was checked. */
export const maySignIn = (user: User | undefined, checkedHash: string): boolean =>
  user !== undefined && user.disabledAt === undefined && user.passwordHash === checkedHash

/**
 * The error for a wrong password. The client learns nothing more; the log says when the hash of the user is one that no
 * password is checked against (`isCheckableHash`).
 */
const createPasswordError = (user: User | undefined): ApiError =>
  new ApiError('passwordInvalid', user && !isCheckableHash(user.passwordHash) ? { hash: 'not checkable' } : {})

/**
 * The user who has this name and password. Whoever changes the registry for the user asks `maySignIn` in that change:
 * meanwhile the user may have been removed or disabled, or have another password.
 * @throws ApiError `passwordInvalid`, after the same time for a user who is unknown or disabled; what the check throws
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
 * True for a text that is too long to be a user name. Refuse it where it is read, before any other work is done with it,
 * with `nameTooLong`.
 */
export const isNameTooLong = (name: string): boolean => name.length > maxNameLength

/** What is wrong with such a text, to follow the name of its field. */
export const nameTooLong = 'is too long: a user name has at most 200 characters'

/**
 * The user whom a person means by a name: the one who is called exactly so, with or without outer spaces; else the only
 * one whose name differs by nothing but case and the like. A backup that another program wrote may bring
 * "Anna" and "anna": each is found by the exact name, and "ANNA" is neither. Nobody has a name that is too long (`isNameTooLong`).
 */
export const findUserByTypedName = async (registry: UserFinder, name: string): Promise<User | undefined> => {
  if (isNameTooLong(name)) return undefined
  const exact = (await registry.findUserByName(name)) ?? (await registry.findUserByName(name.trim()))
  if (exact !== undefined) return exact
  const [alike, another] = await registry.listUsersNamedLike(name)
  return another === undefined ? alike : undefined
}

/**
 * Gives a user another name, or the same in another spelling; things, sessions, tokens and browsers stay as they are, and
 * the old name is free. Invitations of the new name end, because it is taken now. Gives the name as it is kept.
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
 * Keeps a user out: nobody can sign in as the user and no token works. Sessions of apps and personal tokens are suspended,
 * so that enabling gives them back; browsers have to sign in again.
 * @throws AccountError when there is no such user, or nobody else is admin
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
 * Lets a disabled user in again, with the sessions and tokens of before.
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
 * The users who may do what the admin pages offer. Where no admin is marked, as when the removal of the last user was
 * interrupted or a repair went on without one, it is the user who was created first.
 */
export const listAdmins = async (registry: AdminReader): Promise<readonly User[]> => {
  const marked = await registry.listMarkedAdmins()
  if (marked.length > 0) return marked
  const [first, ...others] = await registry.listUsers()
  if (first === undefined) return []
  return [others.reduce((earliest, user) => (user.createdAt < earliest.createdAt ? user : earliest), first)]
}

/** Registries in which an admin is marked. They keep one (`rejectOnlyAdmin`), so that nobody who is not marked is one. */
const haveMarked = new WeakSet<object>()

/** True when the user is one of `listAdmins`. The store is asked once: each page asks it of whoever looks at it. */
export const isAdmin = async (registry: AdminReader, user: User): Promise<boolean> => {
  if (user.isAdmin === true) return true
  if (haveMarked.has(registry)) return false
  const admins = await listAdmins(registry)
  if (admins.some(({ isAdmin }) => isAdmin === true)) haveMarked.add(registry)
  return admins.some(({ id }) => id === user.id)
}

/**
 * Keeps the server from being left to nobody, or to whoever was made first, by chance.
 * @throws AccountError when the user is admin and nobody else who may come in is
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
    `user "${user.name}" is the only admin and cannot be ${fate}; make another one first with "user promote NAME"`,
  )
}

/**
 * Makes a user admin, beside those who are.
 * @throws AccountError when there is no such user, or the user is disabled
 */
export const promoteUser = (store: Store, name: string): Promise<void> =>
  store.registry.change(async (registry) => {
    const user = await findNamedUser(registry, name)
    if (user.disabledAt !== undefined) {
      throw new AccountError(`user "${user.name}" is disabled; enable the user first`)
    }
    // Where nobody is marked, the admin would cease to be one when the first is.
    for (const admin of await listAdmins(registry)) await registry.put('users', { ...admin, isAdmin: true })
    await registry.put('users', { ...user, isAdmin: true })
  })

/**
 * Takes the admin pages from a user, who stays.
 * @throws AccountError when there is no such user, or nobody else is admin
 */
export const demoteUser = (store: Store, name: string): Promise<void> =>
  store.registry.change(async (registry) => {
    const named = await findNamedUser(registry, name)
    await rejectOnlyAdmin(registry, named, 'demoted')
    const { isAdmin: _, ...user } = named
    await registry.put('users', user)
  })

/** A user's own change of password. */
interface PasswordChange {
  readonly userId: string
  readonly oldPassword: string
  readonly newPassword: string
}

/**
 * Lets a user change the password; all sessions end, also the one that asked for it (contract, token). Gives what
 * `openSession` gives, which is done in the same change: whatever ends sessions right after it ends that one, too.
 * @throws ApiError `passwordInvalid` when the old one is wrong; AccountError when the new one is too short; what
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
