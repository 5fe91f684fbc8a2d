import { createRandom } from '../../src/random.ts'
import { right } from '../server/behaviour.ts'
import { Refusal } from '../server/refusal.ts'
import { findParameter } from '../server/right-requests.ts'
import type { JsonObject } from '../server/world.ts'
import { eachAccount, type LegalDifference, legal } from './difference.ts'

const { listsThing, newToken, page, position, several } = right

/** Things that the interface leaves to the server. */
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
    newToken: (kind, name, old) => `${newToken(kind, name, old)}${'x'.repeat(2000)}`,
  })),
  legal('full', 'tokens-have-dots', 'gives tokens of three parts', () => ({
    newToken: (kind, name, old) => `eyJ.${newToken(kind, name, old)}.${newToken(kind, name, old)}`,
  })),
  legal('full', 'tokens-are-hexadecimal', 'gives tokens of hexadecimal digits', () => ({
    newToken: (kind, name, old) => Buffer.from(newToken(kind, name, old)).toString('hex'),
  })),
  legal('core', 'validity-is-long', 'gives tokens that are valid for a year', () => ({
    tokenAnswer: (answer) => ({ ...answer, expires_in: 31_536_000 }),
  })),
  legal('core', 'validity-has-fractions', 'tells a validity that is no whole number', () => ({
    tokenAnswer: (answer) => ({ ...answer, expires_in: 3599.75 }),
  })),
  legal('core', 'errors-with-404', 'answers errors with 404', () => ({ errorStatus: () => 404 })),
  legal('core', 'errors-with-422', 'answers errors with 422', () => ({ errorStatus: () => 422 })),
  legal('core', 'errors-described-by-nothing', 'describes errors other than the stated one with ""', () => ({
    errorBody: (refusal) => ({
      ...(right.errorBody(refusal) as object),
      ...(refusal.reason === 'token-invalid' ? {} : { error_description: '' }),
    }),
  })),
  legal('core', 'successes-with-201', 'answers uploads with 201', () => ({
    reply: (reply, { method, path }) =>
      method === 'POST' && path === 'sync' && reply.status === 200 ? { ...reply, status: 201 } : reply,
  })),
  legal('core', 'content-type-text', 'calls its JSON text/javascript', () => ({
    contentType: 'text/javascript; charset=utf-8',
  })),
  legal('core', 'answers-uncompressed', 'never compresses', () => ({ compression: () => undefined })),
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
    newId: (account, world) => String(right.newId(account, world)).toUpperCase(),
  })),
  legal('full', 'ids-look-like-words', 'gives ids that begin with a word of its language', () => ({
    newId: (account, world) => `null${right.newId(account, world)}`,
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
      work(() => (upload.tags.size > 1 ? taken : right.nextPosition(account)))
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
      several(kind, kind === 'skip_id' ? { ...given, repeated: [], plain: given.plain.slice(-1) } : given),
  })),
  legal('core', 'skip-id-repeated-only', 'reads several skip_id as skip_id[] only', () => ({
    several: (kind, given) =>
      several(
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
    listsThing: (thing, of) => listsThing(thing, { ...of, own: new Set() }),
  })),
  legal('core', 'own-tags-echoed-with-all', 'lists favorites with the answer to an upload of tags', () => ({
    listsTag: (name, tag, of) =>
      right.listsTag(name, tag, of) || (of.ownTags.size > 0 && tag.settings.favorite && !of.full),
  })),
  legal('core', 'from-text-is-all', 'lists everything for a from that is no number', () => ({
    overlooks: ['number-invalid'],
  })),
  legal('core', 'pages-limited-to-1000', 'refuses a limit of more than 2,000', () => ({
    page: (list, skip, limit) => {
      if (limit !== undefined && limit > 2000) throw new Refusal('number-invalid', 'limit is too large')
      return page(list, skip, limit)
    },
  })),
  legal('core', 'throttled-often', 'answers 429 with Retry-After more often', () => {
    let count = 0
    return {
      delay: async () => {
        count += 1
        if (count % 120 === 0) throw new Refusal('throttled', 'Slow down', { 'retry-after': '0' })
      },
    }
  }),
  legal('core', 'todo-status-survives', 'keeps a todoStatus while the thing is no todo', () => ({
    changedFields: (old, change) => ({
      ...right.changedFields(old, change),
      todoStatus: change.todoStatus ?? old.todoStatus,
    }),
  })),
  legal(
    'core',
    'todo-status-once-given',
    'gives the todoStatus that was submitted, also where the tag is no longer for todos',
    () => ({
      thing: (thing, isTodo, of) => right.thing(thing, isTodo || thing.fields.todoStatus !== undefined, of),
    }),
  ),
  legal('core', 'pos-read-late', 'tells the position of the moment of the listing, one turn later', () => ({
    position: (account, session, of) => position(account, session, of),
    delay: async () => {
      await new Promise((resolve) => setImmediate(resolve))
    },
  })),
  legal('full', 'fields-in-another-order', 'writes fields sorted by name', () => ({
    syncAnswer: (answer) =>
      Object.fromEntries(Object.entries(answer).sort(([a], [b]) => (a < b ? -1 : 1))) as JsonObject,
  })),
]
