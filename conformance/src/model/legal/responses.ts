import { createRandom } from '../../lab.ts'
import { type Behavior, findParameter, rightServer } from '../behavior.ts'
import { ApiError, type ErrorReason, type JsonObject } from '../state.ts'
import { eachAccount, type LegalDifference, legal } from './difference.ts'

/** Writes JSON with all non-ASCII characters escaped. */
function escapeAll(body: unknown): string {
  return JSON.stringify(body)
    .replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll('/', '\\/')
}

function statuses(code: number): Partial<Behavior> {
  return { errorStatus: () => code }
}

/** Gives all errors except an invalid token other codes and texts. */
function otherCode(reason: ErrorReason): JsonObject {
  return { error: reason.toUpperCase(), error_description: 'Not this way.' }
}

/** Differences in the form of responses. */
export const legalResponses: readonly LegalDifference[] = [
  legal('full', 'extra-fields', 'adds fields everywhere', () => ({
    thing: (thing, isTodo) => ({ ...(rightServer.thing(thing, isTodo) as object), modified: 1, owner: { name: 'x' } }),
    tag: (settings) => ({ ...settings, count: 3 }),
    syncResponse: (response) => ({ server: 'x', ...response, hints: [] }),
    tokenResponse: (response) => ({ ...response, user_id: 7 }),
    errorBody: (apiError) => ({ ...(rightServer.errorBody(apiError) as object), request_id: 'abc' }),
  })),
  legal('core', 'errors-with-200', 'sends errors with status 200', () => statuses(200)),
  legal('core', 'errors-with-400', 'sends errors with status 400', () => statuses(400)),
  legal('core', 'errors-with-403', 'sends errors with status 403', () => statuses(403)),
  legal('core', 'errors-with-500', 'sends errors with status 500', () => statuses(500)),
  legal('core', 'other-error-codes', 'has other error codes than the stated one', () => ({
    errorBody: (apiError) => {
      const specified = rightServer.errorBody(apiError)
      return apiError.reason === 'token-invalid' ? specified : otherCode(apiError.reason)
    },
  })),
  legal('core', 'missing-token-like-invalid', 'rejects a missing token like an invalid one', () => ({
    errorBody: (apiError) => ({
      ...(rightServer.errorBody(apiError) as object),
      ...(apiError.reason === 'token-missing'
        ? { error: 'invalid_grant', error_description: 'The access token provided is invalid' }
        : {}),
    }),
  })),
  legal('full', 'content-type-bare', 'names no charset', () => ({ contentType: 'application/json' })),
  legal('full', 'content-type-in-capitals', 'writes the content type in another way', () => ({
    contentType: 'Application/JSON;charset="UTF-8"',
  })),
  legal('full', 'json-escaped', 'escapes everything that is not ASCII, and slashes', () => ({ encode: escapeAll })),
  legal('full', 'json-indented', 'indents its JSON and ends it with a newline', () => ({
    encode: (body) => `${JSON.stringify(body, null, 4)}\r\n`,
  })),
  legal('core', 'date-with-fractions', 'dates things exactly', () => ({ defaultDate: (now) => now / 1000 })),
]

