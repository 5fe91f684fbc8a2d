import { right } from '../server/behaviour.ts'
import { type Fault, fault } from './fault.ts'

const { findAccessToken } = right

function hasKey(body: unknown, key: string): boolean {
  return typeof body === 'object' && body !== null && key in body
}

function marked(body: unknown): string {
  return `\ufeff${JSON.stringify(body)}`
}

/** Parameters, names of headers and marks that count in one place only (interface 4.2, 4.3). */
export const parameterOrderFaults: readonly Fault[] = [
  fault('form-token-only-last', 'looks for the token at the end of the form', {
    form: (body, { path }) =>
      path === 'token' ? body : body.filter(([name], place) => name !== 'access_token' || place === body.length - 1),
  }),
  fault('form-token-only-first', 'looks for the token at the beginning of the form', {
    form: (body, { path }) =>
      path === 'token'
        ? body
        : body.filter(([name], place) => name !== 'access_token' || place === 0 || body.length > 4),
  }),
  fault('from-only-first', 'reads from only before other parameters', {
    form: (body) =>
      body.filter(([name], place) => name !== 'from' || !body.slice(0, place).some(([other]) => other === 'limit')),
  }),
  fault('from-only-first-in-query', 'reads from only at the beginning of a query', {
    parameters: (all, { method }) =>
      method === 'GET' ? all.filter(([name], place) => name !== 'from' || place === 0) : all,
  }),
  fault('from-only-last-in-query', 'reads from only at the end of a query', {
    parameters: (all, { method }) =>
      method === 'GET' ? all.filter(([name], place) => name !== 'from' || place === all.length - 1) : all,
  }),
  fault('limit-first-in-query-lists-none', 'lists nothing when the query begins with a limit and goes on with more', {
    listed: (list, _kind, { exchange: { method, query } }) =>
      method === 'GET' && query[0]?.[0] === 'limit' && query.length > 2 ? [] : list,
  }),
  fault('query-token-only-first', 'finds the token of a query only at its beginning', {
    findAccessToken: (world, token, way, exchange) =>
      way === 'query' && exchange.query[0]?.[0] !== 'access_token'
        ? undefined
        : findAccessToken(world, token, way, exchange),
  }),
  fault('answers-begin-with-mark', 'begins the answers to sync with a byte order mark', {
    encode: (body) => (hasKey(body, 'pos') ? marked(body) : JSON.stringify(body)),
  }),
  fault('token-answers-begin-with-mark', 'begins token answers with a byte order mark', {
    encode: (body) => (hasKey(body, 'access_token') ? marked(body) : JSON.stringify(body)),
  }),
  fault('errors-begin-with-mark', 'begins errors with a byte order mark', {
    encode: (body) => (hasKey(body, 'error') ? marked(body) : JSON.stringify(body)),
  }),
  fault('always-compressed', 'compresses answers without a look at what the client accepts', {
    compression: () => 'gzip',
  }),
  fault('limit-first-lists-none', 'lists nothing when the form begins with a limit', {
    listed: (list, _kind, { exchange }) => (exchange.body[0]?.[0] === 'limit' ? [] : list),
  }),
  fault('grant-type-only-first', 'reads grant_type only at the beginning', {
    form: (body, { path }) =>
      path === 'token' ? body.filter(([name], place) => name !== 'grant_type' || place === 0) : body,
  }),
  fault('header-name-case-counts', 'wants header names in small letters', {
    authorizationOf: ({ rawHeaders }) => rawHeaders[rawHeaders.indexOf('authorization') + 1 || -1],
  }),
  fault('header-name-capitals-unread', 'reads no header whose name is in capitals', {
    authorizationOf: ({ rawHeaders, headers }) =>
      rawHeaders.includes('AUTHORIZATION') ? undefined : headers.authorization,
  }),
]
