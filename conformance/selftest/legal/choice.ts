import { createRandom } from '../../src/random.ts'
import { right } from '../server/behaviour.ts'
import { Refusal } from '../server/refusal.ts'
import { findParameter } from '../server/right-requests.ts'
import type { JsonObject } from '../server/world.ts'
import { eachAccount, type LegalDifference } from './difference.ts'

const { listsThing, newToken, page, position, several } = right

/** Things that the interface leaves to the server. */
export const legalChoices: readonly LegalDifference[] = [
  {
    id: 'order-at-random',
    title: 'lists in another order each time when it lists without pages',
    profile: 'core',
    behaviour: () => {
      const random = createRandom('any order')
      return {
        listed: (list, _kind, { exchange }) => {
          const isPage = ['skip', 'limit'].some((name) => findParameter(exchange.parameters, name) !== undefined)
          return isPage ? list : [...list].sort(() => random() - 0.5)
        },
      }
    },
  },
  {
    id: 'tags-reversed',
    title: 'keeps tags in the reverse order',
    profile: 'core',
    behaviour: () => ({ keepText: (text, field) => (field === 'tags' ? text.split(' ').reverse().join(' ') : text) }),
  },
  {
    id: 'tokens-are-long',
    title: 'gives tokens of 2,000 characters',
    profile: 'full',
    behaviour: () => ({ newToken: (kind, name, old) => `${newToken(kind, name, old)}${'x'.repeat(2000)}` }),
  },
  {
    id: 'tokens-have-dots',
    title: 'gives tokens of three parts',
    profile: 'full',
    behaviour: () => ({
      newToken: (kind, name, old) => `eyJ.${newToken(kind, name, old)}.${newToken(kind, name, old)}`,
    }),
  },
  {
    id: 'tokens-are-hexadecimal',
    title: 'gives tokens of hexadecimal digits',
    profile: 'full',
    behaviour: () => ({ newToken: (kind, name, old) => Buffer.from(newToken(kind, name, old)).toString('hex') }),
  },
  {
    id: 'validity-is-long',
    title: 'gives tokens that are valid for a year',
    profile: 'core',
    behaviour: () => ({ tokenAnswer: (answer) => ({ ...answer, expires_in: 31_536_000 }) }),
  },
  {
    id: 'validity-has-fractions',
    title: 'tells a validity that is no whole number',
    profile: 'core',
    behaviour: () => ({ tokenAnswer: (answer) => ({ ...answer, expires_in: 3599.75 }) }),
  },
  {
    id: 'errors-with-404',
    title: 'answers errors with 404',
    profile: 'core',
    behaviour: () => ({ errorStatus: () => 404 }),
  },
  {
    id: 'errors-with-422',
    title: 'answers errors with 422',
    profile: 'core',
    behaviour: () => ({ errorStatus: () => 422 }),
  },
  {
    id: 'errors-described-by-nothing',
    title: 'describes errors other than the stated one with ""',
    profile: 'core',
    behaviour: () => ({
      errorBody: (refusal) => ({
        ...(right.errorBody(refusal) as object),
        ...(refusal.reason === 'token-invalid' ? {} : { error_description: '' }),
      }),
    }),
  },
  {
    id: 'successes-with-201',
    title: 'answers uploads with 201',
    profile: 'core',
    behaviour: () => ({
      reply: (reply, { method, path }) =>
        method === 'POST' && path === 'sync' && reply.status === 200 ? { ...reply, status: 201 } : reply,
    }),
  },
  {
    id: 'content-type-text',
    title: 'calls its JSON text/javascript',
    profile: 'core',
    behaviour: () => ({ contentType: 'text/javascript; charset=utf-8' }),
  },
  {
    id: 'answers-uncompressed',
    title: 'never compresses',
    profile: 'core',
    behaviour: () => ({ compression: () => undefined }),
  },
  {
    id: 'numbers-with-exponents',
    title: 'writes large numbers with an exponent',
    profile: 'core',
    behaviour: () => ({ encode: (body) => JSON.stringify(body).replace(/("date":)(\d+)000000(?=[,}])/g, '$1$2e6') }),
  },
  {
    id: 'ids-of-one-letter',
    title: 'gives short ids that are counted in letters',
    profile: 'full',
    behaviour: () => ({
      newId: ({ memory }) => {
        memory.set('short', Number(memory.get('short') ?? 9) + 1)
        return Number(memory.get('short')).toString(36)
      },
    }),
  },
  {
    id: 'ids-in-capitals',
    title: 'gives ids in capitals',
    profile: 'full',
    behaviour: () => ({ newId: (account, world) => String(right.newId(account, world)).toUpperCase() }),
  },
  {
    id: 'ids-look-like-words',
    title: 'gives ids that begin with a word of its language',
    profile: 'full',
    behaviour: () => ({ newId: (account, world) => `null${right.newId(account, world)}` }),
  },
  {
    id: 'pos-begins-late',
    title: 'begins positions at a million',
    profile: 'full',
    behaviour: () => ({}),
    prepare: eachAccount((account) => {
      account.position = 1_000_000
    }),
  },
  {
    id: 'pos-once-for-tags',
    title: 'gives all tag settings of an upload one position',
    profile: 'core',
    behaviour: () => ({
      commit: async (account, work, upload) => {
        const taken = account.position + 1
        account.position = taken
        work(() => (upload.tags.size > 1 ? taken : right.nextPosition(account)))
      },
    }),
  },
  {
    id: 'pos-jumps-by-thousands',
    title: 'moves positions by thousands',
    profile: 'full',
    behaviour: () => ({
      nextPosition: (account) => {
        account.position += 1000
        return account.position
      },
    }),
  },
  {
    id: 'get-uploads-ignored',
    title: 'ignores uploads in the query of a GET',
    profile: 'core',
    behaviour: () => ({ overlooks: ['upload-in-get'] }),
  },
  {
    id: 'skip-id-array-only',
    title: 'reads several skip_id as an array only',
    profile: 'core',
    behaviour: () => ({
      several: (kind, given) =>
        several(kind, kind === 'skip_id' ? { ...given, repeated: [], plain: given.plain.slice(-1) } : given),
    }),
  },
  {
    id: 'skip-id-repeated-only',
    title: 'reads several skip_id as skip_id[] only',
    profile: 'core',
    behaviour: () => ({
      several: (kind, given) =>
        several(
          kind,
          kind === 'skip_id' ? { ...given, plain: given.plain.filter((value) => !Array.isArray(value)) } : given,
        ),
    }),
  },
  {
    id: 'deleted-ids-first-page',
    title: 'lists all deletions with the first page, beside its things',
    profile: 'core',
    behaviour: () => ({ deletedFirst: true }),
  },
  {
    id: 'things-always-in-full',
    title: 'gives an empty things.changed beside deletions',
    profile: 'core',
    behaviour: () => ({
      things: (things) => (Object.keys(things).length === 0 ? undefined : { changed: [], ...things }),
    }),
  },
  {
    id: 'own-changes-echoed',
    title: 'lists own changes and new things of an upload, not own deletions',
    profile: 'core',
    behaviour: () => ({ listsThing: (thing, of) => listsThing(thing, { ...of, own: new Set() }) }),
  },
  {
    id: 'own-tags-echoed-with-all',
    title: 'lists favorites with the answer to an upload of tags',
    profile: 'core',
    behaviour: () => ({
      listsTag: (name, tag, of) =>
        right.listsTag(name, tag, of) || (of.ownTags.size > 0 && tag.settings.favorite && !of.full),
    }),
  },
  {
    id: 'from-text-is-all',
    title: 'lists everything for a from that is no number',
    profile: 'core',
    behaviour: () => ({ overlooks: ['number-invalid'] }),
  },
  {
    id: 'pages-limited-to-1000',
    title: 'refuses a limit of more than 2,000',
    profile: 'core',
    behaviour: () => ({
      page: (list, skip, limit) => {
        if (limit !== undefined && limit > 2000) throw new Refusal('number-invalid', 'limit is too large')
        return page(list, skip, limit)
      },
    }),
  },
  {
    id: 'throttled-often',
    title: 'answers 429 with Retry-After more often',
    profile: 'core',
    behaviour: () => {
      let count = 0
      return {
        delay: async () => {
          count += 1
          if (count % 120 === 0) throw new Refusal('throttled', 'Slow down', { 'retry-after': '0' })
        },
      }
    },
  },
  {
    id: 'todo-status-survives',
    title: 'keeps a todoStatus while the thing is no todo',
    profile: 'core',
    behaviour: () => ({
      changedFields: (old, change) => ({
        ...right.changedFields(old, change),
        todoStatus: change.todoStatus ?? old.todoStatus,
      }),
    }),
  },
  {
    id: 'todo-status-once-given',
    title: 'gives the todoStatus that was submitted, also where the tag is no longer for todos',
    profile: 'core',
    behaviour: () => ({
      thing: (thing, isTodo, of) => right.thing(thing, isTodo || thing.fields.todoStatus !== undefined, of),
    }),
  },
  {
    id: 'pos-read-late',
    title: 'tells the position of the moment of the listing, one turn later',
    profile: 'core',
    behaviour: () => ({
      position: (account, session, of) => position(account, session, of),
      delay: async () => {
        await new Promise((resolve) => setImmediate(resolve))
      },
    }),
  },
  {
    id: 'fields-in-another-order',
    title: 'writes fields sorted by name',
    profile: 'full',
    behaviour: () => ({
      syncAnswer: (answer) =>
        Object.fromEntries(Object.entries(answer).sort(([a], [b]) => (a < b ? -1 : 1))) as JsonObject,
    }),
  },
]
