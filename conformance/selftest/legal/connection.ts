import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../../src/random.ts'
import { right } from '../server/behaviour.ts'
import { Refusal } from '../server/refusal.ts'
import { findPair } from '../server/right-tokens.ts'
import type { Pair, Session } from '../server/world.ts'
import type { LegalDifference } from './difference.ts'

const { findRequestToken } = right

function isRefreshed(session: Session, pair: Pair): boolean {
  return session.pairs.some(({ parent }) => parent === pair)
}

/** Differences in connections, tokens and what there is at all. */
export const legalConnections: readonly LegalDifference[] = [
  {
    id: 'slow-chunked',
    title: 'sends its answers in small slow pieces',
    profile: 'full',
    behaviour: () => ({ chunks: { bytes: 3000, pause: 1 } }),
  },
  {
    id: 'slow',
    title: 'takes a while for each answer, each time another',
    profile: 'full',
    behaviour: () => {
      const random = createRandom('slow')
      return { delay: () => sleep(random() * 30) }
    },
  },
  {
    id: 'connection-closed',
    title: 'closes the connection after each answer',
    profile: 'full',
    behaviour: () => ({ reply: (reply) => ({ ...reply, headers: { ...reply.headers, connection: 'close' } }) }),
  },
  {
    id: 'connection-closed-quietly',
    title: 'closes the connection after each answer and does not say so',
    profile: 'full',
    behaviour: () => ({ closesQuietly: true }),
  },
  {
    id: 'throttled',
    title: 'answers 429 with Retry-After now and then',
    profile: 'full',
    behaviour: () => {
      let count = 0
      return {
        delay: async () => {
          count += 1
          if (count % 200 === 0) throw new Refusal('throttled', 'Slow down', { 'retry-after': '1' })
        },
      }
    },
  },
  {
    id: 'throttled-streams',
    title: 'answers 429 with Retry-After to the first stream of each session',
    profile: 'full',
    behaviour: () => {
      const known = new Set<string | undefined>()
      return {
        delay: async ({ path, authorization }) => {
          if (path !== 'sync/events' || known.has(authorization)) return
          known.add(authorization)
          throw new Refusal('throttled', 'Slow down', { 'retry-after': '1' })
        },
      }
    },
  },
  {
    id: 'header-bearer-only',
    title: 'reads no header but `Bearer token`',
    profile: 'core',
    behaviour: () => ({ schemes: ['bearer'], readsNamedToken: false, readsQuotedToken: false }),
  },
  {
    id: 'header-oauth-only',
    title: 'reads no header but `OAuth token`',
    profile: 'core',
    behaviour: () => ({ schemes: ['oauth'], readsNamedToken: false, readsQuotedToken: false }),
  },
  {
    id: 'header-named-only',
    title: 'reads no header but `access_token=token`',
    profile: 'core',
    behaviour: () => ({ schemes: [''], readsQuotedToken: false }),
  },
  {
    id: 'header-token-only',
    title: 'reads no header but `Token token`',
    profile: 'core',
    behaviour: () => ({ schemes: ['token'], readsNamedToken: false }),
  },
  {
    id: 'request-token-once',
    title: 'takes each request token once',
    profile: 'core',
    behaviour: () => ({
      endsReusedSession: false,
      findRequestToken: (world, token) => {
        const found = findRequestToken(world, token)
        return found !== undefined && isRefreshed(found.session, found.pair) ? undefined : found
      },
    }),
  },
  {
    id: 'request-token-often',
    title: 'takes each request token as often as it comes',
    profile: 'core',
    behaviour: () => ({ endsReusedSession: false }),
  },
  {
    id: 'refresh-ends-old-access',
    title: 'ends an access token when it is refreshed',
    profile: 'core',
    behaviour: () => ({
      findAccessToken: (world, token) => {
        const found = findPair(world, 'access', token)
        return found !== undefined && isRefreshed(found.session, found.pair) ? undefined : found
      },
    }),
  },
  {
    id: 'access-tokens-expire-soon',
    title: 'lets access tokens expire after five seconds, and says so',
    profile: 'core',
    behaviour: () => {
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
    },
  },
  {
    id: 'tokens-are-odd',
    title: 'gives tokens of every character that a header can carry',
    profile: 'full',
    behaviour: () => ({
      newToken: (kind, username, old) => `${right.newToken(kind, username, old)}~.+/-_=`,
      readsQuotedToken: true,
    }),
  },
  {
    id: 'refresh-token-unnamed',
    title: 'has no refresh_token beside request_token',
    profile: 'core',
    behaviour: () => ({
      tokenAnswer: ({ refresh_token: _alias, ...answer }) => answer,
      tokenHeaders: {},
      readsBasic: false,
    }),
  },
  {
    id: 'only-token-and-sync',
    title: 'has no operations but token and sync',
    profile: 'core',
    behaviour: () => ({ operations: ['token', 'sync'] }),
  },
]
