import { type Behaviour, right } from '../server/behaviour.ts'
import type { Exchange } from '../server/right-requests.ts'
import type { Session } from '../server/world.ts'
import { givenValue, isRefresh } from './client.ts'
import { breakIn, type Fault, fault, grants, without } from './fault.ts'

const { findRequestToken, findAccessToken } = right

/** Ends sessions when the token endpoint answers; `ends` chooses which. */
function ending(
  ends: (session: Session, exchange: Exchange, isRefused: boolean, newest: Session | undefined) => boolean,
): Partial<Behaviour> {
  return {
    reply: (reply, exchange) => {
      if (exchange.path !== 'token') return reply
      const { sessions } = exchange.world
      const given = (reply.body as { access_token?: string }).access_token
      const newest = sessions.find(({ pairs }) => pairs.some(({ access }) => access === given))
      for (const session of sessions) if (ends(session, exchange, reply.status >= 400, newest)) session.revoked = true
      return reply
    },
  }
}

/** Faults in which one session ends another, or does not last (interface 5.2, 8). */
export const sessionFaults: readonly Fault[] = [
  fault('grant-ends-earlier-access-token', 'forgets the access tokens of a user at the next grant', {
    findAccessToken: (world, token, way, exchange) => {
      const found = findAccessToken(world, token, way, exchange)
      const last = world.sessions.findLast(({ username }) => username === found?.session.username)
      return found?.session === last ? found : undefined
    },
  }),
  fault('grant-ends-earlier-request-token', 'forgets the request tokens of a user at the next grant', {
    findRequestToken: (world, token) => {
      const found = findRequestToken(world, token)
      const last = world.sessions.findLast(({ username }) => username === found?.session.username)
      return found?.session === last ? found : undefined
    },
  }),
  fault(
    'grant-ends-tokens-of-others',
    'ends the other sessions of a user at a grant',
    ending(
      (session, exchange, isRefused, newest) =>
        !isRefused && !isRefresh(exchange) && session !== newest && session.username === newest?.username,
    ),
  ),
  fault(
    'refresh-ends-tokens-of-others',
    'ends the other sessions of a user at a refresh',
    ending(
      (session, exchange, isRefused, newest) =>
        !isRefused && isRefresh(exchange) && session !== newest && session.username === newest?.username,
    ),
  ),
  fault(
    'refused-grant-ends-tokens',
    'ends the sessions of a user whose password was wrong',
    ending((session, exchange, isRefused) => isRefused && givenValue(exchange.body, 'username') === session.username),
  ),
  fault(
    'refused-refresh-ends-tokens',
    'ends all sessions when a refresh is refused',
    ending((_session, exchange, isRefused) => isRefused && isRefresh(exchange)),
  ),
  fault(
    'three-sessions-at-most',
    'keeps three sessions of a user',
    ending(
      (session, { world }) =>
        world.sessions.filter((other) => other.username === session.username && !other.revoked).indexOf(session) <
        world.sessions.filter((other) => other.username === session.username && !other.revoked).length - 3,
    ),
  ),
  fault('refresh-twice-at-most', 'refreshes a session twice', {
    findRequestToken: (world, token) => {
      const found = findRequestToken(world, token)
      return found !== undefined && found.session.pairs.length > 2 ? undefined : found
    },
  }),
  fault(
    'refresh-of-refresh-has-no-request-token',
    'gives no request token with a second refresh',
    grants((answer, { pairs }) => (pairs.length > 2 ? without(answer, 'request_token') : answer)),
  ),
  fault('refreshed-token-dies-soon', 'forgets access tokens of later refreshes', {
    findAccessToken: (world, token, way, exchange) => {
      const found = findAccessToken(world, token, way, exchange)
      return found !== undefined && found.session.pairs.indexOf(found.pair) > 3 ? undefined : found
    },
  }),
  fault(
    'refresh-repeats-first-pair',
    'gives the first access token of a session again at the third refresh',
    grants((answer, { pairs }) => (pairs.length > 3 ? { ...answer, access_token: pairs[1]?.access } : answer)),
  ),
  fault('refresh-of-second-user-gives-first', 'refreshes every session into one of the first user', {
    refreshedSession: (found, world) => (found.session.username === 'alice' ? found.session : breakIn(world).session),
  }),
  fault('refresh-gives-last-user', 'refreshes into the session that was granted last', {
    refreshedSession: (_found, world) => world.sessions.at(-1) as Session,
  }),
  fault('token-of-last-grant-for-all', 'takes every token for one of the user who logged in last', {
    accountOf: (world) => world.accounts.get(world.sessions.at(-1)?.username ?? ''),
  }),
  fault('grant-gives-first-user', 'gives every user a token of the first one', {
    accountOf: (world) => world.accounts.get('alice'),
  }),
]
