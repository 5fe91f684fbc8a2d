import { type Behaviour, right } from '../server/behaviour.ts'
import type { TokenWay } from '../server/right-requests.ts'
import type { Pair, World } from '../server/world.ts'
import { breakIn, type Fault } from './fault.ts'

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
    {
      id: `token-longer-accepted-in-${way}`,
      title: `compares as much of a token as it has (${way})`,
      behaviour: matchingIn(way, (known, token) => token.startsWith(known)),
    },
    {
      id: `token-end-unchecked-in-${way}`,
      title: `does not look at the end of a token (${way})`,
      behaviour: matchingIn(way, (known, token) => known.slice(0, -1) === token.slice(0, -1)),
    },
    {
      id: `token-contained-in-${way}`,
      title: `looks for its tokens in what came (${way})`,
      behaviour: matchingIn(way, (known, token) => token.endsWith(known)),
    },
    {
      id: `token-middle-unchecked-in-${way}`,
      title: `does not look at all of a token (${way})`,
      behaviour: matchingIn(way, (known, token) => middleOf(known) === middleOf(token)),
    },
  ]),
  {
    id: 'token-words-accepted',
    title: 'takes words for a token that is not checked',
    behaviour: knowing((token) => ['null', 'undefined', 'true'].includes(token)),
  },
  {
    id: 'token-digit-accepted',
    title: 'takes the token 0 for a session without a user, and that for the first one',
    behaviour: knowing((token) => token === '0'),
  },
  {
    id: 'token-pattern-accepted',
    title: 'takes a token for a pattern',
    behaviour: knowing(
      (token, world) =>
        /[%*]/.test(token) && world.sessions.some(({ pairs }) => pairs.some(({ access }) => like(token).test(access))),
    ),
  },
  {
    id: 'token-user-name-accepted',
    title: 'takes the name of a user for a token',
    behaviour: knowing((token, world) => world.accounts.has(token)),
  },
  {
    id: 'token-client-id-accepted',
    title: 'takes the client_id for a token',
    behaviour: knowing((token, world) => token === world.clientId),
  },
  {
    id: 'token-inherited-accepted',
    title: 'looks tokens up in an object that inherits',
    behaviour: knowing((token) => token in {}),
  },
  {
    id: 'token-sql-accepted',
    title: 'puts a token into its query as it came',
    behaviour: knowing((token) => /' OR '/.test(token)),
  },
  {
    id: 'token-empty-accepted-in-query',
    title: 'takes an empty token in the query for the first user',
    behaviour: knowing((token, _world, way) => token === '' && way === 'query'),
  },
  {
    id: 'token-empty-accepted-in-form',
    title: 'takes an empty token in the form for the first user',
    behaviour: knowing((token, _world, way) => token === '' && way === 'form'),
  },
]
