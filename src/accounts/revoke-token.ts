import type { RegistryReader, Session } from '../store/registry/registry.ts'
import type { Store } from '../store/store.ts'
import { type ClientCredentials, checkClient } from './check-client.ts'
import { hashSecret } from './hash.ts'

const findSessionOf = async (registry: RegistryReader, hash: string): Promise<Session | undefined> =>
  (await registry.findSessionByRequestHash(hash)) ?? registry.findSessionByAccessHash(hash)

/**
 * Ends the session of an access or request token (RFC 7009). A token that is unknown or another app's changes nothing,
 * and that is no error.
 * @throws Refused `clientInvalid`
 */
export const revokeToken = async (
  store: Store,
  form: ClientCredentials & { readonly token: string },
): Promise<void> => {
  await checkClient(store.registry, form)
  const hash = hashSecret(form.token)
  const session = await findSessionOf(store.registry, hash)
  if (session?.clientId !== form.clientId) return
  await store.registry.change((registry) => registry.delete('sessions', session.id))
}
