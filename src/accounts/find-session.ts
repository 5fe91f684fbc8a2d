import { Refused } from '../refused.ts'
import type { Session, TokenPair } from '../store/directory.ts'
import type { Store } from '../store/store.ts'
import type { World } from '../world.ts'
import { hashSecret } from './hash.ts'
import { isOver, usePair } from './token-pairs.ts'

const checkValid = (
  session: Session | undefined,
  accessHash: string,
  world: World,
): { session: Session; pair: TokenPair } => {
  const pair = session?.pairs.find((candidate) => candidate.accessHash === accessHash)
  if (!session || !pair || isOver(pair.accessExpiresAt, world)) throw new Refused('tokenInvalid')
  return { session, pair }
}

/**
 * The session of an access token (interface 5.3). The first use of a new pair retires the pairs before it; their access
 * tokens stay valid until they expire.
 * @throws Refused `tokenInvalid` when the token is unknown or expired; StoreFailed when that cannot be told
 */
export const findSession = async (store: Store, accessToken: string, world: World): Promise<Session> => {
  const accessHash = hashSecret(accessToken)
  const { session, pair } = checkValid(await store.directory.findSessionByAccessHash(accessHash), accessHash, world)
  if (pair.state !== 'pending') return session

  return store.directory.change(async (directory) => {
    const newest = checkValid(await directory.findSessionByAccessHash(accessHash), accessHash, world)
    if (newest.pair.state !== 'pending') return newest.session
    const used = { ...newest.session, pairs: usePair(newest.session.pairs, newest.pair) }
    await directory.putSession(used)
    return used
  })
}
