import { type Behaviour, right } from '../server/behaviour.ts'
import type { Exchange, TokenWay } from '../server/right-requests.ts'
import type { Found } from '../server/right-tokens.ts'
import type { Pair, World } from '../server/world.ts'
import { addThing } from '../server/write.ts'
import { breakIn, errors, type Fault, without } from './fault.ts'

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
  const fields = { title, tags: '', date: 0, url: undefined, html: undefined, archived: false, todoStatus: undefined }
  addThing(account, breakIn(world).session, right.newId(account, world), fields, right.nextPosition(account))
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
  {
    id: 'access-token-never-valid',
    title: 'rejects every access token',
    behaviour: { findAccessToken: () => undefined },
  },
  { id: 'header-token-ignored', title: 'reads no token from the header', behaviour: ignoring('header') },
  { id: 'query-token-ignored', title: 'reads no token from the query', behaviour: ignoring('query') },
  { id: 'form-token-ignored', title: 'reads no token from the form', behaviour: ignoring('form') },
  { id: 'header-token-unchecked', title: 'takes any token in the header', behaviour: trusting('header') },
  { id: 'query-token-unchecked', title: 'takes any token in the query', behaviour: trusting('query') },
  { id: 'form-token-unchecked', title: 'takes any token in the form', behaviour: trusting('form') },
  {
    id: 'no-token-accepted',
    title: 'needs no token',
    behaviour: { anonymous: (world) => breakIn(world).session },
  },
  {
    id: 'header-token-refused-in-get',
    title: 'rejects a header in a GET',
    behaviour: ofHeader('GET', () => undefined),
  },
  {
    id: 'header-token-refused-in-post',
    title: 'rejects a header in a POST',
    behaviour: ofHeader('POST', () => undefined),
  },
  { id: 'header-token-unchecked-in-get', title: 'takes any header in a GET', behaviour: ofHeader('GET', breakIn) },
  { id: 'header-token-unchecked-in-post', title: 'takes any header in a POST', behaviour: ofHeader('POST', breakIn) },
  { id: 'no-token-accepted-in-get', title: 'needs no token in a GET', behaviour: openTo('GET') },
  { id: 'no-token-accepted-in-post', title: 'needs no token in a POST', behaviour: openTo('POST') },
  {
    id: 'invalid-token-upload-applied',
    title: 'creates the things of an upload that it rejects for its token',
    behaviour: {
      tokenBeforeBody: false,
      reply: (reply, exchange) => {
        if (reply.status === 401 && exchange.path === 'sync') applyRejected(exchange)
        return reply
      },
    },
  },
  {
    id: 'token-prefix-accepted',
    title: 'compares only the first eight characters of a token',
    behaviour: matching(({ access }, token) => access.slice(0, 8) === token.slice(0, 8)),
  },
  {
    id: 'token-case-ignored',
    title: 'ignores the case of tokens',
    behaviour: matching(({ access }, token) => access.toLowerCase() === token.toLowerCase()),
  },
  {
    id: 'invalid-token-other-code',
    title: 'calls an invalid token invalid_token',
    behaviour: errors('token-invalid', (body) => ({ ...body, error: 'invalid_token' })),
  },
  {
    id: 'invalid-token-other-description',
    title: 'describes an invalid token in other words',
    behaviour: errors('token-invalid', (body) => ({ ...body, error_description: 'Token expired' })),
  },
  {
    id: 'invalid-token-description-missing',
    title: 'does not describe an invalid token',
    behaviour: errors('token-invalid', (body) => without(body, 'error_description')),
  },
  {
    id: 'invalid-token-query-differs',
    title: 'rejects an invalid token in the query in another way',
    behaviour: differing('query'),
  },
  {
    id: 'invalid-token-form-differs',
    title: 'rejects an invalid token in the form in another way',
    behaviour: differing('form'),
  },
  {
    id: 'invalid-token-header-differs',
    title: 'rejects an invalid token in the header in another way',
    behaviour: differing('header'),
  },
  {
    id: 'invalid-token-plain-text',
    title: 'rejects an invalid token with plain text',
    behaviour: errors('token-invalid', (body) => `${body.error}: ${body.error_description}`),
  },
  {
    id: 'invalid-token-empty-listing',
    title: 'answers an invalid token with an empty listing',
    behaviour: errors('token-invalid', () => ({ pos: 0 })),
  },
  {
    id: 'invalid-token-error-nested',
    title: 'puts the error of an invalid token one level deeper',
    behaviour: errors('token-invalid', (body) => ({ error: { code: body.error, message: body.error_description } })),
  },
  {
    id: 'invalid-token-empty-body',
    title: 'rejects an invalid token with an empty body',
    behaviour: errors('token-invalid', () => ''),
  },
]
