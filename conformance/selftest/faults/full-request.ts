import { type Behaviour, right } from '../server/behaviour.ts'
import { Refusal } from '../server/refusal.ts'
import type { Exchange } from '../server/right-requests.ts'
import { fieldForms } from '../server/thing-fields.ts'
import { addThing } from '../server/write.ts'
import { answered, errors, type Fault, fault, forms, status, without } from './fault.ts'

/** Answers of one status without one of their headers. */
function headerless(code: number, name: string): Partial<Behaviour> {
  return {
    reply: (reply) =>
      reply.status === code ? { ...reply, headers: without(reply.headers, name) as Record<string, string> } : reply,
  }
}

/** What a server that stops in the middle of a refused upload has done by then. */
function applyOne({ world, account, session }: Exchange): void {
  if (account === undefined || session === undefined) return
  addThing(account, session, right.newId(account, world), { title: 'half' }, right.nextPosition(account))
}

/** The stated description stays. */
function vague({ reason, message }: Refusal): string {
  return reason === 'token-invalid' ? message : 'Bad request'
}

const known = [
  ...['access_token', 'from', 'skip', 'limit', 'new_thing', 'changed_thing', 'deleted_thing', 'tag', 'skip_id'],
  ...['_id', ...Object.keys(fieldForms), 'prevent_duplicate', 'target_url'],
  ...['grant_type', 'client_id', 'client_secret', 'username', 'password', 'refresh_token', 'token'],
  ...['event', 'type', 'id', 'endpoint', 'p256dh', 'auth', 'local_id'],
]

