import { type Behavior, type Exchange, type Reply, rightServer } from '../../src/model/behavior.ts'
import { ApiError, type JsonObject } from '../../src/model/state.ts'
import { createFaults, type Fault, fault } from './fault.ts'

const page = (status: number): Reply => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<html><head><title>${status}</title></head><body><h1>Error ${status}</h1></body></html>`,
})

const empty = (status: number): Reply => ({ status, headers: {}, body: '' })

const plain = (status: number): Reply => ({ status, headers: { 'content-type': 'text/plain' }, body: 'Not Found' })

/** Replaces some replies by a reply of the frame. */
const frame = (
  isReplaced: (reply: Reply, exchange: Exchange) => boolean,
  write: (status: number) => Reply,
): Partial<Behavior> => ({
  reply: (reply, exchange) => (isReplaced(reply, exchange) ? write(reply.status) : reply),
})

const codeOf = (reply: Reply): unknown => (reply.body as JsonObject | undefined)?.error

const isUnknown = (reply: Reply): boolean => reply.status === 404
const isWrongMethod = (reply: Reply): boolean => reply.status === 405
const isAnonymous = ({ authorization, query }: Exchange): boolean =>
  authorization === undefined && !query.some(([name]) => name === 'access_token')

/** Body sizes by the text of their values. */
const lengthOf = (body: readonly (readonly [string, unknown])[]): number =>
  body.reduce((sum, [, value]) => sum + String(value).length, 0)

/** Lets a large body get an error. */
const rejectingLarge = (path: string, write: (status: number) => Reply): Partial<Behavior> => ({
  maxUnknownBytes: 4 * 1024 * 1024,
  form: (body, exchange) => {
    if (exchange.path === path && lengthOf(body) > 1_000_000) throw new ApiError('body-large', 'too large')
    return body
  },
  reply: (reply, exchange) => (reply.status === 413 && exchange.path === path ? write(413) : reply),
})

/** Servers whose framework responds to some requests itself. */
export const frameErrorFaults: readonly Fault[] = [
  ...createFaults(
    frame,
    ['unknown-operation-html', 'has a page of HTML for unknown operations', isUnknown, page],
    ['unknown-operation-empty', 'has an empty response for unknown operations', isUnknown, empty],
    ['unknown-operation-plain-text', 'says in plain text that there is no such operation', isUnknown, plain],
    [
      'unknown-operation-page-of-app',
      'has a page of HTML with status 200 for unknown operations',
      isUnknown,
      () => page(200),
    ],
    [
      'unknown-operation-other-json',
      'has a JSON object without error for unknown operations',
      isUnknown,
      (status: number) => ({ status, headers: {}, body: { message: 'Not Found' } }),
    ],
    [
      'unknown-get-html',
      'has a page of HTML for unknown operations by GET with a token',
      (reply, exchange) => isUnknown(reply) && exchange.method === 'GET' && !isAnonymous(exchange),
      page,
    ],
    [
      'sync-wrong-method-html',
      'has a page of HTML for wrong methods of sync',
      (reply, { path }) => isWrongMethod(reply) && path === 'sync',
      page,
    ],
    [
      'token-wrong-method-html',
      'has a page of HTML for methods of token other than GET and POST',
      (reply, { path, method }) => isWrongMethod(reply) && path === 'token' && method !== 'GET',
      page,
    ],
    [
      'token-by-plain-get-html',
      'has a page of HTML for GET token without a query',
      (_reply, { method, path, query }) => method === 'GET' && path === 'token' && query.length === 0,
      () => page(405),
    ],
    [
      'token-by-query-html',
      'has a page of HTML for GET token with a query',
      (_reply, { method, path, query }) => method === 'GET' && path === 'token' && query.length > 0,
      () => page(405),
    ],
    [
      'unknown-post-html',
      'has a page of HTML for unknown operations by POST',
      (reply, { method }) => isUnknown(reply) && method === 'POST',
      page,
    ],
    [
      'unknown-anonymous-html',
      'has a page of HTML for unknown operations without a token',
      (reply, exchange) => isUnknown(reply) && isAnonymous(exchange),
      page,
    ],
    [
      'unknown-below-sync-html',
      'has a page of HTML for paths below sync',
      (reply, { path }) => isUnknown(reply) && path.startsWith('sync/'),
      page,
    ],
    ['wrong-method-html', 'has a page of HTML for wrong methods', isWrongMethod, page],
    ['wrong-method-empty', 'has an empty response for wrong methods', isWrongMethod, empty],
    [
      'token-by-get-html',
      'has a page of HTML for GET token',
      (_reply, { method, path }) => method === 'GET' && path === 'token',
      () => page(405),
    ],
    [
      'other-content-type-html',
      'has a page of HTML for other content types',
      (reply, { path }) => reply.status === 415 && path === 'sync',
      page,
    ],
    [
      'json-body-broken-html',
      'has a page of HTML for a broken JSON body',
      (reply, { contentType }) => reply.status === 400 && contentType === 'application/json',
      page,
    ],
    [
      'token-content-type-html',
      'has a page of HTML for other content types at the token endpoint',
      (reply, { path }) => reply.status === 415 && path === 'token',
      page,
    ],
    [
      'bad-number-html',
      'has a page of HTML for numbers that are none',
      (reply, { path, method, contentType }) =>
        reply.status === 400 &&
        path === 'sync' &&
        method === 'POST' &&
        contentType.includes('urlencoded') &&
        codeOf(reply) === 'parameter_invalid',
      page,
    ],
    [
      'token-broken-form-html',
      'has a page of HTML for a grant without a type',
      (reply, { path, body }) =>
        path === 'token' && reply.status >= 400 && !body.some(([name]) => name === 'grant_type'),
      page,
    ],
  ),
  fault('broken-escape-html', 'has a page of HTML for broken escapes', {
    formText: (text) => (/%(?![\da-f]{2})/i.test(text) ? `${text}&broken=1` : text),
    reply: (reply, { body, path }) => (path === 'sync' && body.some(([name]) => name === 'broken') ? page(400) : reply),
  }),
  fault('odd-names-html', 'has a page of HTML for brackets that do not close', {
    reply: (reply, { body, path }) =>
      path === 'sync' && body.some(([name]) => /\[[^\]]*$/.test(name)) ? page(500) : reply,
  }),
  fault('large-body-html', 'has a page of HTML for large bodies', rejectingLarge('sync', page)),
  fault('large-body-empty-success', 'ignores large bodies, with 200', {
    form: (body) => (lengthOf(body) > 1_100_000 ? body.filter(([name]) => !name.includes('_thing')) : body),
  }),
  fault('large-body-half-applied', 'creates the first thing of a large body, and rejects it', {
    applied: (upload) => {
      const isLarge = upload.created.some(({ fields }) => (fields.html ?? '').length > 500_000)
      return isLarge ? { ...upload, created: upload.created.slice(0, 1) } : upload
    },
    reply: (reply, { path, parameters }) => {
      if (path !== 'sync' || lengthOf(parameters) < 1_100_000) return reply
      const body = rightServer.errorBody(new ApiError('body-large', 'too large'))
      return { status: 413, headers: {}, body }
    },
  }),
  fault(
    'large-grant-without-description',
    'does not describe the error of a large grant',
    rejectingLarge('token', (status) => ({ status, headers: {}, body: { error: 'too_large' } })),
  ),
  fault('large-grant-html', 'has a page of HTML for large grants', rejectingLarge('token', page)),
  fault(
    'large-grant-empty-success',
    'has an empty object for large grants',
    rejectingLarge('token', () => ({ status: 200, headers: {}, body: {} })),
  ),
]
