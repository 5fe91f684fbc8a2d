import { right } from '../server/behaviour.ts'
import type { Fault } from './fault.ts'

const { findAccessToken } = right

function hasKey(body: unknown, key: string): boolean {
  return typeof body === 'object' && body !== null && key in body
}

function marked(body: unknown): string {
  return `\ufeff${JSON.stringify(body)}`
}

/** Parameters, names of headers and marks that count in one place only (interface 4.2, 4.3). */
export const parameterOrderFaults: readonly Fault[] = [
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
]
