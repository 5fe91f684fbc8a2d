import { Refused } from '../refused.ts'
import type { Session, TokenPair } from '../store/registry/registry.ts'
import type { Store } from '../store/store.ts'
import type { World } from '../world.ts'
import { hashSecret } from './hash.ts'
import { isNoteDue, noteUse } from './last-use.ts'
import { isOver, usePair } from './token-pairs.ts'

const checkValid = (
  session: Session | undefined,
  accessHash: string,
  world: World,
): { session: Session; pair: TokenPair | undefined } => {
  if (session === undefined || session.isSuspended) throw new Refused('tokenInvalid')
  if (session.personal !== undefined) {
    const { expiresAt } = session.personal
    if (expiresAt !== undefined && isOver(expiresAt, world)) throw new Refused('tokenInvalid')
    return { session, pair: undefined }
  }
  const pair = session.pairs.find((candidate) => candidate.accessHash === accessHash)
  if (!pair || isOver(pair.accessExpiresAt, world)) throw new Refused('tokenInvalid')
  return { session, pair }
}

/** Whether an access token, by its hash, still works. Asks and changes nothing, unlike `findSession`. */
export const isTokenValid = async (store: Store, accessHash: string, world: World): Promise<boolean> => {
  try {
    checkValid(await store.registry.findSessionByAccessHash(accessHash), accessHash, world)
    return true
  } catch (error) {
    if (error instanceof Refused) return false
    throw error
  }
}

const notePersonalUse = async (store: Store, session: Session, world: World): Promise<Session> => {
  if (isNoteDue(session.lastUsedAt, world)) {
    await noteUse(store, async (registry) => {
      const newest = await registry.findSessionByAccessHash(session.personal?.hash ?? '')
      if (newest === undefined || !isNoteDue(newest.lastUsedAt, world)) return
      await registry.put('sessions', { ...newest, lastUsedAt: Math.floor(world.now() / 1000) })
    })
  }
  return session
}

/**
 * The session of an access token (interface 5.3), which may be a personal one. The first use of a new pair retires the
 * pairs before it; their access tokens stay valid until they expire.
 * @throws Refused `tokenInvalid` when the token is unknown or expired; StoreFailed when that cannot be told
 */
export const findSession = async (store: Store, accessToken: string, world: World): Promise<Session> => {
  const accessHash = hashSecret(accessToken)
  const { session, pair } = checkValid(await store.registry.findSessionByAccessHash(accessHash), accessHash, world)
  if (pair === undefined) return notePersonalUse(store, session, world)
  if (pair.state !== 'pending') return session

  return store.registry.change(async (registry) => {
    const newest = checkValid(await registry.findSessionByAccessHash(accessHash), accessHash, world)
    if (newest.pair?.state !== 'pending') return newest.session
    const lastUsedAt = Math.floor(world.now() / 1000)
    const used = { ...newest.session, pairs: usePair(newest.session.pairs, newest.pair), lastUsedAt }
    await registry.put('sessions', used)
    return used
  })
}