/** Faults against the contract's decisions on requests, tokens in headers, and errors. */
export const fullRequestFaults: readonly Fault[] = [
  fault('two-tokens-accepted', 'takes two tokens at once', { toleratesTwice: () => true }),
  fault('same-token-twice-refused', 'refuses a token that is given in two ways', {
    toleratesTwice: (_different, ways) => ways < 2,
  }),
  fault('body-before-token', 'judges the body before a token in header or query', { tokenBeforeBody: false }),
  fault('unknown-body-unbounded', 'reads JSON bodies of any length from senders it does not know', {
    maxUnknownBytes: 32 * 1024 * 1024,
  }),
  fault('json-nesting-unbounded', 'reads JSON that nests as deep as it likes', { maxJsonDepth: 1_000_000 }),
  fault('get-skip-id-refused', 'refuses skip_id in a GET', {
    parameters: (all, { method }) => {
      if (method === 'GET' && all.some(([name]) => name.startsWith('skip_id')))
        throw new Refusal('upload-in-get', 'skip_id belongs to POST')
      return all
    },
  }),
  fault('boolean-case-refused', 'takes texts for booleans in small letters only', { booleanText: (text) => text }),
  fault(
    'missing-token-other-code',
    'calls a missing token an invalid one',
    errors('token-missing', (body) => ({ ...body, error: 'invalid_grant' })),
  ),
  fault('invalid-token-status-400', 'answers an invalid token with 400', status('token-invalid', 400)),
  fault(
    'invalid-token-no-www-authenticate',
    'answers 401 without WWW-Authenticate',
    headerless(401, 'www-authenticate'),
  ),
  fault('bearer-refused', 'does not read `Bearer`', { schemes: ['oauth', 'token', ''] }),
  fault('oauth-scheme-refused', 'does not read `OAuth`', { schemes: ['bearer', 'token', ''] }),
  fault('token-scheme-refused', 'does not read `Token`', { schemes: ['bearer', 'oauth', ''] }),
  fault('named-token-refused', 'does not read `name=token`', { schemes: ['bearer', 'oauth', 'token'] }),
  fault('quoted-token-refused', 'does not read quoted tokens', { readsQuotedToken: false }),
  fault('unknown-operation-200', 'answers an unknown operation with 200', status('operation-unknown', 200)),
  fault(
    'unknown-operation-not-error',
    'answers an unknown operation without an error object',
    errors('operation-unknown', () => ({})),
  ),
  fault('unknown-parameter-refused', 'refuses parameters that it does not know', {
    parameters: (all) => {
      const unknown = all.find(([name]) => !known.includes(name.replace(/\[.*$/s, '')))
      if (unknown !== undefined) throw new Refusal('parameter-invalid', `${unknown[0]} is not known`)
      return all
    },
  }),
  fault('parameters-before-token', 'judges parameters before the token', {
    tokenBeforeBody: false,
    parameters: (all) => {
      const from = all.find(([name]) => name === 'from')?.[1] ?? 0
      if (Number.isNaN(Number(from))) throw new Refusal('number-invalid', 'from is not a number')
      return all
    },
  }),
  fault('operations-answer-201', 'answers thing operations with 201', answered('thing', 201)),
  fault('wrong-method-accepted', 'takes any method', { anyMethod: true }),
  fault('wrong-method-no-allow', 'answers 405 without Allow', headerless(405, 'allow')),
  fault('unsupported-media-type-accepted', 'reads any body as a form', { overlooks: ['content-type'] }),
  fault('compression-ignored', 'compresses no answer', { compression: () => undefined }),
  fault('brotli-ignored', 'compresses with gzip only', {
    compression: (accepted) => (accepted.includes('gzip') ? 'gzip' : undefined),
  }),
  fault('too-many-things-400', 'answers too many things with 400', status('things-many', 400)),
  fault(
    'too-many-things-other-code',
    'calls too many things an invalid parameter',
    errors('things-many', (body) => ({ ...body, error: 'parameter_invalid' })),
  ),
  fault('json-body-refused', 'reads no JSON bodies', { readsJsonBody: false }),
  fault('bad-parameter-500', 'answers bad parameters with 500', {
    errorStatus: (refusal) =>
      (right.errorBody(refusal) as { error: string }).error === 'parameter_invalid' ? 500 : right.errorStatus(refusal),
  }),
  fault('bad-json-ignored', 'ignores bad JSON', { overlooks: ['bad-json'] }),
  fault('missing-title-accepted', 'needs no title', { overlooks: ['title-missing'] }),
  fault('missing-title-accepted-in-new', 'needs no title in a new thing', {
    submittedThing: (thing, kind) => (kind === 'new_thing' ? { title: '', ...thing } : thing),
  }),
  fault('missing-title-accepted-in-change', 'needs no title in a changed thing', {
    submittedThing: (thing, kind) => (kind === 'changed_thing' ? { title: '', ...thing } : thing),
  }),
  fault('error-description-vague', 'does not name the parameter that is wrong', {
    errorBody: (refusal) => ({ ...(right.errorBody(refusal) as object), error_description: vague(refusal) }),
  }),
  fault('missing-local-id-accepted', 'needs no local_id', { overlooks: ['local-id-missing'] }),
  fault('shared-local-id-accepted', 'takes a shared local_id', { overlooks: ['local-id-shared'] }),
  fault('bad-boolean-accepted', 'ignores bad booleans', { overlooks: ['boolean-invalid'] }),
  fault('boolean-text-refused', 'takes only true and false', { readsBooleanText: false }),
  fault('number-text-refused', 'takes no date as text', { readsNumberText: false }),
  fault('nul-accepted', 'keeps NUL', { overlooks: ['nul'] }),
  fault('lone-surrogate-accepted', 'takes lone surrogates', { overlooks: ['lone-surrogate'] }),
  fault('title-empty-refused', 'refuses empty titles', {
    keepText: (text, field) => {
      if (field === 'title' && text === '') throw new Refusal('title-missing', 'title is empty')
      return text
    },
  }),
  fault('get-upload-ignored', 'ignores uploads in a GET', { overlooks: ['upload-in-get'] }),
  fault('get-upload-applied', 'applies uploads in a GET', { overlooks: ['upload-in-get'], anyMethod: true }),
  fault('half-request-applied', 'leaves half of a refused upload applied', {
    reply: (reply, exchange) => {
      if (reply.status === 400 && exchange.path === 'sync') applyOne(exchange)
      return reply
    },
  }),
  fault('post-query-ignored', 'ignores the query of a POST', { readsQueryOfPost: false }),
  fault(
    'form-indexed-ignored',
    'ignores new_thing[0]',
    forms('new_thing', () => ({ indexed: [] })),
  ),
  fault(
    'form-nested-array-ignored',
    'ignores arrays in new_thing[]',
    forms('new_thing', ({ repeated }) => ({ repeated: repeated.filter((value) => !Array.isArray(value)) })),
  ),
  fault(
    'skip-id-array-ignored',
    'ignores a skip_id that is an array',
    forms('skip_id', ({ plain }) => ({ plain: plain.filter((value) => !Array.isArray(value)) })),
  ),
  fault(
    'deleted-repeated-plain-lost',
    'takes only the last of repeated plain deleted_thing',
    forms('deleted_thing', ({ plain }) => ({ plain: plain.slice(-1) })),
  ),
  fault('tag-nested-form-ignored', 'ignores tag[name][favorite]', {
    submittedTags: (tags, given) => (given.has('nested') ? new Map() : tags),
  }),
  fault('tag-map-form-ignored', 'ignores a tag that is a map', {
    submittedTags: (tags, given) => (given.has('map') ? new Map() : tags),
  }),
  fault('tag-map-form-refused', 'refuses a tag that is a map', {
    parameters: (all) => {
      if (all.some(([name]) => name === 'tag')) throw new Refusal('tag-not-map', 'tag is not a map')
      return all
    },
  }),
  fault('tag-not-map-ignored', 'ignores a tag that is no map', { overlooks: ['tag-not-map'] }),
]
