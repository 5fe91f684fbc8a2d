import type { User } from '../../store/registry/registry.ts'
import type { PageTools, SignedInRequest } from '../page.ts'
import { PageRefused } from '../page-refused.ts'

/** The user of the address. @throws PageRefused when there is none */
export const findPerson = async ({ params }: SignedInRequest, { store }: PageTools): Promise<User> => {
  const user = await store.registry.findUser(params.id ?? '')
  if (user === undefined) throw new PageRefused('unknown')
  return user
}
