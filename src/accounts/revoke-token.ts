import type { DirectoryReader, Session } from '../store/directory.ts'
import type { Store } from '../store/store.ts'
import { type ClientCredentials, checkClient } from './check-client.ts'
import { hashSecret } from './hash.ts'

const findSessionOf = async (directory: DirectoryReader, hash: string): Promise<Session | undefined> =>
  (await directory.findSessionByRequestHash(hash)) ?? directory.findSessionByAccessHash(hash)

/**
 * Ends the session of an access or request token (RFC 7009). A token that is unknown or another app's changes nothing,
 * and that is no error.
 * @throws Refused `clientInvalid`
 */
export const revokeToken = async (
  store: Store,
  form: ClientCredentials & { readonly token: string },
): Promise<void> => {
  await checkClient(store.directory, form)
  const hash = hashSecret(form.token)
  const session = await findSessionOf(store.directory, hash)
  if (session?.clientId !== form.clientId) return
  await store.directory.change((directory) => directory.deleteSession(session.id))
}
