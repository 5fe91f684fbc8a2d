import { type Behaviour, right } from '../server/behaviour.ts'
import { Refusal } from '../server/refusal.ts'
import type { Exchange, TokenWay } from '../server/right-requests.ts'
import { hasUpload } from '../server/upload.ts'
import { parseJson } from '../server/values.ts'
import type { Pair, World } from '../server/world.ts'
import { addThing } from '../server/write.ts'
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

/** Does something for alice although the request was refused for its token, or for want of one. */
function refusedAnd(
  work: (exchange: Exchange, world: World) => void,
  applies: (exchange: Exchange) => boolean,
): Partial<Behaviour> {
  return {
    tokenBeforeBody: false,
    reply: (reply, exchange) => {
      if (reply.status === 401 && exchange.path === 'sync' && applies(exchange)) work(exchange, exchange.world)
      return reply
    },
  }
}

function given({ body }: Exchange, name: string): string | undefined {
  return body.find(([other]) => other === name)?.[1] as string | undefined
}

function aliceOf(world: World) {
  const account = world.accounts.get('alice')
  if (account === undefined) throw new Error('there is always an alice')
  return account
}

function createIt(exchange: Exchange, world: World): void {
  const text = given(exchange, 'new_thing')
  if (text === undefined) return
  const { title = '' } = parseJson(world, text, 'new_thing') as { title?: string }
  const fields = { title, tags: '', date: 0, url: undefined, html: undefined, archived: false, todoStatus: undefined }
  const account = aliceOf(world)
  addThing(account, breakIn(world).session, right.newId(account, world), fields, right.nextPosition(account))
}

function changeIt(exchange: Exchange, world: World): void {
  const { _id: id, title } = parseJson(world, given(exchange, 'changed_thing') ?? '{}', 'x') as {
    _id?: string
    title?: string
  }
  const thing = aliceOf(world).things.get(id)
  if (thing !== undefined && title !== undefined) thing.fields.title = title
}

function deleteIt(exchange: Exchange, world: World): void {
  const thing = aliceOf(world).things.get(given(exchange, 'deleted_thing'))
  if (thing !== undefined) thing.deleted = true
}

function tagIt(exchange: Exchange, world: World): void {
  const name = exchange.body.map(([other]) => /^tag\[(.*)\]$/.exec(other)?.[1]).find((found) => found !== undefined)
  const settings = { favorite: true, color: false, todo: false } as const
  if (name !== undefined) aliceOf(world).tags.set(name, { settings, position: right.nextPosition(aliceOf(world)) })
}

function isArray(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith('[')
}

function hasKey(body: unknown, key: string): boolean {
  return typeof body === 'object' && body !== null && key in body
}

function marked(body: unknown): string {
  return `\ufeff${JSON.stringify(body)}`
}

function hasToken({ authorization, query, body }: Exchange): boolean {
  return authorization !== undefined || [...query, ...body].some(([name]) => name === 'access_token')
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
  {
    id: 'invalid-token-changes',
    title: 'changes things before it looks at the token',
    behaviour: refusedAnd(changeIt, hasToken),
  },
  {
    id: 'invalid-token-deletes',
    title: 'deletes things before it looks at the token',
    behaviour: refusedAnd(deleteIt, hasToken),
  },
  {
    id: 'invalid-token-sets-tags',
    title: 'sets tags before it looks at the token',
    behaviour: refusedAnd(tagIt, hasToken),
  },
  {
    id: 'invalid-token-in-form-creates',
    title: 'creates things before it looks at the token in the form',
    behaviour: refusedAnd(createIt, (exchange) => given(exchange, 'access_token') !== undefined),
  },
  {
    id: 'no-token-deletes',
    title: 'deletes things for whoever gives no token',
    behaviour: refusedAnd(deleteIt, (exchange) => !hasToken(exchange)),
  },
  {
    id: 'no-token-creates',
    title: 'creates things for whoever gives no token',
    behaviour: refusedAnd(createIt, (exchange) => !hasToken(exchange)),
  },
  {
    id: 'header-token-refused-with-upload',
    title: 'reads no header beside an upload',
    behaviour: {
      findAccessToken: (world, token, way, exchange) =>
        way === 'header' && hasUpload(exchange) ? undefined : findAccessToken(world, token, way, exchange),
      tokenBeforeBody: false,
    },
  },
  {
    id: 'form-token-refused-with-upload',
    title: 'takes a token in the form for reading only',
    behaviour: {
      findAccessToken: (world, token, way, exchange) =>
        way === 'form' && hasUpload(exchange) ? undefined : findAccessToken(world, token, way, exchange),
    },
  },
  {
    id: 'form-token-other-account',
    title: 'writes for somebody else when the token is in the form',
    behaviour: {
      accountOf: (world, session, exchange) => world.accounts.get(exchange.way === 'form' ? 'bob' : session.username),
    },
  },
  {
    id: 'header-token-read-only',
    title: 'ignores uploads when the token is in the header',
    behaviour: {
      delay: async (exchange) => {
        if (exchange.way === 'header' && exchange.path === 'sync')
          exchange.parameters = exchange.parameters.filter(([name]) => !/_thing|^tag/.test(name))
      },
    },
  },
]

