import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../../src/random.ts'
import { right } from '../server/behaviour.ts'
import { Refusal } from '../server/refusal.ts'
import { findPair } from '../server/right-tokens.ts'
import type { Pair, Session } from '../server/world.ts'
import { type LegalDifference, legal } from './difference.ts'

const { findRequestToken } = right

function isRefreshed(session: Session, pair: Pair): boolean {
  return session.pairs.some(({ parent }) => parent === pair)
}

/** Differences in connections, tokens and what there is at all. */
export const legalConnections: readonly LegalDifference[] = [
  legal('full', 'slow-chunked', 'sends its answers in small slow pieces', () => ({
    chunks: { bytes: 3000, pause: 1 },
  })),
  legal('full', 'slow', 'takes a while for each answer, each time another', () => {
    const random = createRandom('slow')
    return { delay: () => sleep(random() * 30) }
  }),
  legal('full', 'connection-closed', 'closes the connection after each answer', () => ({
    reply: (reply) => ({ ...reply, headers: { ...reply.headers, connection: 'close' } }),
  })),
  legal('full', 'connection-closed-quietly', 'closes the connection after each answer and does not say so', () => ({
    closesQuietly: true,
  })),
  legal('full', 'throttled', 'answers 429 with Retry-After now and then', () => {
    let count = 0
    return {
      delay: async () => {
        count += 1
        if (count % 200 === 0) throw new Refusal('throttled', 'Slow down', { 'retry-after': '1' })
      },
    }
  }),
  legal('full', 'throttled-streams', 'answers 429 with Retry-After to the first stream of each session', () => {
    const known = new Set<string | undefined>()
    return {
      delay: async ({ path, authorization }) => {
        if (path !== 'sync/events' || known.has(authorization)) return
        known.add(authorization)
        throw new Refusal('throttled', 'Slow down', { 'retry-after': '1' })
      },
    }
  }),
  legal('core', 'header-bearer-only', 'reads no header but `Bearer token`', () => ({
    schemes: ['bearer'],
    readsNamedToken: false,
    readsQuotedToken: false,
  })),
  legal('core', 'header-oauth-only', 'reads no header but `OAuth token`', () => ({
    schemes: ['oauth'],
    readsNamedToken: false,
    readsQuotedToken: false,
  })),
  legal('core', 'header-named-only', 'reads no header but `access_token=token`', () => ({
    schemes: [''],
    readsQuotedToken: false,
  })),
  legal('core', 'header-token-only', 'reads no header but `Token token`', () => ({
    schemes: ['token'],
    readsNamedToken: false,
  })),
  legal('core', 'request-token-once', 'takes each request token once', () => ({
    endsReusedSession: false,
    findRequestToken: (world, token) => {
      const found = findRequestToken(world, token)
      return found !== undefined && isRefreshed(found.session, found.pair) ? undefined : found
    },
  })),
  legal('core', 'request-token-often', 'takes each request token as often as it comes', () => ({
    endsReusedSession: false,
  })),
  legal('core', 'refresh-ends-old-access', 'ends an access token when it is refreshed', () => ({
    findAccessToken: (world, token) => {
      const found = findPair(world, 'access', token)
      return found !== undefined && isRefreshed(found.session, found.pair) ? undefined : found
    },
  })),
  legal('core', 'access-tokens-expire-soon', 'lets access tokens expire after five seconds, and says so', () => {
    const granted = new Map<string, number>()
    return {
      tokenAnswer: (answer) => {
        granted.set(String(answer.access_token), Date.now())
        return { ...answer, expires_in: 5 }
      },
      findAccessToken: (world, token, way, exchange) => {
        const expired = Date.now() - (granted.get(token) ?? 0) > 5000
        return expired ? undefined : right.findAccessToken(world, token, way, exchange)
      },
    }
  }),
  legal('full', 'tokens-are-odd', 'gives tokens of every character that a header can carry', () => ({
    newToken: (kind, username, old) => `${right.newToken(kind, username, old)}~.+/-_=`,
    readsQuotedToken: true,
  })),
  legal('core', 'refresh-token-unnamed', 'has no refresh_token beside request_token', () => ({
    tokenAnswer: ({ refresh_token: _alias, ...answer }) => answer,
    tokenHeaders: {},
    readsBasic: false,
  })),
  legal('core', 'only-token-and-sync', 'has no operations but token and sync', () => ({
    operations: ['token', 'sync'],
  })),
]
