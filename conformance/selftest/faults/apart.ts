import { type Behaviour, right } from '../server/behaviour.ts'
import type { ThingFields } from '../server/thing-fields.ts'
import { type Fault, fault, things, without } from './fault.ts'

const { changedFields } = right

/** Fields of a thing that do something to others, when it is created and when it is changed. */
function fields(edit: (after: ThingFields, before: ThingFields) => Partial<ThingFields>): Partial<Behaviour> {
  return {
    changedFields: (old, change) => {
      const after = changedFields(old, change)
      return { ...after, ...edit(after, old) }
    },
  }
}

function created(edit: (fields: ThingFields) => Partial<ThingFields>): Partial<Behaviour> {
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

/** A change of one field alone that takes no position. */
function unlisted(...names: readonly (keyof ThingFields)[]): Partial<Behaviour> {
  return {
    listsThing: (thing, of) => {
      const changed = (Object.keys(thing.fields) as (keyof ThingFields)[]).filter(
        (name) => thing.fields[name] !== thing.first[name],
      )
      return right.listsThing(thing, of) && (of.full || changed.length !== 1 || !names.includes(changed[0] ?? 'title'))
    },
  }
}

/** Fields that do something to each other (interface 2.1, 3). */
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
    'change-of-title-dates-anew',
    'dates a thing anew when its title changes',
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
