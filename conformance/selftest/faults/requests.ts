import { type Behavior, type Exchange, rightServer } from '../../src/model/behavior.ts'
import { ApiError } from '../../src/model/state.ts'
import { addThing } from '../../src/model/sync.ts'
import { fieldForms } from '../../src/model/thing-fields.ts'
import { errors, type Fault, fault, forms, responded, status, without } from './fault.ts'

function unless(condition: boolean, message: string): void {
  if (!condition) throw new ApiError('content-type', message)
}

/** Faults in reading bodies (interface 4.2, 4.3). */
export const transportFaults: readonly Fault[] = [
  fault('charset-rejected', 'rejects forms whose content type has parameters', {
    contentTypeOf: (header, url) =>
      url.includes('sync') ? header.toLowerCase() : rightServer.contentTypeOf(header, url),
  }),
  fault('token-charset-rejected', 'rejects grants whose content type has parameters', {
    contentTypeOf: (header, url) =>
      url.includes('token') && !url.includes('sync') ? header.toLowerCase() : rightServer.contentTypeOf(header, url),
  }),
  fault('content-type-case-counts', 'wants content types in small letters', {
    contentTypeOf: (header) => (header.split(';')[0] ?? '').trim(),
  }),
  fault('charset-body-ignored', 'reads an empty body when the content type has parameters', {
    bodyOf: (chunks, headers) => (headers['content-type']?.includes(';') ? Buffer.alloc(0) : Buffer.concat(chunks)),
  }),
  fault('raw-brackets-ignored', 'ignores names with brackets that are not escaped', {
    formText: (text) =>
      text
        .split('&')
        .filter((pair) => !/^[^=]*[[\]]/.test(pair))
        .join('&'),
  }),
  fault('raw-tag-brackets-ignored', 'ignores tags with brackets that are not escaped', {
    formText: (text) =>
      text
        .split('&')
        .filter((pair) => !pair.startsWith('tag['))
        .join('&'),
  }),
  fault('escaped-brackets-ignored', 'ignores names with escaped brackets', {
    formText: (text) =>
      text
        .split('&')
        .filter((pair) => !/^[^=]*%5B/.test(pair))
        .join('&'),
  }),
  fault('small-escapes-ignored', 'reads escapes in capitals only', {
    formText: (text) => text.replace(/%(?=[\da-f]*[a-f])(?![\dA-F]{2})/g, '%25'),
  }),
  fault('percent-twenty-kept', 'reads blanks only where they are plus signs', {
    formText: (text) => (text.includes('%6C') ? text : text.replace(/%20/g, '%2520')),
  }),
  fault('plus-in-forms-kept', 'reads plus signs of uploads as they are', {
    formText: (text) => (text.includes('new_thing') ? text.replace(/\+/g, '%2B') : text),
  }),
  fault('needless-escapes-kept', 'reads no escapes of letters', {
    formText: (text) => text.replace(/%6([1-9A-F])/g, '%256$1'),
  }),
  fault('token-escapes-kept', 'reads the form of a token request as it is', {
    formText: (text) => (text.includes('username') ? text.replaceAll('%', '%25') : text),
  }),
  fault('raw-semicolon-separates', 'takes a semicolon for an ampersand', {
    formText: (text) => text.replace(/;/g, '&'),
  }),
  fault('raw-equals-cuts', 'reads values up to the next equals sign', {
    formText: (text) => text.replace(/(?<=(^|&)[^=&]*=[^=&]*)=[^&]*/g, ''),
  }),
  fault('raw-quotes-lost', 'drops quotes that are not escaped and stand alone', {
    formText: (text) => text.replace(/'/g, ''),
  }),
  fault('chunks-ignored', 'reads no body without a length', {
    bodyOf: (chunks, headers, url) =>
      headers['transfer-encoding'] && url.includes('sync') ? Buffer.alloc(0) : Buffer.concat(chunks),
  }),
  fault('token-chunks-ignored', 'reads no body of a grant without a length', {
    bodyOf: (chunks, headers, url) =>
      headers['transfer-encoding'] && !url.includes('sync') ? Buffer.alloc(0) : Buffer.concat(chunks),
  }),
  fault('chunks-first-only', 'reads the first piece of a body', {
    bodyOf: (chunks, headers) =>
      headers['transfer-encoding'] ? Buffer.concat(chunks).subarray(0, 150) : Buffer.concat(chunks),
  }),
  fault('chunks-rejected', 'rejects bodies without a length', {
    bodyOf: (chunks, headers) => {
      unless(headers['transfer-encoding'] === undefined, 'a length is required')
      return Buffer.concat(chunks)
    },
  }),
]

function hasKey(body: unknown, key: string): boolean {
  return typeof body === 'object' && body !== null && key in body
}

function marked(body: unknown): string {
  return `\ufeff${JSON.stringify(body)}`
}

/** Faults of parameters, header names and marks that count only in one location (interface 4.2, 4.3). */
export const parameterOrderFaults: readonly Fault[] = [
  fault('form-token-only-last', 'looks for the token at the end of the form', {
    form: (body, { path }) =>
      path === 'token' ? body : body.filter(([name], index) => name !== 'access_token' || index === body.length - 1),
  }),
  fault('form-token-only-first', 'looks for the token at the beginning of the form', {
    form: (body, { path }) =>
      path === 'token'
        ? body
        : body.filter(([name], index) => name !== 'access_token' || index === 0 || body.length > 4),
  }),
  fault('from-only-first', 'reads from only before other parameters', {
    form: (body) =>
      body.filter(([name], index) => name !== 'from' || !body.slice(0, index).some(([other]) => other === 'limit')),
  }),
  fault('from-only-first-in-query', 'reads from only at the beginning of a query', {
    parameters: (all, { method }) =>
      method === 'GET' ? all.filter(([name], index) => name !== 'from' || index === 0) : all,
  }),
  fault('from-only-last-in-query', 'reads from only at the end of a query', {
    parameters: (all, { method }) =>
      method === 'GET' ? all.filter(([name], index) => name !== 'from' || index === all.length - 1) : all,
  }),
  fault('limit-first-in-query-lists-none', 'lists nothing when the query begins with a limit and goes on with more', {
    listed: (list, _kind, { exchange: { method, query } }) =>
      method === 'GET' && query[0]?.[0] === 'limit' && query.length > 2 ? [] : list,
  }),
  fault('query-token-only-first', 'finds the token of a query only at its beginning', {
    findAccessToken: (state, token, way, exchange) =>
      way === 'query' && exchange.query[0]?.[0] !== 'access_token'
        ? undefined
        : rightServer.findAccessToken(state, token, way, exchange),
  }),
  fault('responses-begin-with-mark', 'begins the responses to sync with a byte order mark', {
    encode: (body) => (hasKey(body, 'pos') ? marked(body) : JSON.stringify(body)),
  }),
  fault('token-responses-begin-with-mark', 'begins token responses with a byte order mark', {
    encode: (body) => (hasKey(body, 'access_token') ? marked(body) : JSON.stringify(body)),
  }),
  fault('errors-begin-with-mark', 'begins errors with a byte order mark', {
    encode: (body) => (hasKey(body, 'error') ? marked(body) : JSON.stringify(body)),
  }),
  fault('always-compressed', 'compresses responses without a look at what the client accepts', {
    compression: () => 'gzip',
  }),
  fault('limit-first-lists-none', 'lists nothing when the form begins with a limit', {
    listed: (list, _kind, { exchange }) => (exchange.body[0]?.[0] === 'limit' ? [] : list),
  }),
  fault('grant-type-only-first', 'reads grant_type only at the beginning', {
    form: (body, { path }) =>
      path === 'token' ? body.filter(([name], index) => name !== 'grant_type' || index === 0) : body,
  }),
  fault('header-name-case-counts', 'wants header names in small letters', {
    authorizationOf: ({ rawHeaders }) => rawHeaders[rawHeaders.indexOf('authorization') + 1 || -1],
  }),
  fault('header-name-capitals-unread', 'reads no header whose name is in capitals', {
    authorizationOf: ({ rawHeaders, headers }) =>
      rawHeaders.includes('AUTHORIZATION') ? undefined : headers.authorization,
  }),
]

function isArray(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith('[')
}

/** Faults of empty bodies, and uploads by GET (interface 4.3). */
export const getUploadFaults: readonly Fault[] = [
  fault('empty-post-rejected', 'rejects empty bodies', {
    bodyOf: (chunks, headers, url) => {
      unless(!(headers['content-length'] === '0' && url.includes('sync')), 'the body is empty')
      return Buffer.concat(chunks)
    },
  }),
  fault('empty-post-empty-response', 'lists nothing for an empty body', {
    listed: (list, _kind, { exchange }) => (exchange.method === 'POST' && exchange.parameters.length === 0 ? [] : list),
  }),
  fault('empty-post-token-unread', 'looks for the token of a POST without parameters nowhere', {
    findAccessToken: (state, token, way, exchange) =>
      exchange.method === 'POST' && exchange.body.length === 0 && way === 'header'
        ? undefined
        : rightServer.findAccessToken(state, token, way, exchange),
    tokenBeforeBody: false,
  }),
  ...(['new_thing', 'changed_thing', 'deleted_thing', 'tag'] as const).map(
    (kind): Fault =>
      fault(
        {
          new_thing: 'get-creates',
          changed_thing: 'get-changes',
          deleted_thing: 'get-deletes',
          tag: 'get-sets-tags',
        }[kind],
        `applies ${kind} of a GET`,
        {
          overlooks: ['upload-in-get'],
          anyMethod: true,
          parameters: (all, { method, path }) =>
            method === 'GET' && path === 'sync'
              ? all.filter(([name]) => name.startsWith(kind) || !/_thing|^tag/.test(name))
              : all,
        },
      ),
  ),
  fault('get-deletion-hides', 'leaves out of the response to a GET what its query deletes', {
    overlooks: ['upload-in-get'],
    listsThing: (thing, of) =>
      rightServer.listsThing(thing, of) &&
      thing.id !== of.exchange.query.find(([name]) => name === 'deleted_thing')?.[1],
  }),
  fault('get-change-shows', 'shows in the response to a GET what its query changes', {
    overlooks: ['upload-in-get'],
    thing: (thing, isTodo, of) => {
      const text = of?.exchange.query.find(([name]) => name === 'changed_thing')?.[1]
      const change = typeof text === 'string' ? (JSON.parse(text) as { _id: string }) : undefined
      const json = rightServer.thing(thing, isTodo, of) as object
      return change?._id === thing.id ? { ...json, ...change } : json
    },
  }),
  fault('get-array-creates', 'applies new_thing[] of a GET', {
    overlooks: ['upload-in-get'],
    anyMethod: true,
    parameters: (all, { method, path }) =>
      method === 'GET' && path === 'sync'
        ? all.filter(([name]) => name === 'new_thing[]' || !/_thing|^tag/.test(name))
        : all,
  }),
  fault('get-json-array-deletes', 'applies a deletion of a GET that is a JSON array', {
    overlooks: ['upload-in-get'],
    anyMethod: true,
    parameters: (all, { method, path }) =>
      method === 'GET' && path === 'sync'
        ? all
            .filter(([name, value]) => !/_thing|^tag/.test(name) || (name === 'deleted_thing' && isArray(value)))
            .map(([name, value]) => (name === 'deleted_thing' ? [name, JSON.parse(String(value))] : [name, value]))
        : all,
  }),
  fault('get-new-returned', 'gives _ids for what a GET would create', {
    overlooks: ['upload-in-get'],
    things: (things, { exchange }) => {
      const isSelected = exchange.method === 'GET' && exchange.query.some(([name]) => name === 'new_thing')
      return rightServer.things(isSelected ? { new: { a: 'a1' }, ...things } : things, {} as never)
    },
  }),
  fault('get-new-counted', 'counts in thingCount what a GET would create', {
    overlooks: ['upload-in-get'],
    syncResponse: (response, { method, query }) => {
      const isSelected = method === 'GET' && query.some(([name]) => name === 'new_thing')
      return isSelected ? { ...response, thingCount: Number(response.thingCount ?? 0) + 1 } : response
    },
  }),
  fault('get-with-upload-deletes-all', 'deletes things for a GET with a deletion in its query, whichever they are', {
    delay: async (exchange) => {
      if (exchange.method !== 'GET' || !exchange.parameters.some(([name]) => name === 'deleted_thing')) return
      for (const thing of exchange.account?.things.values() ?? []) thing.deleted = true
    },
  }),
]

/** Responses with one status lack one of their headers. */
function headerless(code: number, name: string): Partial<Behavior> {
  return {
    reply: (reply) =>
      reply.status === code ? { ...reply, headers: without(reply.headers, name) as Record<string, string> } : reply,
  }
}

/** Applies one thing of a rejected upload, as a server that stops in the middle. */
function applyOne({ state, account, session }: Exchange): void {
  if (account === undefined || session === undefined) return
  addThing(account, session, rightServer.newId(account, state), { title: 'half' }, rightServer.nextPosition(account))
}

/** Returns a vague description, except for the error whose description the interface specifies. */
function vague({ reason, message }: ApiError): string {
  return reason === 'token-invalid' ? message : 'Bad request'
}

const known = [
  ...['access_token', 'from', 'skip', 'limit', 'new_thing', 'changed_thing', 'deleted_thing', 'tag', 'skip_id'],
  ...['_id', ...Object.keys(fieldForms), 'prevent_duplicate', 'target_url'],
  ...['grant_type', 'client_id', 'client_secret', 'username', 'password', 'refresh_token', 'token'],
  ...['event', 'type', 'id', 'endpoint', 'p256dh', 'auth', 'local_id'],
]

/** Faults against the contract on requests, tokens in headers, and errors. */
export const fullRequestFaults: readonly Fault[] = [
  fault('two-tokens-accepted', 'takes two tokens at once', { toleratesTwice: () => true }),
  fault('same-token-twice-rejected', 'rejects a token that is given in two ways', {
    toleratesTwice: (_different, ways) => ways < 2,
  }),
  fault('body-before-token', 'checks the body before a token in header or query', { tokenBeforeBody: false }),
  fault('unknown-body-unbounded', 'reads JSON bodies of any length from senders it does not know', {
    maxUnknownBytes: 32 * 1024 * 1024,
  }),
  fault('json-nesting-unbounded', 'reads JSON that nests as deep as it likes', { maxJsonDepth: 1_000_000 }),
  fault('get-skip-id-rejected', 'rejects skip_id in a GET', {
    parameters: (all, { method }) => {
      if (method === 'GET' && all.some(([name]) => name.startsWith('skip_id')))
        throw new ApiError('upload-in-get', 'skip_id belongs to POST')
      return all
    },
  }),
  fault('boolean-case-rejected', 'takes texts for booleans in small letters only', { booleanText: (text) => text }),
  fault(
    'missing-token-other-code',
    'calls a missing token an invalid one',
    errors('token-missing', (body) => ({ ...body, error: 'invalid_grant' })),
  ),
  fault('invalid-token-status-400', 'responds to an invalid token with 400', status('token-invalid', 400)),
  fault(
    'invalid-token-no-www-authenticate',
    'responds with 401 without WWW-Authenticate',
    headerless(401, 'www-authenticate'),
  ),
  fault('bearer-rejected', 'does not read `Bearer`', { schemes: ['oauth', 'token', ''] }),
  fault('oauth-scheme-rejected', 'does not read `OAuth`', { schemes: ['bearer', 'token', ''] }),
  fault('token-scheme-rejected', 'does not read `Token`', { schemes: ['bearer', 'oauth', ''] }),
  fault('named-token-rejected', 'does not read `name=token`', { schemes: ['bearer', 'oauth', 'token'] }),
  fault('quoted-token-rejected', 'does not read quoted tokens', { readsQuotedToken: false }),
  fault('unknown-operation-200', 'responds to an unknown operation with 200', status('operation-unknown', 200)),
  fault(
    'unknown-operation-not-error',
    'responds to an unknown operation without an error object',
    errors('operation-unknown', () => ({})),
  ),
  fault('unknown-parameter-rejected', 'rejects parameters that it does not know', {
    parameters: (all) => {
      const unknown = all.find(([name]) => !known.includes(name.replace(/\[.*$/s, '')))
      if (unknown !== undefined) throw new ApiError('parameter-invalid', `${unknown[0]} is not known`)
      return all
    },
  }),
  fault('parameters-before-token', 'checks parameters before the token', {
    tokenBeforeBody: false,
    parameters: (all) => {
      const from = all.find(([name]) => name === 'from')?.[1] ?? 0
      if (Number.isNaN(Number(from))) throw new ApiError('number-invalid', 'from is not a number')
      return all
    },
  }),
  fault('operations-response-201', 'responds to thing operations with 201', responded('thing', 201)),
  fault('wrong-method-accepted', 'takes any method', { anyMethod: true }),
  fault('wrong-method-no-allow', 'responds with 405 without Allow', headerless(405, 'allow')),
  fault('unsupported-media-type-accepted', 'reads any body as a form', { overlooks: ['content-type'] }),
  fault('compression-ignored', 'compresses no response', { compression: () => undefined }),
  fault('brotli-ignored', 'compresses with gzip only', {
    compression: (accepted) => (accepted.includes('gzip') ? 'gzip' : undefined),
  }),
  fault('too-many-things-400', 'responds to too many things with 400', status('things-many', 400)),
  fault(
    'too-many-things-other-code',
    'calls too many things an invalid parameter',
    errors('things-many', (body) => ({ ...body, error: 'parameter_invalid' })),
  ),
  fault('json-body-rejected', 'reads no JSON bodies', { readsJsonBody: false }),
  fault('bad-parameter-500', 'responds to bad parameters with 500', {
    errorStatus: (apiError) =>
      (rightServer.errorBody(apiError) as { error: string }).error === 'parameter_invalid'
        ? 500
        : rightServer.errorStatus(apiError),
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
    errorBody: (apiError) => ({ ...(rightServer.errorBody(apiError) as object), error_description: vague(apiError) }),
  }),
  fault('missing-local-id-accepted', 'needs no local_id', { overlooks: ['local-id-missing'] }),
  fault('shared-local-id-accepted', 'takes a shared local_id', { overlooks: ['local-id-shared'] }),
  fault('bad-boolean-accepted', 'ignores bad booleans', { overlooks: ['boolean-invalid'] }),
  fault('boolean-text-rejected', 'takes only true and false', { readsBooleanText: false }),
  fault('number-text-rejected', 'takes no date as text', { readsNumberText: false }),
  fault('nul-accepted', 'keeps NUL', { overlooks: ['nul'] }),
  fault('lone-surrogate-accepted', 'takes lone surrogates', { overlooks: ['lone-surrogate'] }),
  fault('title-empty-rejected', 'rejects empty titles', {
    keepText: (text, field) => {
      if (field === 'title' && text === '') throw new ApiError('title-missing', 'title is empty')
      return text
    },
  }),
  fault('get-upload-ignored', 'ignores uploads in a GET', { overlooks: ['upload-in-get'] }),
  fault('get-upload-applied', 'applies uploads in a GET', { overlooks: ['upload-in-get'], anyMethod: true }),
  fault('half-request-applied', 'leaves half of a rejected upload applied', {
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
  fault('tag-map-form-rejected', 'rejects a tag that is a map', {
    parameters: (all) => {
      if (all.some(([name]) => name === 'tag')) throw new ApiError('tag-not-map', 'tag is not a map')
      return all
    },
  }),
  fault('tag-not-map-ignored', 'ignores a tag that is no map', { overlooks: ['tag-not-map'] }),
]
