import { type Behaviour, right } from '../server/behaviour.ts'
import { Refusal } from '../server/refusal.ts'
import type { Exchange } from '../server/right-requests.ts'
import { addThing } from '../server/write.ts'
import { answered, errors, type Fault, forms, status, without } from './fault.ts'

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
  const none = { tags: '', date: 0, url: undefined, html: undefined, archived: false, todoStatus: undefined }
  const id = right.newId(account, world)
  addThing(account, session, id, { title: 'half', ...none }, right.nextPosition(account))
}

/** The stated description stays. */
function vague({ reason, message }: Refusal): string {
  return reason === 'token-invalid' ? message : 'Bad request'
}

const known = [
  ...['access_token', 'from', 'skip', 'limit', 'new_thing', 'changed_thing', 'deleted_thing', 'tag', 'skip_id'],
  ...['_id', 'title', 'tags', 'date', 'url', 'html', 'archived', 'todoStatus', 'prevent_duplicate', 'target_url'],
  ...['grant_type', 'client_id', 'client_secret', 'username', 'password', 'refresh_token', 'token'],
  ...['event', 'type', 'id', 'endpoint', 'p256dh', 'auth', 'local_id'],
]

/** Faults against the contract's decisions on requests, tokens in headers, and errors. */
export const fullRequestFaults: readonly Fault[] = [
  { id: 'two-tokens-accepted', title: 'takes two tokens at once', behaviour: { toleratesTwice: () => true } },
  {
    id: 'same-token-twice-refused',
    title: 'refuses a token that is given in two ways',
    behaviour: { toleratesTwice: (_different, ways) => ways < 2 },
  },
  {
    id: 'body-before-token',
    title: 'judges the body before a token in header or query',
    behaviour: { tokenBeforeBody: false },
  },
  {
    id: 'unknown-body-unbounded',
    title: 'reads JSON bodies of any length from senders it does not know',
    behaviour: { maxUnknownBytes: 32 * 1024 * 1024 },
  },
  {
    id: 'json-nesting-unbounded',
    title: 'reads JSON that nests as deep as it likes',
    behaviour: { maxJsonDepth: 1_000_000 },
  },
  {
    id: 'get-skip-id-refused',
    title: 'refuses skip_id in a GET',
    behaviour: {
      parameters: (all, { method }) => {
        if (method === 'GET' && all.some(([name]) => name.startsWith('skip_id')))
          throw new Refusal('upload-in-get', 'skip_id belongs to POST')
        return all
      },
    },
  },
  {
    id: 'boolean-case-refused',
    title: 'takes texts for booleans in small letters only',
    behaviour: { booleanText: (text) => text },
  },
  {
    id: 'missing-token-other-code',
    title: 'calls a missing token an invalid one',
    behaviour: errors('token-missing', (body) => ({ ...body, error: 'invalid_grant' })),
  },
  {
    id: 'invalid-token-status-400',
    title: 'answers an invalid token with 400',
    behaviour: status('token-invalid', 400),
  },
  {
    id: 'invalid-token-no-www-authenticate',
    title: 'answers 401 without WWW-Authenticate',
    behaviour: headerless(401, 'www-authenticate'),
  },
  { id: 'bearer-refused', title: 'does not read `Bearer`', behaviour: { schemes: ['oauth', 'token', ''] } },
  { id: 'oauth-scheme-refused', title: 'does not read `OAuth`', behaviour: { schemes: ['bearer', 'token', ''] } },
  { id: 'token-scheme-refused', title: 'does not read `Token`', behaviour: { schemes: ['bearer', 'oauth', ''] } },
  {
    id: 'named-token-refused',
    title: 'does not read `name=token`',
    behaviour: { schemes: ['bearer', 'oauth', 'token'] },
  },
  { id: 'quoted-token-refused', title: 'does not read quoted tokens', behaviour: { readsQuotedToken: false } },
  {
    id: 'unknown-operation-200',
    title: 'answers an unknown operation with 200',
    behaviour: status('operation-unknown', 200),
  },
  {
    id: 'unknown-operation-not-error',
    title: 'answers an unknown operation without an error object',
    behaviour: errors('operation-unknown', () => ({})),
  },
  {
    id: 'unknown-parameter-refused',
    title: 'refuses parameters that it does not know',
    behaviour: {
      parameters: (all) => {
        const unknown = all.find(([name]) => !known.includes(name.replace(/\[.*$/s, '')))
        if (unknown !== undefined) throw new Refusal('parameter-invalid', `${unknown[0]} is not known`)
        return all
      },
    },
  },
  {
    id: 'parameters-before-token',
    title: 'judges parameters before the token',
    behaviour: {
      tokenBeforeBody: false,
      parameters: (all) => {
        const from = all.find(([name]) => name === 'from')?.[1] ?? 0
        if (Number.isNaN(Number(from))) throw new Refusal('number-invalid', 'from is not a number')
        return all
      },
    },
  },
  { id: 'operations-answer-201', title: 'answers thing operations with 201', behaviour: answered('thing', 201) },
  { id: 'wrong-method-accepted', title: 'takes any method', behaviour: { anyMethod: true } },
  { id: 'wrong-method-no-allow', title: 'answers 405 without Allow', behaviour: headerless(405, 'allow') },
  {
    id: 'unsupported-media-type-accepted',
    title: 'reads any body as a form',
    behaviour: { overlooks: ['content-type'] },
  },
  {
    id: 'compression-ignored',
    title: 'compresses no answer',
    behaviour: { compression: () => undefined },
  },
  {
    id: 'brotli-ignored',
    title: 'compresses with gzip only',
    behaviour: { compression: (accepted) => (accepted.includes('gzip') ? 'gzip' : undefined) },
  },
  {
    id: 'too-many-things-400',
    title: 'answers too many things with 400',
    behaviour: status('things-many', 400),
  },
  {
    id: 'too-many-things-other-code',
    title: 'calls too many things an invalid parameter',
    behaviour: errors('things-many', (body) => ({ ...body, error: 'parameter_invalid' })),
  },
  { id: 'json-body-refused', title: 'reads no JSON bodies', behaviour: { readsJsonBody: false } },
  {
    id: 'bad-parameter-500',
    title: 'answers bad parameters with 500',
    behaviour: {
      errorStatus: (refusal) =>
        (right.errorBody(refusal) as { error: string }).error === 'parameter_invalid'
          ? 500
          : right.errorStatus(refusal),
    },
  },
  { id: 'bad-json-ignored', title: 'ignores bad JSON', behaviour: { overlooks: ['bad-json'] } },
  { id: 'missing-title-accepted', title: 'needs no title', behaviour: { overlooks: ['title-missing'] } },
  {
    id: 'missing-title-accepted-in-new',
    title: 'needs no title in a new thing',
    behaviour: { submittedThing: (thing, kind) => (kind === 'new_thing' ? { title: '', ...thing } : thing) },
  },
  {
    id: 'missing-title-accepted-in-change',
    title: 'needs no title in a changed thing',
    behaviour: { submittedThing: (thing, kind) => (kind === 'changed_thing' ? { title: '', ...thing } : thing) },
  },
  {
    id: 'error-description-vague',
    title: 'does not name the parameter that is wrong',
    behaviour: {
      errorBody: (refusal) => ({ ...(right.errorBody(refusal) as object), error_description: vague(refusal) }),
    },
  },
  { id: 'missing-local-id-accepted', title: 'needs no local_id', behaviour: { overlooks: ['local-id-missing'] } },
  { id: 'shared-local-id-accepted', title: 'takes a shared local_id', behaviour: { overlooks: ['local-id-shared'] } },
  { id: 'bad-boolean-accepted', title: 'ignores bad booleans', behaviour: { overlooks: ['boolean-invalid'] } },
  { id: 'boolean-text-refused', title: 'takes only true and false', behaviour: { readsBooleanText: false } },
  { id: 'number-text-refused', title: 'takes no date as text', behaviour: { readsNumberText: false } },
  { id: 'nul-accepted', title: 'keeps NUL', behaviour: { overlooks: ['nul'] } },
  { id: 'lone-surrogate-accepted', title: 'takes lone surrogates', behaviour: { overlooks: ['lone-surrogate'] } },
  {
    id: 'title-empty-refused',
    title: 'refuses empty titles',
    behaviour: {
      keepText: (text, field) => {
        if (field === 'title' && text === '') throw new Refusal('title-missing', 'title is empty')
        return text
      },
    },
  },
  { id: 'get-upload-ignored', title: 'ignores uploads in a GET', behaviour: { overlooks: ['upload-in-get'] } },
  {
    id: 'get-upload-applied',
    title: 'applies uploads in a GET',
    behaviour: { overlooks: ['upload-in-get'], anyMethod: true },
  },
  {
    id: 'half-request-applied',
    title: 'leaves half of a refused upload applied',
    behaviour: {
      reply: (reply, exchange) => {
        if (reply.status === 400 && exchange.path === 'sync') applyOne(exchange)
        return reply
      },
    },
  },
  { id: 'post-query-ignored', title: 'ignores the query of a POST', behaviour: { readsQueryOfPost: false } },
  {
    id: 'form-indexed-ignored',
    title: 'ignores new_thing[0]',
    behaviour: forms('new_thing', () => ({ indexed: [] })),
  },
  {
    id: 'form-nested-array-ignored',
    title: 'ignores arrays in new_thing[]',
    behaviour: forms('new_thing', ({ repeated }) => ({ repeated: repeated.filter((value) => !Array.isArray(value)) })),
  },
  {
    id: 'skip-id-array-ignored',
    title: 'ignores a skip_id that is an array',
    behaviour: forms('skip_id', ({ plain }) => ({ plain: plain.filter((value) => !Array.isArray(value)) })),
  },
  {
    id: 'deleted-repeated-plain-lost',
    title: 'takes only the last of repeated plain deleted_thing',
    behaviour: forms('deleted_thing', ({ plain }) => ({ plain: plain.slice(-1) })),
  },
  {
    id: 'tag-nested-form-ignored',
    title: 'ignores tag[name][favorite]',
    behaviour: { submittedTags: (tags, given) => (given.has('nested') ? new Map() : tags) },
  },
  {
    id: 'tag-map-form-ignored',
    title: 'ignores a tag that is a map',
    behaviour: { submittedTags: (tags, given) => (given.has('map') ? new Map() : tags) },
  },
  {
    id: 'tag-map-form-refused',
    title: 'refuses a tag that is a map',
    behaviour: {
      parameters: (all) => {
        if (all.some(([name]) => name === 'tag')) throw new Refusal('tag-not-map', 'tag is not a map')
        return all
      },
    },
  },
  { id: 'tag-not-map-ignored', title: 'ignores a tag that is no map', behaviour: { overlooks: ['tag-not-map'] } },
]
