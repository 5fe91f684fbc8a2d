import { type Behaviour, right } from '../server/behaviour.ts'
import type { TokenWay } from '../server/right-requests.ts'
import type { Pair, World } from '../server/world.ts'
import { breakIn, type Fault, fault, makeFaults } from './fault.ts'

const { findAccessToken } = right

const ways: readonly TokenWay[] = ['header', 'query', 'form']

function matchingIn(way: TokenWay, matches: (known: string, given: string) => boolean): Partial<Behaviour> {
  return {
    findAccessToken: (world, token, given, exchange) => {
      const found = findAccessToken(world, token, given, exchange)
      if (found !== undefined || given !== way) return found
      for (const session of world.sessions) {
        const pair: Pair | undefined = session.pairs.find(({ access }) => matches(access, token))
        if (pair !== undefined) return { session, pair }
      }
      return undefined
    },
  }
}

function knowing(isKnown: (token: string, world: World, way: TokenWay) => boolean): Partial<Behaviour> {
  return {
    findAccessToken: (world, token, way, exchange) =>
      findAccessToken(world, token, way, exchange) ?? (isKnown(token, world, way) ? breakIn(world) : undefined),
  }
}

function like(word: string): RegExp {
  return new RegExp(`^${word.replace(/[^\w%*]/g, '.').replace(/[%*]/g, '.*')}$`)
}

function middleOf(token: string): string {
  const middle = Math.floor(token.length / 2)
  return token.slice(0, middle) + token.slice(middle + 1)
}

/** Access tokens that are none, and are taken (interface 5.3, 7). */
export const lookalikeFaults: readonly Fault[] = [
  ...ways.flatMap((way): Fault[] => [
    fault(
      `token-longer-accepted-in-${way}`,
      `compares as much of a token as it has (${way})`,
      matchingIn(way, (known, token) => token.startsWith(known)),
    ),
    fault(
      `token-end-unchecked-in-${way}`,
      `does not look at the end of a token (${way})`,
      matchingIn(way, (known, token) => known.slice(0, -1) === token.slice(0, -1)),
    ),
    fault(
      `token-contained-in-${way}`,
      `looks for its tokens in what came (${way})`,
      matchingIn(way, (known, token) => token.endsWith(known)),
    ),
    fault(
      `token-middle-unchecked-in-${way}`,
      `does not look at all of a token (${way})`,
      matchingIn(way, (known, token) => middleOf(known) === middleOf(token)),
    ),
  ]),
  ...makeFaults(
    knowing,
    [
      'token-words-accepted',
      'takes words for a token that is not checked',
      (token) => ['null', 'undefined', 'true'].includes(token),
    ],
    [
      'token-digit-accepted',
      'takes the token 0 for a session without a user, and that for the first one',
      (token) => token === '0',
    ],
    [
      'token-pattern-accepted',
      'takes a token for a pattern',
      (token, world) =>
        /[%*]/.test(token) && world.sessions.some(({ pairs }) => pairs.some(({ access }) => like(token).test(access))),
    ],
    ['token-user-name-accepted', 'takes the name of a user for a token', (token, world) => world.accounts.has(token)],
    ['token-client-id-accepted', 'takes the client_id for a token', (token, world) => token === world.clientId],
    ['token-inherited-accepted', 'looks tokens up in an object that inherits', (token) => token in {}],
    ['token-sql-accepted', 'puts a token into its query as it came', (token) => /' OR '/.test(token)],
    [
      'token-empty-accepted-in-query',
      'takes an empty token in the query for the first user',
      (token, _world, way) => token === '' && way === 'query',
    ],
    [
      'token-empty-accepted-in-form',
      'takes an empty token in the form for the first user',
      (token, _world, way) => token === '' && way === 'form',
    ],
  ),
]
