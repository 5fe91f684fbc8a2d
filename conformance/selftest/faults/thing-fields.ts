import { randomUUID } from 'node:crypto'
import { type Behavior, rightServer } from '../../src/model/behavior.ts'
import type { Account, Json, JsonObject } from '../../src/model/state.ts'
import { addThing } from '../../src/model/sync.ts'
import type { ThingFields } from '../../src/model/thing-fields.ts'
import { createFaults, type Fault, fault, forms, responses, things, without } from './fault.ts'

/** Ignores a field of new things. */
function newWithout(field: string): Partial<Behavior> {
  return { submittedThing: (thing, kind) => (kind === 'new_thing' ? without(thing, field) : thing) }
}

function mapped(edit: (entries: readonly (readonly [Json, Json])[]) => Json): Partial<Behavior> {
  return { newMap: (ids) => edit([...ids]) }
}

function nextNumber({ memory }: Account): number {
  const number = Number(memory.get('ids') ?? 1000) + 1
  memory.set('ids', number)
  return number
}

function object(entries: readonly (readonly [Json, Json])[]): JsonObject {
  return Object.fromEntries(entries)
}

/** Faults in creating things and in the response to an upload (interface 2.1, 4.3, rules 3 and 5). */
export const creationFaults: readonly Fault[] = [
  fault(
    'new-map-is-array',
    'gives the new ids as an array',
    mapped((ids) => ids.map(([, id]) => id)),
  ),
  fault(
    'new-map-first-only',
    'gives only the first new id',
    mapped((ids) => object(ids.slice(0, 1))),
  ),
  fault(
    'new-map-swapped',
    'gives the new ids in the wrong order',
    mapped((ids) => object(ids.map(([localId], index) => [localId, ids.at(-1 - index)?.[1]]))),
  ),
  fault(
    'new-map-number-ids-lost',
    'gives no id for a local_id that is a number',
    mapped((ids) => object(ids.filter(([localId]) => !/^\d+$/.test(String(localId))))),
  ),
  fault('new-map-without-upload', 'gives an empty things.new when nothing was created', {
    things: (things) => (Object.keys(things).length === 0 ? undefined : { new: {}, ...things }),
  }),
  fault('new-map-of-listings', 'gives an empty things.new with what a GET lists', {
    things: (things, { exchange }) => {
      if (Object.keys(things).length === 0) return undefined
      return exchange.method === 'GET' ? { new: {}, ...things } : things
    },
  }),
  ...(['changed_thing', 'deleted_thing', 'tag'] as const).map(
    (name): Fault =>
      fault(
        { changed_thing: 'new-map-of-changes', deleted_thing: 'new-map-of-deletions', tag: 'new-map-of-tags' }[name],
        `also gives things.new for ${name}`,
        {
          things: (things, { exchange }) => {
            const isSelected = exchange.parameters.some(([given]) => given.startsWith(name))
            return isSelected ? { new: {}, ...things } : Object.keys(things).length === 0 ? undefined : things
          },
        },
      ),
  ),
  fault(
    'new-map-absent',
    'never returns the new ids',
    mapped(() => undefined),
  ),
  fault(
    'new-map-numbers',
    'gives running numbers for the new ids',
    mapped((ids) => object(ids.map(([localId], index) => [localId, index]))),
  ),
  fault(
    'new-id-not-listed',
    'returns another id than it lists',
    mapped((ids) => object(ids.map(([localId, id]) => [localId, `${id}x`]))),
  ),
  fault('new-id-number', 'gives ids that are numbers', { newId: nextNumber }),
  fault('new-id-with-dashes', 'gives ids with dashes', { newId: () => randomUUID() }),
  fault('new-ids-shared', 'gives all new things of one request the same id', {
    newId: (account) => `at${account.position}in${account.username}`,
  }),
  fault('id-reused-after-deletion', 'gives a new thing the id of a deleted one', {
    newId: (account, state) =>
      [...account.things.values()].findLast(({ deleted }) => deleted)?.id ?? rightServer.newId(account, state),
  }),
  fault('new-title-lost', 'names every new thing the same', {
    submittedThing: (thing, kind) => (kind === 'new_thing' && thing.title ? { ...thing, title: 'untitled' } : thing),
  }),
  fault('new-tags-dropped', 'ignores the tags of a new thing', newWithout('tags')),
  fault('new-date-ignored', 'ignores the date of a new thing', newWithout('date')),
  fault('new-url-dropped', 'ignores the url of a new thing', newWithout('url')),
  fault('new-html-dropped', 'ignores the html of a new thing', newWithout('html')),
  fault('new-archived-ignored', 'ignores archived in a new thing', newWithout('archived')),
  fault('new-todo-status-ignored', 'ignores todoStatus in a new thing', newWithout('todoStatus')),
  fault('upload-twice-applied', 'creates each new thing twice', {
    applied: (upload) => ({
      ...upload,
      created: upload.created.flatMap((thing) => [{ ...thing, id: `${thing.id}b` }, thing]),
    }),
  }),
  fault('shared-local-id-lost', 'takes two new things with one local_id and keeps neither', {
    overlooks: ['local-id-shared'],
    applied: (upload) => {
      const all = upload.created.map(({ localId }) => localId)
      const isAlone = (localId: Json): boolean => all.filter((other) => other === localId).length === 1
      return { ...upload, created: upload.created.filter(({ localId }) => isAlone(localId)) }
    },
  }),
  fault('local-id-prototype-lost', 'loses client-assigned IDs that JavaScript objects inherit', {
    newMap: (ids) => rightServer.newMap(new Map([...ids].filter(([localId]) => !(String(localId) in {})))),
  }),
  fault('local-id-ascii-only', 'replaces what is not ASCII in client-assigned IDs', {
    keepLocalId: (localId) => String(localId).replace(/[^ -~]/g, '?'),
  }),
]

