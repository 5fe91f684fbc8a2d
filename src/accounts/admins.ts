import type { RegistryReader, User } from '../store/registry/registry.ts'
import { AccountRefused } from './account-refused.ts'

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

/** Registries in which an admin is marked. They keep one (`refuseOnlyAdmin`), so that nobody who is not marked is one. */
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
 * @throws AccountRefused when the user is admin and nobody else who may come in is
 */
export const refuseOnlyAdmin = async (
  registry: AdminReader,
  user: User,
  fate: 'disabled' | 'removed' | 'demoted',
): Promise<void> => {
  if (!(await isAdmin(registry, user))) return
  const admins = await listAdmins(registry)
  if (admins.some(({ id, disabledAt }) => id !== user.id && disabledAt === undefined)) return
  throw new AccountRefused(
    `user "${user.name}" is the only admin and cannot be ${fate}; make another one first with "user promote NAME"`,
  )
}
