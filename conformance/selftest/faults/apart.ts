import { type Behaviour, right } from '../server/behaviour.ts'
import type { ThingFields } from '../server/world.ts'
import { type Fault, things, without } from './fault.ts'

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
  {
    id: 'archive-marks-done',
    title: 'marks a todo as done when it is archived',
    behaviour: fields((after, before) => (after.archived && !before.archived ? { todoStatus: true } : {})),
  },
  {
    id: 'done-archives',
    title: 'archives a todo when it is done',
    behaviour: fields((after, before) =>
      after.todoStatus === true && before.todoStatus !== true ? { archived: true } : {},
    ),
  },
  {
    id: 'archive-clears-done',
    title: 'marks a todo as open when it is archived',
    behaviour: fields((after) => (after.archived ? { todoStatus: false } : {})),
  },
  {
    id: 'undone-unarchives',
    title: 'takes a todo out of the archive when it is open again',
    behaviour: fields((after, before) =>
      after.todoStatus === false && before.todoStatus === true ? { archived: false } : {},
    ),
  },
  {
    id: 'unarchive-clears-done',
    title: 'marks a todo as open when it leaves the archive',
    behaviour: fields((after, before) => (!after.archived && before.archived ? { todoStatus: false } : {})),
  },
  {
    id: 'archived-todo-loses-status',
    title: 'gives no todoStatus with archived todos',
    behaviour: things((json) => (json.archived ? without(json, 'todoStatus') : json)),
  },
  {
    id: 'url-only-without-html',
    title: 'drops the url of a thing that has html',
    behaviour: created(({ html }) => (html === undefined ? {} : { url: undefined })),
  },
  {
    id: 'html-only-without-url',
    title: 'drops the html of a thing that has a url',
    behaviour: created(({ url }) => (url === undefined ? {} : { html: undefined })),
  },
  {
    id: 'url-fills-title',
    title: 'takes the url of a thing for its title',
    behaviour: created(({ url, title }) => ({ title: url ?? title })),
  },
  {
    id: 'html-makes-title',
    title: 'takes the heading of a note for its title',
    behaviour: created(({ html, title }) => ({ title: /<h1>(.*)<\/h1>/.exec(html ?? '')?.[1] ?? title })),
  },
  {
    id: 'archived-things-lose-html',
    title: 'drops the html of archived things',
    behaviour: created(({ archived }) => (archived ? { html: undefined } : {})),
  },
  {
    id: 'untagged-things-lose-url',
    title: 'drops the url of things without tags',
    behaviour: created(({ tags }) => (tags === '' ? { url: undefined } : {})),
  },
  {
    id: 'dated-things-lose-url',
    title: 'drops the url of things with a date of their own',
    behaviour: created(({ date }) => (date === 1_400_000_003 ? { url: undefined } : {})),
  },
  {
    id: 'new-tags-sorted-away',
    title: 'drops the tags of things with html',
    behaviour: created(({ html }) => (html === undefined ? {} : { tags: '' })),
  },
  {
    id: 'change-of-tags-unlisted',
    title: 'does not list a thing whose tags alone changed',
    behaviour: unlisted('tags'),
  },
  {
    id: 'change-of-date-unlisted',
    title: 'does not list a thing whose date alone changed',
    behaviour: unlisted('date'),
  },
  { id: 'change-of-url-unlisted', title: 'does not list a thing whose url alone changed', behaviour: unlisted('url') },
  {
    id: 'change-of-html-unlisted',
    title: 'does not list a thing whose html alone changed',
    behaviour: unlisted('html'),
  },
  {
    id: 'change-of-archived-unlisted',
    title: 'does not list a thing whose archived alone changed',
    behaviour: unlisted('archived'),
  },
  {
    id: 'change-of-todo-status-unlisted',
    title: 'does not list a thing whose todoStatus alone changed',
    behaviour: unlisted('todoStatus'),
  },
  {
    id: 'change-of-title-dates-anew',
    title: 'dates a thing anew when its title changes',
    behaviour: fields((after, before) => (after.title === before.title ? {} : { date: 1_700_000_000 })),
  },
  {
    id: 'change-of-html-clears-url',
    title: 'drops the url when html changes',
    behaviour: fields((after, before) => (after.html === before.html ? {} : { url: undefined })),
  },
  {
    id: 'change-of-url-clears-html',
    title: 'drops html when the url changes',
    behaviour: fields((after, before) => (after.url === before.url ? {} : { html: undefined })),
  },
  {
    id: 'change-of-tags-undoes',
    title: 'marks a todo as open when its tags change',
    behaviour: fields((after, before) => (after.tags === before.tags ? {} : { todoStatus: false })),
  },
  {
    id: 'change-of-date-unarchives',
    title: 'takes a thing out of the archive when its date changes',
    behaviour: fields((after, before) => (after.date === before.date ? {} : { archived: false })),
  },
  {
    id: 'change-of-title-drops-tags',
    title: 'drops the tags of a thing when its title changes',
    behaviour: fields((after, before) =>
      after.title === before.title || after.tags !== before.tags ? {} : { tags: after.tags.split(' ').at(-1) ?? '' },
    ),
  },
]