/** Ignores a field in changes. */
function keeping(field: keyof ThingFields): Partial<Behavior> {
  return { changedFields: (old, change) => ({ ...old, ...change, [field]: old[field] }) }
}

/** Gives a thing this date when a change has none. */
function dating(now: () => number): Partial<Behavior> {
  return { changedFields: (old, change) => rightServer.changedFields(old, { date: now(), ...change }) }
}

/** Faults in applying changes and deletions (interface 4.3). */
export const changeFaults: readonly Fault[] = [
  fault('change-title-ignored', 'ignores a changed title', keeping('title')),
  fault('change-tags-ignored', 'ignores changed tags', keeping('tags')),
  fault('change-date-ignored', 'ignores a changed date', keeping('date')),
  fault(
    'change-dates-again',
    'gives a thing a new date for a change without a date',
    dating(() => Math.floor(Date.now() / 1000)),
  ),
  fault(
    'change-dates-at-zero',
    'sets the date to 0 for a change without one',
    dating(() => 0),
  ),
  fault('change-url-ignored', 'ignores a changed url', keeping('url')),
  fault('change-html-ignored', 'ignores a changed html', keeping('html')),
  fault('change-todo-status-ignored', 'ignores a changed todoStatus', keeping('todoStatus')),
  fault('change-archived-ignored', 'never archives a thing by a change', {
    changedFields: (old, change) => ({ ...old, ...change, archived: old.archived && change.archived === true }),
  }),
  fault('change-unarchive-ignored', 'never takes a thing out of the archive', {
    changedFields: (old, change) => ({ ...old, ...change, archived: old.archived || change.archived === true }),
  }),
  fault('change-creates-copy', 'creates a changed copy beside the old thing', {
    findToChange: (account, id, state) => {
      const thing = rightServer.findToChange(account, id, state)
      const copy = thing && { ...thing, id: rightServer.newId(account, state), created: account.position + 1 }
      if (copy !== undefined) account.things.set(copy.id, copy)
      return copy
    },
  }),
  fault('change-new-id', 'gives a thing another id when it is changed', {
    findToChange: (account, id, state) => {
      const thing = rightServer.findToChange(account, id, state)
      if (thing === undefined) return undefined
      account.things.delete(thing.id)
      thing.id = rightServer.newId(account, state)
      account.things.set(thing.id, thing)
      return thing
    },
  }),
  fault('change-archived-kept', 'leaves a thing archived when a change does not say so', {
    missingArchivedIsFalse: false,
  }),
  fault('change-unknown-creates', 'creates a thing for a change of an unknown id', {
    reportsUnknownChange: false,
    onUnknownChange: (account, { id, fields }, take, session) => {
      if (!account.things.has(id)) addThing(account, session, id, fields, take())
    },
  }),
  fault('late-change-creates-copy', 'creates a new thing for a change of a deleted one', {
    onUnknownChange: (account, { fields }, take, session) => {
      addThing(account, session, `${take()}copy`, fields, take())
    },
  }),
  fault('deletion-told-of-all', 'lists everything as deleted when one thing was', {
    listsDeleted: (thing, of) =>
      rightServer.listsDeleted(thing, of) ||
      (!of.full && [...of.account.things.values()].some((other) => rightServer.listsDeleted(other, of))),
  }),
  fault('deletion-ignored', 'deletes nothing', { findToDelete: () => undefined }),
  fault('deletion-archives', 'archives a thing instead of deleting it', {
    remove: (thing) => {
      thing.fields.archived = true
    },
  }),
  fault('deletion-of-one-deletes-all', 'deletes everything with one thing', {
    remove: (_thing, { things }) => {
      for (const thing of things.values()) thing.deleted = true
    },
  }),
  fault('deletion-undone-by-tag-write', 'brings deleted things back when tag settings are written', {
    afterWrite: ({ things }, { tags }) => {
      for (const thing of things.values()) thing.deleted &&= tags.size === 0
    },
  }),
  fault('deletion-keeps-in-incremental', 'lists each deletion in every later incremental sync', {
    listsDeleted: (thing, of) =>
      rightServer.listsDeleted(thing, of) || (thing.deleted && !of.full && !of.own.has(thing.id)),
  }),
]

