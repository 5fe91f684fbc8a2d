import { maxNameLength } from '../store/registry/fold-name.ts'
import type { RegistryReader, User } from '../store/registry/registry.ts'

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
