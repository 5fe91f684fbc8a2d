import { type Behaviour, right } from '../server/behaviour.ts'
import type { Exchange } from '../server/right-requests.ts'
import type { Session } from '../server/world.ts'
import { givenValue, isRefresh } from './client.ts'
import { breakIn, type Fault, grants, without } from './fault.ts'

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
  {
    id: 'grant-ends-earlier-access-token',
    title: 'forgets the access tokens of a user at the next grant',
    behaviour: {
      findAccessToken: (world, token, way, exchange) => {
        const found = findAccessToken(world, token, way, exchange)
        const last = world.sessions.findLast(({ username }) => username === found?.session.username)
        return found?.session === last ? found : undefined
      },
    },
  },
  {
    id: 'grant-ends-earlier-request-token',
    title: 'forgets the request tokens of a user at the next grant',
    behaviour: {
      findRequestToken: (world, token) => {
        const found = findRequestToken(world, token)
        const last = world.sessions.findLast(({ username }) => username === found?.session.username)
        return found?.session === last ? found : undefined
      },
    },
  },
  {
    id: 'grant-ends-tokens-of-others',
    title: 'ends the other sessions of a user at a grant',
    behaviour: ending(
      (session, exchange, isRefused, newest) =>
        !isRefused && !isRefresh(exchange) && session !== newest && session.username === newest?.username,
    ),
  },
  {
    id: 'refresh-ends-tokens-of-others',
    title: 'ends the other sessions of a user at a refresh',
    behaviour: ending(
      (session, exchange, isRefused, newest) =>
        !isRefused && isRefresh(exchange) && session !== newest && session.username === newest?.username,
    ),
  },
  {
    id: 'refused-grant-ends-tokens',
    title: 'ends the sessions of a user whose password was wrong',
    behaviour: ending(
      (session, exchange, isRefused) => isRefused && givenValue(exchange.body, 'username') === session.username,
    ),
  },
  {
    id: 'refused-refresh-ends-tokens',
    title: 'ends all sessions when a refresh is refused',
    behaviour: ending((_session, exchange, isRefused) => isRefused && isRefresh(exchange)),
  },
  {
    id: 'three-sessions-at-most',
    title: 'keeps three sessions of a user',
    behaviour: ending(
      (session, { world }) =>
        world.sessions.filter((other) => other.username === session.username && !other.revoked).indexOf(session) <
        world.sessions.filter((other) => other.username === session.username && !other.revoked).length - 3,
    ),
  },
  {
    id: 'refresh-twice-at-most',
    title: 'refreshes a session twice',
    behaviour: {
      findRequestToken: (world, token) => {
        const found = findRequestToken(world, token)
        return found !== undefined && found.session.pairs.length > 2 ? undefined : found
      },
    },
  },
  {
    id: 'refresh-of-refresh-has-no-request-token',
    title: 'gives no request token with a second refresh',
    behaviour: grants((answer, { pairs }) => (pairs.length > 2 ? without(answer, 'request_token') : answer)),
  },
  {
    id: 'refreshed-token-dies-soon',
    title: 'forgets access tokens of later refreshes',
    behaviour: {
      findAccessToken: (world, token, way, exchange) => {
        const found = findAccessToken(world, token, way, exchange)
        return found !== undefined && found.session.pairs.indexOf(found.pair) > 3 ? undefined : found
      },
    },
  },
  {
    id: 'refresh-repeats-first-pair',
    title: 'gives the first access token of a session again at the third refresh',
    behaviour: grants((answer, { pairs }) =>
      pairs.length > 3 ? { ...answer, access_token: pairs[1]?.access } : answer,
    ),
  },
  {
    id: 'refresh-of-second-user-gives-first',
    title: 'refreshes every session into one of the first user',
    behaviour: {
      refreshedSession: (found, world) => (found.session.username === 'alice' ? found.session : breakIn(world).session),
    },
  },
  {
    id: 'refresh-gives-last-user',
    title: 'refreshes into the session that was granted last',
    behaviour: { refreshedSession: (_found, world) => world.sessions.at(-1) as Session },
  },
  {
    id: 'token-of-last-grant-for-all',
    title: 'takes every token for one of the user who logged in last',
    behaviour: { accountOf: (world) => world.accounts.get(world.sessions.at(-1)?.username ?? '') },
  },
  {
    id: 'grant-gives-first-user',
    title: 'gives every user a token of the first one',
    behaviour: { accountOf: (world) => world.accounts.get('alice') },
  },
]
