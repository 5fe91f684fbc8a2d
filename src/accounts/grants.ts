import { Refused } from '../refused.ts'
import type { Store } from '../store/store.ts'
import type { World } from '../world.ts'
import { type ClientCredentials, checkClient } from './check-client.ts'
import { findUserByTypedName } from './find-user.ts'
import { hashSecret } from './hash.ts'
import { verifyPassword } from './passwords.ts'
import { dropSpareSessions } from './spare-sessions.ts'
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

/**
 * Decides when a password is checked, or refuses to; gives what the check gives. The user's id is undefined when nobody
 * has the name.
 */
export type CheckPassword = (userId: string | undefined, verify: () => Promise<boolean>) => Promise<boolean>

/**
 * Begins a session (interface 5.1, password). Sessions of the user that nothing can continue, and the longest unused of
 * more than 200, are dropped on the way.
 * @throws Refused `clientInvalid`, `passwordInvalid` (also, and after the same time, for an unknown user)
 */
export const grantByPassword = async (
  store: Store,
  form: PasswordGrant,
  world: World,
  checkPassword: CheckPassword,
): Promise<UserGrant> => {
  await checkClient(store.directory, form)
  const user = await findUserByTypedName(store.directory, form.username)
  const isRight = await checkPassword(user?.id, () => verifyPassword(form.password, user?.passwordHash))
  if (user === undefined || !isRight) throw new Refused('passwordInvalid')

  const { grant, pair } = issuePair('current', world)
  await store.directory.change(async (directory) => {
    // While the password was being checked, app and user may have been removed or the password changed.
    await checkClient(directory, form)
    const newestUser = await directory.findUser(user.id)
    if (newestUser?.passwordHash !== user.passwordHash) throw new Refused('passwordInvalid')

    await dropSpareSessions(directory, user.id, world)
    const createdAt = Math.floor(world.now() / 1000)
    await directory.putSession({
      id: world.newId(),
      userId: user.id,
      clientId: form.clientId,
      createdAt,
      pairs: [pair],
    })
  })
  return { ...grant, userId: user.id }
}

/**
 * Issues a new pair for a session (interface 5.1, refresh_token). The request token that was presented works until the
 * new pair is first used, so that a lost answer can be repeated; presented later, it ends the session (RFC 9700).
 * @throws Refused `clientInvalid`, `requestTokenInvalid`
 */
export const grantByRefresh = async (store: Store, form: RefreshGrant, world: World): Promise<UserGrant> => {
  await checkClient(store.directory, form)
  const requestHash = hashSecret(form.requestToken)
  const known = await store.directory.findSessionByRequestHash(requestHash)
  if (known?.clientId !== form.clientId) throw new Refused('requestTokenInvalid')

  const { grant, pair } = issuePair('pending', world)
  const isGranted = await store.directory.change(async (directory) => {
    const session = await directory.findSessionByRequestHash(requestHash)
    const used = session?.pairs.find((candidate) => candidate.requestHash === requestHash)
    if (!session || !used || isOver(used.requestExpiresAt, world)) return false
    if (used.state === 'retired') {
      // Refused only after this change: what throws inside it is undone.
      await directory.deleteSession(session.id)
      return false
    }
    await directory.putSession({ ...session, pairs: addPendingPair(session.pairs, used, pair, world) })
    return true
  })
  if (!isGranted) throw new Refused('requestTokenInvalid')
  return { ...grant, userId: known.userId }
}