/** Edits the fields of a thing after a change. */
function fields(edit: (after: ThingFields, before: ThingFields) => Partial<ThingFields>): Partial<Behavior> {
  return {
    changedFields: (old, change) => {
      const after = rightServer.changedFields(old, change)
      return { ...after, ...edit(after, old) }
    },
  }
}

function created(edit: (fields: ThingFields) => Partial<ThingFields>): Partial<Behavior> {
  return {
    applied: (upload) => ({
      ...upload,
      created: upload.created.map((thing) => ({
        ...thing,
        fields: { ...thing.fields, ...edit(thing.fields as ThingFields) },
      })),
    }),
  }
}

/** Omits a change of only one of these fields from listings. */
function unlisted(...names: readonly (keyof ThingFields)[]): Partial<Behavior> {
  return {
    listsThing: (thing, of) => {
      const changed = (Object.keys(thing.fields) as (keyof ThingFields)[]).filter(
        (name) => thing.fields[name] !== thing.first[name],
      )
      return (
        rightServer.listsThing(thing, of) && (of.full || changed.length !== 1 || !names.includes(changed[0] ?? 'title'))
      )
    },
  }
}

/** Faults of fields that affect each other (interface 2.1, 3). */
export const apartFaults: readonly Fault[] = [
  fault(
    'archive-marks-done',
    'marks a todo as done when it is archived',
    fields((after, before) => (after.archived && !before.archived ? { todoStatus: true } : {})),
  ),
  fault(
    'done-archives',
    'archives a todo when it is done',
    fields((after, before) => (after.todoStatus === true && before.todoStatus !== true ? { archived: true } : {})),
  ),
  fault(
    'archive-clears-done',
    'marks a todo as open when it is archived',
    fields((after) => (after.archived ? { todoStatus: false } : {})),
  ),
  fault(
    'undone-unarchives',
    'takes a todo out of the archive when it is open again',
    fields((after, before) => (after.todoStatus === false && before.todoStatus === true ? { archived: false } : {})),
  ),
  fault(
    'unarchive-clears-done',
    'marks a todo as open when it leaves the archive',
    fields((after, before) => (!after.archived && before.archived ? { todoStatus: false } : {})),
  ),
  fault(
    'archived-todo-loses-status',
    'gives no todoStatus with archived todos',
    things((json) => (json.archived ? without(json, 'todoStatus') : json)),
  ),
  fault(
    'url-only-without-html',
    'drops the url of a thing that has html',
    created(({ html }) => (html === undefined ? {} : { url: undefined })),
  ),
  fault(
    'html-only-without-url',
    'drops the html of a thing that has a url',
    created(({ url }) => (url === undefined ? {} : { html: undefined })),
  ),
  fault(
    'url-fills-title',
    'takes the url of a thing for its title',
    created(({ url, title }) => ({ title: url ?? title })),
  ),
  fault(
    'html-makes-title',
    'takes the heading of a note for its title',
    created(({ html, title }) => ({ title: /<h1>(.*)<\/h1>/.exec(html ?? '')?.[1] ?? title })),
  ),
  fault(
    'archived-things-lose-html',
    'drops the html of archived things',
    created(({ archived }) => (archived ? { html: undefined } : {})),
  ),
  fault(
    'untagged-things-lose-url',
    'drops the url of things without tags',
    created(({ tags }) => (tags === '' ? { url: undefined } : {})),
  ),
  fault(
    'dated-things-lose-url',
    'drops the url of things with a date of their own',
    created(({ date }) => (date === 1_400_000_003 ? { url: undefined } : {})),
  ),
  fault(
    'new-tags-sorted-away',
    'drops the tags of things with html',
    created(({ html }) => (html === undefined ? {} : { tags: '' })),
  ),
  fault('change-of-tags-unlisted', 'does not list a thing whose tags alone changed', unlisted('tags')),
  fault('change-of-date-unlisted', 'does not list a thing whose date alone changed', unlisted('date')),
  fault('change-of-url-unlisted', 'does not list a thing whose url alone changed', unlisted('url')),
  fault('change-of-html-unlisted', 'does not list a thing whose html alone changed', unlisted('html')),
  fault('change-of-archived-unlisted', 'does not list a thing whose archived alone changed', unlisted('archived')),
  fault(
    'change-of-todo-status-unlisted',
    'does not list a thing whose todoStatus alone changed',
    unlisted('todoStatus'),
  ),
  fault(
    'change-of-title-dates-again',
    'gives a thing a new date when its title changes',
    fields((after, before) => (after.title === before.title ? {} : { date: 1_700_000_000 })),
  ),
  fault(
    'change-of-html-clears-url',
    'drops the url when html changes',
    fields((after, before) => (after.html === before.html ? {} : { url: undefined })),
  ),
  fault(
    'change-of-url-clears-html',
    'drops html when the url changes',
    fields((after, before) => (after.url === before.url ? {} : { html: undefined })),
  ),
  fault(
    'change-of-tags-undoes',
    'marks a todo as open when its tags change',
    fields((after, before) => (after.tags === before.tags ? {} : { todoStatus: false })),
  ),
  fault(
    'change-of-date-unarchives',
    'takes a thing out of the archive when its date changes',
    fields((after, before) => (after.date === before.date ? {} : { archived: false })),
  ),
  fault(
    'change-of-title-drops-tags',
    'drops the tags of a thing when its title changes',
    fields((after, before) =>
      after.title === before.title || after.tags !== before.tags ? {} : { tags: after.tags.split(' ').at(-1) ?? '' },
    ),
  ),
]

