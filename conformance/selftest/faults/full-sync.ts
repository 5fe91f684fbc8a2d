import { right } from '../server/behaviour.ts'
import { Refusal } from '../server/refusal.ts'
import { plainTag } from '../server/right-listings.ts'
import { findParameter } from '../server/right-requests.ts'
import { answers, type Fault, fault, fromOf } from './fault.ts'

const { findToDelete, listsDeleted, listsTag, listsThing, page } = right
const nobody = new Set<never>()

/** Faults against the contract's decisions on sync. */
export const fullSyncFaults: readonly Fault[] = [
  fault('future-from-empty', 'lists nothing for a from beyond the current position', {
    isFull: (from) => from === undefined || from === 0,
  }),
  fault('full-lists-deleted-ids', 'lists deleted ids in full', {
    listsDeleted: (thing, of) => listsDeleted(thing, of) || (of.full && thing.deleted),
  }),
  fault('delta-created-and-deleted-listed', 'lists what was created and deleted after the position', {
    listsDeleted: (thing, of) => listsDeleted({ ...thing, created: 0 }, of),
  }),
  fault('own-uploads-echoed', 'lists own uploads as changed', {
    listsThing: (thing, of) => listsThing(thing, { ...of, own: nobody }),
  }),
  fault('own-deletions-echoed', 'lists own deletions', {
    listsDeleted: (thing, of) => listsDeleted(thing, { ...of, own: nobody }),
  }),
  fault('submitted-tags-not-answered', 'does not answer the tag settings that were submitted', {
    answersOwnTags: false,
  }),
  fault('full-tags-no-colored', 'leaves coloured tags out of full listings', {
    listsTag: (name, tag, of) => listsTag(name, tag, of) && !(of.full && !tag.settings.favorite && !tag.settings.todo),
  }),
  fault('thing-count-ignores-skip-id', 'counts what skip_id leaves out', {
    thingCount: (counts) => right.thingCount(counts) + counts.skipped,
  }),
  fault('listing-order-by-id', 'lists in the order of ids', {
    order: (a, b) => (String(a.id) < String(b.id) ? -1 : 1),
  }),
  fault('listing-order-newest-first', 'lists the latest change first', { order: (a, b) => b.position - a.position }),
  fault('listing-deleted-first', 'lists deleted ids before things', { deletedFirst: true }),
  fault('page-skips-under-writes', 'makes each page from the state of that moment, and tells its pos', {
    keepsPages: false,
  }),
  fault(
    'page-pos-moves',
    'tells the current pos with each page',
    answers((answer, { account }) => ({ ...answer, pos: account?.position })),
  ),
  fault(
    'page-pos-goes-back',
    'tells the position from which it pages with the later pages',
    answers((answer, exchange) =>
      findParameter(exchange.parameters, 'skip') === undefined ? answer : { ...answer, pos: Number(fromOf(exchange)) },
    ),
  ),
  fault('limit-zero-lists-all', 'lists everything for limit=0', {
    page: (list, skip, limit) => page(list, skip, limit || undefined),
  }),
  fault('retry-duplicates', 'creates things again in a retry', { rememberedUploads: () => undefined }),
  fault('retry-without-from', 'takes an upload without from for a retry', {
    rememberedUploads: ({ uploads }, from) => uploads.get(from ?? -1),
  }),
  fault('retry-other-id', 'answers a retry with another id', {
    rememberedUploads: ({ uploads }, from) =>
      new Map(
        [...(uploads.get(from ?? -2) ?? [])].map(([localId, { id, given }]) => [localId, { id: `${id}b`, given }]),
      ),
  }),
  fault('retry-fields-ignored', 'ignores the fields of a retry', { retryApplies: false }),
  fault('pos-not-whole', 'gives positions with fractions', {
    position: ({ position }) => position + 0.5,
    since: (from) => Math.floor(from),
  }),
  fault('retry-whatever-comes', 'takes every repeated local id for a retry', { isRetry: () => true }),
  fault('retry-by-title-only', 'takes a repeated upload with another title for a new thing', {
    isRetry: (earlier, given) => earlier.title === given.title,
  }),
  fault('retry-remembered-forever', 'remembers an upload when the session has asked from a later position', {
    forgets: ['id'],
  }),
  fault('retry-remembered-after-use', 'remembers an upload when the session has named its thing by the id', {
    forgets: ['from'],
  }),
  fault('tags-sorted', 'sorts the tags of a thing', {
    keepText: (text, field) => (field === 'tags' ? text.split(' ').sort().join(' ') : text),
  }),
  fault('null-clears', 'clears the fields that are null', { nullIsAbsent: false }),
  fault('null-title-accepted', 'takes a title that is null for an empty one', {
    nullIsAbsent: false,
    submittedThing: (thing) => ({ ...thing, title: thing.title ?? '' }),
  }),
  fault('null-tag-setting-resets', 'resets tag settings that are null', { nullTagSetting: 'resets' }),
  fault('null-parameter-refused', 'refuses parameters that are null', {
    nullIsAbsent: false,
    parameters: (all) => {
      const given = all.find(([, value]) => value === null)
      if (given !== undefined) throw new Refusal('parameter-invalid', `${given[0]} is null`)
      return all
    },
  }),
  fault('null-refused', 'refuses null in a field', {
    nullIsAbsent: false,
    submittedThing: (thing) => {
      if (Object.values(thing).includes(null)) throw new Refusal('parameter-invalid', 'a field is null')
      return thing
    },
  }),
  fault('retry-other-session', 'takes the upload of another session for a retry', {
    rememberedUploads: ({ username }, from, { sessions }) =>
      sessions
        .find((session) => session.username === username && session.uploads.has(from ?? -2))
        ?.uploads.get(from ?? -2),
  }),
  fault('change-absent-clears', 'clears the fields that a changed thing leaves out', {
    changedFields: (old, change) => ({ ...old, tags: '', url: undefined, html: undefined, ...change }),
  }),
  fault('change-empty-keeps', 'does not clear a field for ""', { clearsEmpty: false }),
  fault('change-resurrects-deleted', 'brings a deleted thing back when it is changed', {
    findToChange: (account, id) => {
      const thing = account.things.get(id)
      if (thing !== undefined) thing.deleted = false
      return thing
    },
  }),
  fault('change-unknown-not-listed', 'does not report the change of an unknown id', { reportsUnknownChange: false }),
  fault('change-unknown-refused', 'refuses the change of an unknown id', {
    onUnknownChange: () => {
      throw new Refusal('thing-unknown', 'there is no such thing')
    },
  }),
  fault('deletion-unknown-refused', 'refuses the deletion of an unknown id', {
    findToDelete: (account, id, world) => {
      const thing = findToDelete(account, id, world)
      if (thing === undefined) throw new Refusal('thing-unknown', 'there is no such thing')
      return thing
    },
  }),
  fault('request-order-deleted-first', 'applies deletions before changes', {
    uploadOrder: ['new', 'deleted', 'changed', 'tags'],
  }),
  fault('date-milliseconds-default', 'dates things in milliseconds', { defaultDate: (now) => now }),
  fault('date-zero-replaced', 'takes the date 0 for none', { keepDate: (date) => date || 1e9 }),
  fault('todo-true-as-dont-strike', 'takes todo: true for dont-strike', { todoTrue: 'dont-strike' }),
  fault('todo-text-refused', 'takes no text for todo', { readsTodoText: false }),
  fault('color-case-kept', 'keeps the case of colors', { keepColor: (color) => color }),
  fault('color-three-digits-doubled', 'writes a color of three digits with six', {
    keepColor: (color) => color.toLowerCase().replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3'),
  }),
  fault('color-unchecked', 'takes any text for a color', { overlooks: ['color-invalid'] }),
  fault('tag-absent-resets', 'resets the tag settings that were left out', {
    changedTag: (_old, change) => ({ ...plainTag, ...change }),
  }),
]
