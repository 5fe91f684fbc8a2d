import { right } from '../server/behaviour.ts'
import { Refusal } from '../server/refusal.ts'
import { plainTag } from '../server/right-listings.ts'
import { findParameter } from '../server/right-requests.ts'
import { answers, type Fault, fromOf } from './fault.ts'

const { findToDelete, listsDeleted, listsTag, listsThing, page } = right
const nobody = new Set<never>()

/** Faults against the contract's decisions on sync. */
export const fullSyncFaults: readonly Fault[] = [
  {
    id: 'future-from-empty',
    title: 'lists nothing for a from beyond the current position',
    behaviour: { isFull: (from) => from === undefined || from === 0 },
  },
  {
    id: 'full-lists-deleted-ids',
    title: 'lists deleted ids in full',
    behaviour: { listsDeleted: (thing, of) => listsDeleted(thing, of) || (of.full && thing.deleted) },
  },
  {
    id: 'delta-created-and-deleted-listed',
    title: 'lists what was created and deleted after the position',
    behaviour: { listsDeleted: (thing, of) => listsDeleted({ ...thing, created: 0 }, of) },
  },
  {
    id: 'own-uploads-echoed',
    title: 'lists own uploads as changed',
    behaviour: { listsThing: (thing, of) => listsThing(thing, { ...of, own: nobody }) },
  },
  {
    id: 'own-deletions-echoed',
    title: 'lists own deletions',
    behaviour: { listsDeleted: (thing, of) => listsDeleted(thing, { ...of, own: nobody }) },
  },
  {
    id: 'submitted-tags-not-answered',
    title: 'does not answer the tag settings that were submitted',
    behaviour: { answersOwnTags: false },
  },
  {
    id: 'full-tags-no-colored',
    title: 'leaves coloured tags out of full listings',
    behaviour: {
      listsTag: (name, tag, of) =>
        listsTag(name, tag, of) && !(of.full && !tag.settings.favorite && !tag.settings.todo),
    },
  },
  {
    id: 'thing-count-ignores-skip-id',
    title: 'counts what skip_id leaves out',
    behaviour: { thingCount: (counts) => right.thingCount(counts) + counts.skipped },
  },
  {
    id: 'listing-order-by-id',
    title: 'lists in the order of ids',
    behaviour: { order: (a, b) => (String(a.id) < String(b.id) ? -1 : 1) },
  },
  {
    id: 'listing-order-newest-first',
    title: 'lists the latest change first',
    behaviour: { order: (a, b) => b.position - a.position },
  },
  { id: 'listing-deleted-first', title: 'lists deleted ids before things', behaviour: { deletedFirst: true } },
  {
    id: 'page-skips-under-writes',
    title: 'makes each page from the state of that moment, and tells its pos',
    behaviour: { keepsPages: false },
  },
  {
    id: 'page-pos-moves',
    title: 'tells the current pos with each page',
    behaviour: answers((answer, { account }) => ({ ...answer, pos: account?.position })),
  },
  {
    id: 'page-pos-goes-back',
    title: 'tells the position from which it pages with the later pages',
    behaviour: answers((answer, exchange) =>
      findParameter(exchange.parameters, 'skip') === undefined ? answer : { ...answer, pos: Number(fromOf(exchange)) },
    ),
  },
  {
    id: 'limit-zero-lists-all',
    title: 'lists everything for limit=0',
    behaviour: { page: (list, skip, limit) => page(list, skip, limit || undefined) },
  },
  {
    id: 'retry-duplicates',
    title: 'creates things again in a retry',
    behaviour: { rememberedUploads: () => undefined },
  },
  {
    id: 'retry-without-from',
    title: 'takes an upload without from for a retry',
    behaviour: { rememberedUploads: ({ uploads }, from) => uploads.get(from ?? -1) },
  },
  {
    id: 'retry-other-id',
    title: 'answers a retry with another id',
    behaviour: {
      rememberedUploads: ({ uploads }, from) =>
        new Map(
          [...(uploads.get(from ?? -2) ?? [])].map(([localId, { id, given }]) => [localId, { id: `${id}b`, given }]),
        ),
    },
  },
  { id: 'retry-fields-ignored', title: 'ignores the fields of a retry', behaviour: { retryApplies: false } },
  {
    id: 'pos-not-whole',
    title: 'gives positions with fractions',
    behaviour: { position: ({ position }) => position + 0.5, since: (from) => Math.floor(from) },
  },
  {
    id: 'retry-whatever-comes',
    title: 'takes every repeated local id for a retry',
    behaviour: { isRetry: () => true },
  },
  {
    id: 'retry-by-title-only',
    title: 'takes a repeated upload with another title for a new thing',
    behaviour: { isRetry: (earlier, given) => earlier.title === given.title },
  },
  {
    id: 'retry-remembered-forever',
    title: 'remembers an upload when the session has asked from a later position',
    behaviour: { forgets: ['id'] },
  },
  {
    id: 'retry-remembered-after-use',
    title: 'remembers an upload when the session has named its thing by the id',
    behaviour: { forgets: ['from'] },
  },
  {
    id: 'tags-sorted',
    title: 'sorts the tags of a thing',
    behaviour: { keepText: (text, field) => (field === 'tags' ? text.split(' ').sort().join(' ') : text) },
  },
  {
    id: 'null-clears',
    title: 'clears the fields that are null',
    behaviour: { nullIsAbsent: false },
  },
  {
    id: 'null-title-accepted',
    title: 'takes a title that is null for an empty one',
    behaviour: { nullIsAbsent: false, submittedThing: (thing) => ({ ...thing, title: thing.title ?? '' }) },
  },
  {
    id: 'null-tag-setting-resets',
    title: 'resets tag settings that are null',
    behaviour: { nullTagSetting: 'resets' },
  },
  {
    id: 'null-parameter-refused',
    title: 'refuses parameters that are null',
    behaviour: {
      nullIsAbsent: false,
      parameters: (all) => {
        const given = all.find(([, value]) => value === null)
        if (given !== undefined) throw new Refusal('parameter-invalid', `${given[0]} is null`)
        return all
      },
    },
  },
  {
    id: 'null-refused',
    title: 'refuses null in a field',
    behaviour: {
      nullIsAbsent: false,
      submittedThing: (thing) => {
        if (Object.values(thing).includes(null)) throw new Refusal('parameter-invalid', 'a field is null')
        return thing
      },
    },
  },
  {
    id: 'retry-other-session',
    title: 'takes the upload of another session for a retry',
    behaviour: {
      rememberedUploads: ({ username }, from, { sessions }) =>
        sessions
          .find((session) => session.username === username && session.uploads.has(from ?? -2))
          ?.uploads.get(from ?? -2),
    },
  },
  {
    id: 'change-absent-clears',
    title: 'clears the fields that a changed thing leaves out',
    behaviour: {
      changedFields: (old, change) => ({ ...old, tags: '', url: undefined, html: undefined, ...change }),
    },
  },
  { id: 'change-empty-keeps', title: 'does not clear a field for ""', behaviour: { clearsEmpty: false } },
  {
    id: 'change-resurrects-deleted',
    title: 'brings a deleted thing back when it is changed',
    behaviour: {
      findToChange: (account, id) => {
        const thing = account.things.get(id)
        if (thing !== undefined) thing.deleted = false
        return thing
      },
    },
  },
  {
    id: 'change-unknown-not-listed',
    title: 'does not report the change of an unknown id',
    behaviour: { reportsUnknownChange: false },
  },
  {
    id: 'change-unknown-refused',
    title: 'refuses the change of an unknown id',
    behaviour: {
      onUnknownChange: () => {
        throw new Refusal('thing-unknown', 'there is no such thing')
      },
    },
  },
  {
    id: 'deletion-unknown-refused',
    title: 'refuses the deletion of an unknown id',
    behaviour: {
      findToDelete: (account, id, world) => {
        const thing = findToDelete(account, id, world)
        if (thing === undefined) throw new Refusal('thing-unknown', 'there is no such thing')
        return thing
      },
    },
  },
  {
    id: 'request-order-deleted-first',
    title: 'applies deletions before changes',
    behaviour: { uploadOrder: ['new', 'deleted', 'changed', 'tags'] },
  },
  {
    id: 'date-milliseconds-default',
    title: 'dates things in milliseconds',
    behaviour: { defaultDate: (now) => now },
  },
  { id: 'date-zero-replaced', title: 'takes the date 0 for none', behaviour: { keepDate: (date) => date || 1e9 } },
  {
    id: 'todo-true-as-dont-strike',
    title: 'takes todo: true for dont-strike',
    behaviour: { todoTrue: 'dont-strike' },
  },
  { id: 'todo-text-refused', title: 'takes no text for todo', behaviour: { readsTodoText: false } },
  {
    id: 'color-case-kept',
    title: 'keeps the case of colors',
    behaviour: { keepColor: (color) => color },
  },
  {
    id: 'color-three-digits-doubled',
    title: 'writes a color of three digits with six',
    behaviour: { keepColor: (color) => color.toLowerCase().replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3') },
  },
  { id: 'color-unchecked', title: 'takes any text for a color', behaviour: { overlooks: ['color-invalid'] } },
  {
    id: 'tag-absent-resets',
    title: 'resets the tag settings that were left out',
    behaviour: { changedTag: (_old, change) => ({ ...plainTag, ...change }) },
  },
]