function isoDate(json: JsonObject): string {
  return new Date(Number(json.date) * 1000).toISOString()
}

/** Faults in the fields of returned things and their types (interface 2.1, 4.3). */
export const presenceFaults: readonly Fault[] = [
  ...createFaults(
    things,
    ['url-null', 'gives null for no url', (json) => ({ url: null, ...json })],
    ['html-null', 'gives null for no html', (json) => ({ html: null, ...json })],
    ['url-empty', 'gives "" for no url', (json) => ({ url: '', ...json })],
    ['archived-false-present', 'gives archived: false', (json) => ({ archived: false, ...json })],
    ['archived-number', 'gives 1 for archived', (json) => (json.archived ? { ...json, archived: 1 } : json)],
    [
      'todo-status-always',
      'gives todoStatus with things that are no todos',
      (json) => ({ todoStatus: false, ...json }),
    ],
    [
      'todo-status-on-tagged',
      'gives todoStatus with each thing that has tags',
      (json) => (json.tags ? { todoStatus: false, ...json } : json),
    ],
    [
      'todo-status-without-tags',
      'gives the todoStatus that was submitted with a thing that has no tags',
      (json, { fields }) =>
        json.tags || fields.todoStatus === undefined ? json : { ...json, todoStatus: fields.todoStatus },
    ],
    [
      'todo-status-on-untagged',
      'gives todoStatus with each thing that has no tags',
      (json) => (json.tags ? json : { todoStatus: false, ...json }),
    ],
  ),
  fault('todo-status-missing', 'never gives todoStatus', { isTodo: () => false }),
  ...createFaults(
    things,
    ['todo-status-null', 'gives null for no todoStatus', (json) => ({ todoStatus: null, ...json })],
    [
      'todo-status-null-unset',
      'gives null for a todoStatus that was never set',
      (json, { fields }) => ('todoStatus' in json ? { ...json, todoStatus: fields.todoStatus ?? null } : json),
    ],
    ['tags-null', 'gives null for no tags', (json) => ({ ...json, tags: json.tags || null })],
    ['tags-missing', 'leaves tags out when there are none', (json) => (json.tags ? json : without(json, 'tags'))],
    [
      'tags-array',
      'gives the tags of a thing as an array',
      (json) => ({ ...json, tags: String(json.tags).split(' ') }),
    ],
    ['date-text', 'gives dates as text', (json) => ({ ...json, date: `${json.date}` })],
    ['date-iso', 'gives dates in ISO form', (json) => ({ ...json, date: isoDate(json) })],
    ['date-milliseconds', 'gives dates in milliseconds', (json) => ({ ...json, date: Number(json.date) * 1000 })],
    ['title-missing', 'names the title `name`', (json) => ({ ...without(json, 'title'), name: json.title })],
    ['id-named-id', 'names the _id `id`', (json) => ({ ...without(json, '_id'), id: json._id })],
  ),
  fault('thing-count-without-deleted', 'does not count deletions in thingCount', {
    thingCount: ({ created, changed }) => created + changed,
  }),
  ...createFaults(
    responses,
    [
      'thing-count-text',
      'gives thingCount as text',
      (response) => ('thingCount' in response ? { ...response, thingCount: `${response.thingCount}` } : response),
    ],
    ['thing-count-missing', 'never gives thingCount', (response) => without(response, 'thingCount')],
    [
      'thing-count-total',
      'counts all things of the account in thingCount',
      (response, { account }) =>
        'thingCount' in response ? { ...response, thingCount: account?.things.size } : response,
    ],
  ),
  fault('skip-id-ignored', 'ignores skip_id', { isSkipped: () => false }),
  fault(
    'skip-id-first-only',
    'takes only the first skip_id',
    forms('skip_id', ({ plain, repeated }) => ({
      plain: plain.slice(0, 1).map((ids) => (Array.isArray(ids) ? ids[0] : ids)),
      repeated: repeated.slice(0, 1),
    })),
  ),
  fault('skip-id-not-deleted', 'does not leave deletions out for skip_id', {
    isSkipped: (id, ids, kind) => kind === 'changed' && rightServer.isSkipped(id, ids, kind),
  }),
]
