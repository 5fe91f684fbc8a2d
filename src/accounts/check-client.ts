import { Refused } from '../refused.ts'
import type { DirectoryReader } from '../store/directory.ts'
import { hashSecret, isSameHash } from './hash.ts'

/** The credentials of an app (interface 5.1). */
export interface ClientCredentials {
  readonly clientId: string
  readonly clientSecret: string
}

/**
 * Makes sure that the credentials are those of a registered app.
 * @throws Refused `clientInvalid`
 */
export const checkClient = async (
  directory: Pick<DirectoryReader, 'findApp'>,
  { clientId, clientSecret }: ClientCredentials,
): Promise<void> => {
  const app = await directory.findApp(clientId)
  if (!isSameHash(hashSecret(clientSecret), app?.secretHash ?? '')) throw new Refused('clientInvalid')
}
