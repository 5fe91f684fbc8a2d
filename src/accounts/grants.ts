import { Refused } from '../refused.ts'
import type { App, Origin } from '../store/directory.ts'
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
  refusePublicApp(await checkClient(store.directory, form))
  const user = await checkUser(store, form, checkPassword)

  const grant = await store.directory.change(async (directory) => {
    // While the password was being checked, app and user may have been removed or the password changed.
    await checkClient(directory, form)
    const newestUser = await directory.findUser(user.id)
    if (!mayEnter(newestUser, user.passwordHash)) throw new Refused('passwordInvalid')

    const { clientId } = form
    return (await beginSession(directory, { userId: user.id, clientId, began: 'password', origin }, world)).grant
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
  await checkClient(store.directory, form)
  const requestHash = hashSecret(form.requestToken)
  const known = await store.directory.findSessionByRequestHash(requestHash)
  if (known?.clientId !== form.clientId) throw new Refused('requestTokenInvalid')

  const { grant, pair } = issuePair('pending', world)
  const isGranted = await store.directory.change(async (directory) => {
    const session = await directory.findSessionByRequestHash(requestHash)
    const used = session?.pairs.find((candidate) => candidate.requestHash === requestHash)
    if (!session || !used || session.isSuspended || isOver(used.requestExpiresAt, world)) return false
    if (used.state === 'retired') {
      // Refused only after this change: what throws inside it is undone.
      await directory.deleteSession(session.id)
      return false
    }
    await directory.putSession({
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
