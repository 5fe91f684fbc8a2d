import { type Behaviour, right } from '../server/behaviour.ts'
import type { Exchange, TokenWay } from '../server/right-requests.ts'
import type { Found } from '../server/right-tokens.ts'
import type { Pair, World } from '../server/world.ts'
import { addThing } from '../server/write.ts'
import { breakIn, errors, type Fault, fault, without } from './fault.ts'

const { findAccessToken } = right

function ignoring(way: TokenWay): Partial<Behaviour> {
  return { ways: right.ways.filter((other) => other !== way) }
}

function trusting(way: TokenWay): Partial<Behaviour> {
  return {
    findAccessToken: (world, token, given, exchange) =>
      findAccessToken(world, token, given, exchange) ?? (given === way ? breakIn(world) : undefined),
  }
}

function ofHeader(method: string, find: (world: World) => Found | undefined): Partial<Behaviour> {
  return {
    findAccessToken: (world, token, way, exchange) =>
      way === 'header' && exchange.method === method ? find(world) : findAccessToken(world, token, way, exchange),
  }
}

function openTo(method: string): Partial<Behaviour> {
  return { anonymous: (world, exchange) => (exchange.method === method ? breakIn(world).session : undefined) }
}

/** Creates what an upload without a valid token asks for. */
function applyRejected({ world, parameters }: Exchange): void {
  const given = parameters.find(([name]) => name === 'new_thing')?.[1]
  const account = world.accounts.get('alice')
  if (typeof given !== 'string' || account === undefined) return
  const { title = '' } = [JSON.parse(given)].flat()[0] as { title?: string }
  addThing(account, breakIn(world).session, right.newId(account, world), { title }, right.nextPosition(account))
}

function matching(matches: (pair: Pair, token: string) => boolean): Partial<Behaviour> {
  return {
    findAccessToken: (world: World, token) => {
      for (const session of world.sessions) {
        const pair = session.pairs.find((candidate) => matches(candidate, token))
        if (pair !== undefined) return { session, pair }
      }
      return undefined
    },
  }
}

function differing(way: TokenWay): Partial<Behaviour> {
  return {
    reply: (reply, exchange) =>
      exchange.way === way && exchange.session === undefined
        ? { ...reply, body: { error: 'access_denied', error_description: 'Access denied' } }
        : reply,
  }
}

/** Faults in how the access token is read and judged (interface 5.3, 7). */
export const presentationFaults: readonly Fault[] = [
  fault('access-token-never-valid', 'rejects every access token', { findAccessToken: () => undefined }),
  fault('header-token-ignored', 'reads no token from the header', ignoring('header')),
  fault('query-token-ignored', 'reads no token from the query', ignoring('query')),
  fault('form-token-ignored', 'reads no token from the form', ignoring('form')),
  fault('header-token-unchecked', 'takes any token in the header', trusting('header')),
  fault('query-token-unchecked', 'takes any token in the query', trusting('query')),
  fault('form-token-unchecked', 'takes any token in the form', trusting('form')),
  fault('no-token-accepted', 'needs no token', { anonymous: (world) => breakIn(world).session }),
  fault(
    'header-token-refused-in-get',
    'rejects a header in a GET',
    ofHeader('GET', () => undefined),
  ),
  fault(
    'header-token-refused-in-post',
    'rejects a header in a POST',
    ofHeader('POST', () => undefined),
  ),
  fault('header-token-unchecked-in-get', 'takes any header in a GET', ofHeader('GET', breakIn)),
  fault('header-token-unchecked-in-post', 'takes any header in a POST', ofHeader('POST', breakIn)),
  fault('no-token-accepted-in-get', 'needs no token in a GET', openTo('GET')),
  fault('no-token-accepted-in-post', 'needs no token in a POST', openTo('POST')),
  fault('invalid-token-upload-applied', 'creates the things of an upload that it rejects for its token', {
    tokenBeforeBody: false,
    reply: (reply, exchange) => {
      if (reply.status === 401 && exchange.path === 'sync') applyRejected(exchange)
      return reply
    },
  }),
  fault(
    'token-prefix-accepted',
    'compares only the first eight characters of a token',
    matching(({ access }, token) => access.slice(0, 8) === token.slice(0, 8)),
  ),
  fault(
    'token-case-ignored',
    'ignores the case of tokens',
    matching(({ access }, token) => access.toLowerCase() === token.toLowerCase()),
  ),
  fault(
    'invalid-token-other-code',
    'calls an invalid token invalid_token',
    errors('token-invalid', (body) => ({ ...body, error: 'invalid_token' })),
  ),
  fault(
    'invalid-token-other-description',
    'describes an invalid token in other words',
    errors('token-invalid', (body) => ({ ...body, error_description: 'Token expired' })),
  ),
  fault(
    'invalid-token-description-missing',
    'does not describe an invalid token',
    errors('token-invalid', (body) => without(body, 'error_description')),
  ),
  fault('invalid-token-query-differs', 'rejects an invalid token in the query in another way', differing('query')),
  fault('invalid-token-form-differs', 'rejects an invalid token in the form in another way', differing('form')),
  fault('invalid-token-header-differs', 'rejects an invalid token in the header in another way', differing('header')),
  fault(
    'invalid-token-plain-text',
    'rejects an invalid token with plain text',
    errors('token-invalid', (body) => `${body.error}: ${body.error_description}`),
  ),
  fault(
    'invalid-token-empty-listing',
    'answers an invalid token with an empty listing',
    errors('token-invalid', () => ({ pos: 0 })),
  ),
  fault(
    'invalid-token-error-nested',
    'puts the error of an invalid token one level deeper',
    errors('token-invalid', (body) => ({ error: { code: body.error, message: body.error_description } })),
  ),
  fault(
    'invalid-token-empty-body',
    'rejects an invalid token with an empty body',
    errors('token-invalid', () => ''),
  ),
]
