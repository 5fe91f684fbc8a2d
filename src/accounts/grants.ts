import { Refused } from '../refused.ts'
import type { App, Origin } from '../store/registry/registry.ts'
import type { Store } from '../store/store.ts'
import type { World } from '../world.ts'
import { beginSession } from './begin-session.ts'
import { type ClientCredentials, checkClient, isPublicApp } from './check-client.ts'
import { type CheckPassword, checkUser, mayEnter } from './check-user.ts'
import { hashSecret } from './hash.ts'
import { addPendingPair, type Grant, isOver, issuePair } from './token-pairs.ts'

/** The form of a password grant, decoded (interface 5.1). */
export interface PasswordGrant extends ClientCredentials {
  readonly username: string
  readonly password: string
}

/** The form of a refresh_token grant, decoded (interface 5.1). */
export interface RefreshGrant extends ClientCredentials {
  readonly requestToken: string
}

/** A grant, and whose session it is. */
export interface UserGrant extends Grant {
  readonly userId: string
}

/** An app that cannot keep a secret must not see passwords. */
const refusePublicApp = (app: App): void => {
  if (isPublicApp(app)) throw new Refused('appIsPublic')
}

/**
 * Begins a session (interface 5.1, password). Sessions of the user that nothing can continue, and the longest unused of
 * more than 200, are dropped on the way.
 * @throws Refused `clientInvalid`, `appIsPublic`, `passwordInvalid` (also, and after the same time, for a user who is
 *   unknown or disabled)
 */
export const grantByPassword = async (
  store: Store,
  form: PasswordGrant,
  world: World,
  checkPassword: CheckPassword,
  origin?: Origin,
): Promise<UserGrant> => {
  refusePublicApp(await checkClient(store.registry, form))
  const user = await checkUser(store, form, checkPassword)

  const grant = await store.registry.change(async (registry) => {
    // While the password was being checked, app and user may have been removed or the password changed.
    await checkClient(registry, form)
    const newestUser = await registry.findUser(user.id)
    if (!mayEnter(newestUser, user.passwordHash)) throw new Refused('passwordInvalid')

    const { clientId } = form
    return (await beginSession(registry, { userId: user.id, clientId, began: 'password', origin }, world)).grant
  })
  return { ...grant, userId: user.id }
}

/**
 * Issues a new pair for a session (interface 5.1, refresh_token). The request token that was presented works until the
 * new pair is first used, so that a lost answer can be repeated; presented later, it ends the session (RFC 9700).
 * @throws Refused `clientInvalid`, `requestTokenInvalid`
 */
export const grantByRefresh = async (
  store: Store,
  form: RefreshGrant,
  world: World,
  origin?: Origin,
): Promise<UserGrant> => {
  await checkClient(store.registry, form)
  const requestHash = hashSecret(form.requestToken)
  const known = await store.registry.findSessionByRequestHash(requestHash)
  if (known?.clientId !== form.clientId) throw new Refused('requestTokenInvalid')

  const { grant, pair } = issuePair('pending', world)
  const isGranted = await store.registry.change(async (registry) => {
    const session = await registry.findSessionByRequestHash(requestHash)
    const used = session?.pairs.find((candidate) => candidate.requestHash === requestHash)
    if (!session || !used || session.isSuspended || isOver(used.requestExpiresAt, world)) return false
    if (used.state === 'retired') {
      // Refused only after this change: what throws inside it is undone.
      await registry.delete('sessions', session.id)
      return false
    }
    await registry.put('sessions', {
      ...session,
      pairs: addPendingPair(session.pairs, used, pair, world),
      ...(origin === undefined ? {} : { origin }),
      lastUsedAt: Math.floor(world.now() / 1000),
    })
    return true
  })
  if (!isGranted) throw new Refused('requestTokenInvalid')
  return { ...grant, userId: known.userId }
}
