import type { RegistryReader, User } from '../store/registry/registry.ts'

type UserFinder = Pick<RegistryReader, 'findUserByName' | 'listUsersNamedLike'>

/**
 * The user whom a person means by a name: the one who is called exactly so, with or without outer spaces; else the only
 * one whose name differs by nothing but case and the like. Older folders may hold "Anna" and "anna": each is found by
 * the exact name, and "ANNA" is neither.
 */
export const findUserByTypedName = async (registry: UserFinder, name: string): Promise<User | undefined> => {
  const exact = (await registry.findUserByName(name)) ?? (await registry.findUserByName(name.trim()))
  if (exact !== undefined) return exact
  const [alike, another] = await registry.listUsersNamedLike(name)
  return another === undefined ? alike : undefined
}
