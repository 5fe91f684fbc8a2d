import type { TokenPair } from '../store/registry/registry.ts'
import type { World } from '../world.ts'
import { hashSecret } from './hash.ts'

/** What a grant answers (interface 5.2). The only time that the tokens themselves are seen. */
export interface Grant {
  readonly accessToken: string
  readonly requestToken: string
  readonly expiresInSeconds: number
}

const accessSeconds = 3600
const requestSeconds = 90 * 24 * 3600
const keptPendingPairs = 5
// Each refresh leaves a retired pair behind; the reuse of one older than these is refused but ends no session.
const keptRetiredPairs = 100

const inSeconds = (world: World, seconds: number) => Math.ceil(world.now() / 1000) + seconds

/** True when a time of a token pair, in Unix seconds, has come. */
export const isOver = (expiresAt: number, world: World): boolean => world.now() >= expiresAt * 1000

/** A new pair of tokens: the grant to answer and the hashes to keep. */
export const issuePair = (state: 'pending' | 'current', world: World): { grant: Grant; pair: TokenPair } => {
  const grant = { accessToken: world.newSecret(), requestToken: world.newSecret(), expiresInSeconds: accessSeconds }
  const pair = {
    accessHash: hashSecret(grant.accessToken),
    accessExpiresAt: inSeconds(world, accessSeconds),
    requestHash: hashSecret(grant.requestToken),
    requestExpiresAt: inSeconds(world, requestSeconds),
    state,
  }
  return { grant, pair }
}

/** A pair that was used is the current one; the pairs that it replaces, used or not, are retired. */
export const usePair = (pairs: readonly TokenPair[], used: TokenPair): TokenPair[] =>
  pairs.map((pair) => ({ ...pair, state: pair.requestHash === used.requestHash ? 'current' : 'retired' }))

/** The pairs after a refresh with the request token of `used`, whose 90 days begin anew, has issued a pending pair. */
export const addPendingPair = (
  pairs: readonly TokenPair[],
  used: TokenPair,
  pending: TokenPair,
  world: World,
): TokenPair[] => {
  const active = used.state === 'pending' ? usePair(pairs, used) : pairs
  const renewed = active.map((pair) =>
    pair.requestHash === used.requestHash ? { ...pair, requestExpiresAt: inSeconds(world, requestSeconds) } : pair,
  )
  const inState = (state: TokenPair['state']) => renewed.filter((pair) => pair.state === state)
  return [
    ...inState('retired')
      .filter((pair) => !isOver(pair.requestExpiresAt, world))
      .slice(-keptRetiredPairs),
    ...inState('current'),
    ...[...inState('pending'), pending].slice(-keptPendingPairs),
  ]
}