function unless(condition: boolean, message: string): void {
  if (!condition) throw new Refusal('content-type', message)
}

/** Bodies and headers that are read otherwise than they are written (interface 4.2, 4.3). */
export const transportFaults: readonly Fault[] = [
  {
    id: 'charset-refused',
    title: 'refuses forms whose content type has parameters',
    behaviour: {
      contentTypeOf: (header, url) => (url.includes('sync') ? header.toLowerCase() : right.contentTypeOf(header, url)),
    },
  },
  {
    id: 'token-charset-refused',
    title: 'refuses grants whose content type has parameters',
    behaviour: {
      contentTypeOf: (header, url) =>
        url.includes('token') && !url.includes('sync') ? header.toLowerCase() : right.contentTypeOf(header, url),
    },
  },
  {
    id: 'content-type-case-counts',
    title: 'wants content types in small letters',
    behaviour: { contentTypeOf: (header) => (header.split(';')[0] ?? '').trim() },
  },
  {
    id: 'charset-body-ignored',
    title: 'reads an empty body when the content type has parameters',
    behaviour: {
      bodyOf: (chunks, headers) => (headers['content-type']?.includes(';') ? Buffer.alloc(0) : Buffer.concat(chunks)),
    },
  },
  {
    id: 'raw-brackets-ignored',
    title: 'ignores names with brackets that are not escaped',
    behaviour: {
      formText: (text) =>
        text
          .split('&')
          .filter((pair) => !/^[^=]*[[\]]/.test(pair))
          .join('&'),
    },
  },
  {
    id: 'raw-tag-brackets-ignored',
    title: 'ignores tags with brackets that are not escaped',
    behaviour: {
      formText: (text) =>
        text
          .split('&')
          .filter((pair) => !pair.startsWith('tag['))
          .join('&'),
    },
  },
  {
    id: 'escaped-brackets-ignored',
    title: 'ignores names with escaped brackets',
    behaviour: {
      formText: (text) =>
        text
          .split('&')
          .filter((pair) => !/^[^=]*%5B/.test(pair))
          .join('&'),
    },
  },
  {
    id: 'small-escapes-ignored',
    title: 'reads escapes in capitals only',
    behaviour: { formText: (text) => text.replace(/%(?=[\da-f]*[a-f])(?![\dA-F]{2})/g, '%25') },
  },
  {
    id: 'percent-twenty-kept',
    title: 'reads blanks only where they are plus signs',
    behaviour: { formText: (text) => (text.includes('%6C') ? text : text.replace(/%20/g, '%2520')) },
  },
  {
    id: 'plus-in-forms-kept',
    title: 'reads plus signs of uploads as they are',
    behaviour: { formText: (text) => (text.includes('new_thing') ? text.replace(/\+/g, '%2B') : text) },
  },
  {
    id: 'needless-escapes-kept',
    title: 'reads no escapes of letters',
    behaviour: { formText: (text) => text.replace(/%6([1-9A-F])/g, '%256$1') },
  },
  {
    id: 'raw-semicolon-separates',
    title: 'takes a semicolon for an ampersand',
    behaviour: { formText: (text) => text.replace(/;/g, '&') },
  },
  {
    id: 'raw-equals-cuts',
    title: 'reads values up to the next equals sign',
    behaviour: { formText: (text) => text.replace(/(?<=(^|&)[^=&]*=[^=&]*)=[^&]*/g, '') },
  },
  {
    id: 'raw-quotes-lost',
    title: 'drops quotes that are not escaped and stand alone',
    behaviour: { formText: (text) => text.replace(/'/g, '') },
  },
  {
    id: 'chunks-ignored',
    title: 'reads no body without a length',
    behaviour: {
      bodyOf: (chunks, headers, url) =>
        headers['transfer-encoding'] && url.includes('sync') ? Buffer.alloc(0) : Buffer.concat(chunks),
    },
  },
  {
    id: 'token-chunks-ignored',
    title: 'reads no body of a grant without a length',
    behaviour: {
      bodyOf: (chunks, headers, url) =>
        headers['transfer-encoding'] && !url.includes('sync') ? Buffer.alloc(0) : Buffer.concat(chunks),
    },
  },
  {
    id: 'chunks-first-only',
    title: 'reads the first piece of a body',
    behaviour: {
      bodyOf: (chunks, headers) =>
        headers['transfer-encoding'] ? Buffer.concat(chunks).subarray(0, 150) : Buffer.concat(chunks),
    },
  },
  {
    id: 'chunks-refused',
    title: 'refuses bodies without a length',
    behaviour: {
      bodyOf: (chunks, headers) => {
        unless(headers['transfer-encoding'] === undefined, 'a length is required')
        return Buffer.concat(chunks)
      },
    },
  },
  {
    id: 'form-token-only-last',
    title: 'looks for the token at the end of the form',
    behaviour: {
      form: (body, { path }) =>
        path === 'token' ? body : body.filter(([name], place) => name !== 'access_token' || place === body.length - 1),
    },
  },
  {
    id: 'form-token-only-first',
    title: 'looks for the token at the beginning of the form',
    behaviour: {
      form: (body, { path }) =>
        path === 'token'
          ? body
          : body.filter(([name], place) => name !== 'access_token' || place === 0 || body.length > 4),
    },
  },
  {
    id: 'from-only-first',
    title: 'reads from only before other parameters',
    behaviour: {
      form: (body) =>
        body.filter(([name], place) => name !== 'from' || !body.slice(0, place).some(([other]) => other === 'limit')),
    },
  },
  {
    id: 'from-only-first-in-query',
    title: 'reads from only at the beginning of a query',
    behaviour: {
      parameters: (all, { method }) =>
        method === 'GET' ? all.filter(([name], place) => name !== 'from' || place === 0) : all,
    },
  },
  {
    id: 'from-only-last-in-query',
    title: 'reads from only at the end of a query',
    behaviour: {
      parameters: (all, { method }) =>
        method === 'GET' ? all.filter(([name], place) => name !== 'from' || place === all.length - 1) : all,
    },
  },
  {
    id: 'limit-first-in-query-lists-none',
    title: 'lists nothing when the query begins with a limit and goes on with more',
    behaviour: {
      listed: (list, _kind, { exchange: { method, query } }) =>
        method === 'GET' && query[0]?.[0] === 'limit' && query.length > 2 ? [] : list,
    },
  },
  {
    id: 'query-token-only-first',
    title: 'finds the token of a query only at its beginning',
    behaviour: {
      findAccessToken: (world, token, way, exchange) =>
        way === 'query' && exchange.query[0]?.[0] !== 'access_token'
          ? undefined
          : findAccessToken(world, token, way, exchange),
    },
  },
  {
    id: 'answers-begin-with-mark',
    title: 'begins the answers to sync with a byte order mark',
    behaviour: { encode: (body) => (hasKey(body, 'pos') ? marked(body) : JSON.stringify(body)) },
  },
  {
    id: 'token-answers-begin-with-mark',
    title: 'begins token answers with a byte order mark',
    behaviour: { encode: (body) => (hasKey(body, 'access_token') ? marked(body) : JSON.stringify(body)) },
  },
  {
    id: 'errors-begin-with-mark',
    title: 'begins errors with a byte order mark',
    behaviour: { encode: (body) => (hasKey(body, 'error') ? marked(body) : JSON.stringify(body)) },
  },
  {
    id: 'always-compressed',
    title: 'compresses answers without a look at what the client accepts',
    behaviour: { compression: () => 'gzip' },
  },
  {
    id: 'limit-first-lists-none',
    title: 'lists nothing when the form begins with a limit',
    behaviour: { listed: (list, _kind, { exchange }) => (exchange.body[0]?.[0] === 'limit' ? [] : list) },
  },
  {
    id: 'grant-type-only-first',
    title: 'reads grant_type only at the beginning',
    behaviour: {
      form: (body, { path }) =>
        path === 'token' ? body.filter(([name], place) => name !== 'grant_type' || place === 0) : body,
    },
  },
  {
    id: 'header-name-case-counts',
    title: 'wants header names in small letters',
    behaviour: { authorizationOf: ({ rawHeaders }) => rawHeaders[rawHeaders.indexOf('authorization') + 1 || -1] },
  },
  {
    id: 'header-name-capitals-unread',
    title: 'reads no header whose name is in capitals',
    behaviour: {
      authorizationOf: ({ rawHeaders, headers }) =>
        rawHeaders.includes('AUTHORIZATION') ? undefined : headers.authorization,
    },
  },
  {
    id: 'empty-post-refused',
    title: 'refuses empty bodies',
    behaviour: {
      bodyOf: (chunks, headers, url) => {
        unless(!(headers['content-length'] === '0' && url.includes('sync')), 'the body is empty')
        return Buffer.concat(chunks)
      },
    },
  },
  {
    id: 'empty-post-empty-answer',
    title: 'lists nothing for an empty body',
    behaviour: {
      listed: (list, _kind, { exchange }) =>
        exchange.method === 'POST' && exchange.parameters.length === 0 ? [] : list,
    },
  },
  {
    id: 'empty-post-token-unread',
    title: 'looks for the token of a POST without parameters nowhere',
    behaviour: {
      findAccessToken: (world, token, way, exchange) =>
        exchange.method === 'POST' && exchange.body.length === 0 && way === 'header'
          ? undefined
          : findAccessToken(world, token, way, exchange),
      tokenBeforeBody: false,
    },
  },
  ...(['new_thing', 'changed_thing', 'deleted_thing', 'tag'] as const).map(
    (kind): Fault => ({
      id: {
        new_thing: 'get-creates',
        changed_thing: 'get-changes',
        deleted_thing: 'get-deletes',
        tag: 'get-sets-tags',
      }[kind],
      title: `applies ${kind} of a GET`,
      behaviour: {
        overlooks: ['upload-in-get'],
        anyMethod: true,
        parameters: (all, { method, path }) =>
          method === 'GET' && path === 'sync'
            ? all.filter(([name]) => name.startsWith(kind) || !/_thing|^tag/.test(name))
            : all,
      },
    }),
  ),
  {
    id: 'get-deletion-hides',
    title: 'leaves out of the answer to a GET what its query deletes',
    behaviour: {
      overlooks: ['upload-in-get'],
      listsThing: (thing, of) =>
        right.listsThing(thing, of) && thing.id !== of.exchange.query.find(([name]) => name === 'deleted_thing')?.[1],
    },
  },
  {
    id: 'get-change-shows',
    title: 'shows in the answer to a GET what its query changes',
    behaviour: {
      overlooks: ['upload-in-get'],
      thing: (thing, isTodo, of) => {
        const text = of?.exchange.query.find(([name]) => name === 'changed_thing')?.[1]
        const change = typeof text === 'string' ? (JSON.parse(text) as { _id: string }) : undefined
        const json = right.thing(thing, isTodo, of) as object
        return change?._id === thing.id ? { ...json, ...change } : json
      },
    },
  },
  {
    id: 'get-array-creates',
    title: 'applies new_thing[] of a GET',
    behaviour: {
      overlooks: ['upload-in-get'],
      anyMethod: true,
      parameters: (all, { method, path }) =>
        method === 'GET' && path === 'sync'
          ? all.filter(([name]) => name === 'new_thing[]' || !/_thing|^tag/.test(name))
          : all,
    },
  },
  {
    id: 'get-json-array-deletes',
    title: 'applies a deletion of a GET that is a JSON array',
    behaviour: {
      overlooks: ['upload-in-get'],
      anyMethod: true,
      parameters: (all, { method, path }) =>
        method === 'GET' && path === 'sync'
          ? all
              .filter(([name, value]) => !/_thing|^tag/.test(name) || (name === 'deleted_thing' && isArray(value)))
              .map(([name, value]) => (name === 'deleted_thing' ? [name, JSON.parse(String(value))] : [name, value]))
          : all,
    },
  },
  {
    id: 'get-new-answered',
    title: 'gives _ids for what a GET would create',
    behaviour: {
      overlooks: ['upload-in-get'],
      things: (things, { exchange }) => {
        const isMeant = exchange.method === 'GET' && exchange.query.some(([name]) => name === 'new_thing')
        return right.things(isMeant ? { new: { a: 'a1' }, ...things } : things, {} as never)
      },
    },
  },
  {
    id: 'get-new-counted',
    title: 'counts in thingCount what a GET would create',
    behaviour: {
      overlooks: ['upload-in-get'],
      syncAnswer: (answer, { method, query }) => {
        const isMeant = method === 'GET' && query.some(([name]) => name === 'new_thing')
        return isMeant ? { ...answer, thingCount: Number(answer.thingCount ?? 0) + 1 } : answer
      },
    },
  },
  {
    id: 'get-with-upload-deletes-all',
    title: 'deletes things for a GET with a deletion in its query, whichever they are',
    behaviour: {
      delay: async (exchange) => {
        if (exchange.method !== 'GET' || !exchange.parameters.some(([name]) => name === 'deleted_thing')) return
        for (const thing of exchange.account?.things.values() ?? []) thing.deleted = true
      },
    },
  },
]