/** Differences in choices that the interface leaves to the server. */
export const legalChoices: readonly LegalDifference[] = [
  legal('core', 'order-at-random', 'lists in another order each time when it lists without pages', () => {
    const random = createRandom('any order')
    return {
      listed: (list, _kind, { exchange }) => {
        const isPage = ['skip', 'limit'].some((name) => findParameter(exchange.parameters, name) !== undefined)
        return isPage ? list : [...list].sort(() => random() - 0.5)
      },
    }
  }),
  legal('core', 'tags-reversed', 'keeps tags in the reverse order', () => ({
    keepText: (text, field) => (field === 'tags' ? text.split(' ').reverse().join(' ') : text),
  })),
  legal('full', 'tokens-are-long', 'gives tokens of 2,000 characters', () => ({
    newToken: (kind, name, old) => `${rightServer.newToken(kind, name, old)}${'x'.repeat(2000)}`,
  })),
  legal('full', 'tokens-have-dots', 'gives tokens of three parts', () => ({
    newToken: (kind, name, old) =>
      `eyJ.${rightServer.newToken(kind, name, old)}.${rightServer.newToken(kind, name, old)}`,
  })),
  legal('full', 'tokens-are-hexadecimal', 'gives tokens of hexadecimal digits', () => ({
    newToken: (kind, name, old) => Buffer.from(rightServer.newToken(kind, name, old)).toString('hex'),
  })),
  legal('core', 'validity-is-long', 'gives tokens that are valid for a year', () => ({
    tokenResponse: (response) => ({ ...response, expires_in: 31_536_000 }),
  })),
  legal('core', 'validity-has-fractions', 'returns a validity that is no whole number', () => ({
    tokenResponse: (response) => ({ ...response, expires_in: 3599.75 }),
  })),
  legal('core', 'errors-with-404', 'sends errors with status 404', () => ({ errorStatus: () => 404 })),
  legal('core', 'errors-with-422', 'sends errors with status 422', () => ({ errorStatus: () => 422 })),
  legal('core', 'errors-described-by-nothing', 'describes errors other than the stated one with ""', () => ({
    errorBody: (apiError) => ({
      ...(rightServer.errorBody(apiError) as object),
      ...(apiError.reason === 'token-invalid' ? {} : { error_description: '' }),
    }),
  })),
  legal('core', 'successes-with-201', 'responds to uploads with 201', () => ({
    reply: (reply, { method, path }) =>
      method === 'POST' && path === 'sync' && reply.status === 200 ? { ...reply, status: 201 } : reply,
  })),
  legal('core', 'content-type-text', 'calls its JSON text/javascript', () => ({
    contentType: 'text/javascript; charset=utf-8',
  })),
  legal('core', 'responses-uncompressed', 'never compresses', () => ({ compression: () => undefined })),
  legal('core', 'numbers-with-exponents', 'writes large numbers with an exponent', () => ({
    encode: (body) => JSON.stringify(body).replace(/("date":)(\d+)000000(?=[,}])/g, '$1$2e6'),
  })),
  legal('full', 'ids-of-one-letter', 'gives short ids that are counted in letters', () => ({
    newId: ({ memory }) => {
      memory.set('short', Number(memory.get('short') ?? 9) + 1)
      return Number(memory.get('short')).toString(36)
    },
  })),
  legal('full', 'ids-in-capitals', 'gives ids in capitals', () => ({
    newId: (account, state) => String(rightServer.newId(account, state)).toUpperCase(),
  })),
  legal('full', 'ids-look-like-words', 'gives ids that begin with a word of its language', () => ({
    newId: (account, state) => `null${rightServer.newId(account, state)}`,
  })),
  legal(
    'full',
    'pos-begins-late',
    'begins positions at a million',
    () => ({}),
    eachAccount((account) => {
      account.position = 1_000_000
    }),
  ),
  legal('core', 'pos-once-for-tags', 'gives all tag settings of an upload one position', () => ({
    commit: async (account, work, upload) => {
      const taken = account.position + 1
      account.position = taken
      work(() => (upload.tags.size > 1 ? taken : rightServer.nextPosition(account)))
    },
  })),
  legal('full', 'pos-jumps-by-thousands', 'moves positions by thousands', () => ({
    nextPosition: (account) => {
      account.position += 1000
      return account.position
    },
  })),
  legal('core', 'get-uploads-ignored', 'ignores uploads in the query of a GET', () => ({
    overlooks: ['upload-in-get'],
  })),
  legal('core', 'skip-id-array-only', 'reads several skip_id as an array only', () => ({
    several: (kind, given) =>
      rightServer.several(kind, kind === 'skip_id' ? { ...given, repeated: [], plain: given.plain.slice(-1) } : given),
  })),
  legal('core', 'skip-id-repeated-only', 'reads several skip_id as skip_id[] only', () => ({
    several: (kind, given) =>
      rightServer.several(
        kind,
        kind === 'skip_id' ? { ...given, plain: given.plain.filter((value) => !Array.isArray(value)) } : given,
      ),
  })),
  legal('core', 'deleted-ids-first-page', 'lists all deletions with the first page, beside its things', () => ({
    deletedFirst: true,
  })),
  legal('core', 'things-always-in-full', 'gives an empty things.changed beside deletions', () => ({
    things: (things) => (Object.keys(things).length === 0 ? undefined : { changed: [], ...things }),
  })),
  legal('core', 'own-changes-echoed', 'lists own changes and new things of an upload, not own deletions', () => ({
    listsThing: (thing, of) => rightServer.listsThing(thing, { ...of, own: new Set() }),
  })),
  legal('core', 'own-tags-echoed-with-all', 'lists favorites with the response to an upload of tags', () => ({
    listsTag: (name, tag, of) =>
      rightServer.listsTag(name, tag, of) || (of.ownTags.size > 0 && tag.settings.favorite && !of.full),
  })),
  legal('core', 'from-text-is-all', 'lists everything for a from that is no number', () => ({
    overlooks: ['number-invalid'],
  })),
  legal('core', 'pages-limited-to-1000', 'rejects a limit of more than 2,000', () => ({
    page: (list, skip, limit) => {
      if (limit !== undefined && limit > 2000) throw new ApiError('number-invalid', 'limit is too large')
      return rightServer.page(list, skip, limit)
    },
  })),
  legal('core', 'throttled-often', 'responds with 429 and Retry-After more often', () => {
    let count = 0
    return {
      delay: async () => {
        count += 1
        if (count % 120 === 0) throw new ApiError('throttled', 'Slow down', { 'retry-after': '0' })
      },
    }
  }),
  legal('core', 'todo-status-survives', 'keeps a todoStatus while the thing is no todo', () => ({
    changedFields: (old, change) => ({
      ...rightServer.changedFields(old, change),
      todoStatus: change.todoStatus ?? old.todoStatus,
    }),
  })),
  legal(
    'core',
    'todo-status-once-given',
    'gives the todoStatus that was submitted with tags, also where none of them is for todos',
    () => ({
      thing: (thing, isTodo, of) =>
        rightServer.thing(thing, isTodo || (thing.fields.tags !== '' && thing.fields.todoStatus !== undefined), of),
    }),
  ),
  legal('core', 'pos-read-late', 'returns the position of the moment of the listing, one turn later', () => ({
    position: (account, session, of) => rightServer.position(account, session, of),
    delay: async () => {
      await new Promise((resolve) => setImmediate(resolve))
    },
  })),
  legal('full', 'fields-in-another-order', 'writes fields sorted by name', () => ({
    syncResponse: (response) =>
      Object.fromEntries(Object.entries(response).sort(([a], [b]) => (a < b ? -1 : 1))) as JsonObject,
  })),
]
