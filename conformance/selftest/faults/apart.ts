import { type Behaviour, right } from '../server/behaviour.ts'
import { plainTag } from '../server/right-listings.ts'
import type { Account, TagSettings, Thing, ThingFields } from '../server/world.ts'
import { type Fault, things, without } from './fault.ts'

const { changedFields, changedTag, listsTag, isTodo } = right

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

function settings(edit: (after: TagSettings, before: TagSettings) => Partial<TagSettings>): Partial<Behaviour> {
  return {
    changedTag: (old, change) => {
      const after = changedTag(old, change)
      return { ...after, ...edit(after, old) }
    },
  }
}

const unset = { color: false, todo: false, favorite: false } as const

/** Names of the tags that a thing carries. */
function tagsOf({ fields: { tags } }: Thing): readonly string[] {
  return tags.split(' ')
}

function resetTags(account: Account, isReset: (name: string) => boolean): void {
  for (const [name, { position }] of account.tags)
    if (isReset(name)) account.tags.set(name, { settings: plainTag, position })
}

function carried({ things: all }: Account): ReadonlySet<string> {
  return new Set([...all.values()].filter(({ deleted }) => !deleted).flatMap(tagsOf))
}

function todosBy(matches: (thing: Thing, name: string) => boolean): Partial<Behaviour> {
  return {
    isTodo: (thing, tags) =>
      [...tags].some(
        ([
          name,
          {
            settings: { todo },
          },
        ]) => todo !== false && matches(thing, name),
      ),
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

/** Tag settings that do something to each other, or to things (interface 2.2). */
export const tagApartFaults: readonly Fault[] = [
  {
    id: 'favorite-needs-color',
    title: 'keeps favorite of coloured tags only',
    behaviour: settings(({ color }) => (color === false ? { favorite: false } : {})),
  },
  {
    id: 'color-makes-favorite',
    title: 'makes coloured tags favorites',
    behaviour: settings(({ color }) => (color === false ? {} : { favorite: true })),
  },
  {
    id: 'todo-makes-favorite',
    title: 'makes todo tags favorites',
    behaviour: settings(({ todo }) => (todo === false ? {} : { favorite: true })),
  },
  {
    id: 'todo-drops-color',
    title: 'drops the color of todo tags',
    behaviour: settings(({ todo }) => (todo === false ? {} : { color: false })),
  },
  {
    id: 'favorite-drops-todo',
    title: 'keeps no todo of favorites',
    behaviour: settings(({ favorite }) => (favorite ? { todo: false } : {})),
  },
  {
    id: 'color-drops-todo',
    title: 'keeps no todo of coloured tags',
    behaviour: settings(({ color }) => (color === false ? {} : { todo: false })),
  },
  {
    id: 'tag-color-unlisted',
    title: 'does not list tags that have a color alone in deltas',
    behaviour: {
      listsTag: (name, tag, of) =>
        listsTag(name, tag, of) &&
        (of.full || tag.settings.color === false || tag.settings.favorite || tag.settings.todo !== false),
    },
  },
  {
    id: 'tag-todo-unlisted',
    title: 'does not list tags that are for todos alone in deltas',
    behaviour: {
      listsTag: (name, tag, of) =>
        listsTag(name, tag, of) &&
        (of.full || tag.settings.todo === false || tag.settings.favorite || tag.settings.color !== false),
    },
  },
  {
    id: 'tag-favorite-off-unlisted',
    title: 'does not list a tag that is no favorite any more',
    behaviour: {
      listsTag: (name, tag, of) =>
        listsTag(name, tag, of) && (of.full || tag.settings.favorite || tag.settings.color === false),
    },
  },
  {
    id: 'tag-off-unlisted',
    title: 'does not list a tag whose settings were all taken away',
    behaviour: {
      listsTag: (name, tag, of) =>
        listsTag(name, tag, of) &&
        (of.full || tag.settings.favorite || tag.settings.color !== false || tag.settings.todo !== false),
    },
  },
  {
    id: 'tag-off-dropped',
    title: 'drops all settings of a tag that is no favorite any more',
    behaviour: settings((after, before) => (before.favorite && !after.favorite ? unset : {})),
  },
  {
    id: 'tag-write-lists-things',
    title: 'lists the things that carry a tag when its settings change',
    behaviour: {
      afterWrite: ({ things: all, position }, { tags }) => {
        for (const thing of all.values()) if (tagsOf(thing).some((name) => tags.has(name))) thing.position = position
      },
    },
  },
  {
    id: 'tag-write-empties-tags',
    title: 'takes a tag from the things that carry it when its settings change',
    behaviour: {
      afterWrite: ({ things: all }, { tags }) => {
        for (const thing of all.values())
          if (tagsOf(thing).some((name) => tags.has(name))) thing.fields = { ...thing.fields, tags: '' }
      },
    },
  },
  {
    id: 'tag-write-archives',
    title: 'archives the things that carry a tag when its settings change',
    behaviour: {
      afterWrite: ({ things: all }, { tags }) => {
        for (const thing of all.values())
          if (tagsOf(thing).some((name) => tags.has(name))) thing.fields = { ...thing.fields, archived: true }
      },
    },
  },
  {
    id: 'tag-write-deletes-things',
    title: 'deletes the things that carry only a tag whose settings change',
    behaviour: {
      afterWrite: ({ things: all }, { tags }) => {
        for (const thing of all.values()) if (tags.has(thing.fields.tags)) thing.deleted = true
      },
    },
  },
  {
    id: 'last-deletion-drops-settings',
    title: 'drops the settings of a tag with the last thing that carries it',
    behaviour: {
      afterWrite: (account, { deleted }) => {
        const names = carried(account)
        const gone = deleted.flatMap((id) => {
          const thing = account.things.get(id)
          return thing === undefined ? [] : tagsOf(thing)
        })
        resetTags(account, (name) => gone.includes(name) && !names.has(name))
      },
    },
  },
  {
    id: 'creation-resets-settings',
    title: 'resets the settings of the tags of a new thing',
    behaviour: {
      afterWrite: (account, { created: made }) =>
        resetTags(account, (name) => made.some(({ fields: given }) => given.tags?.split(' ').includes(name))),
    },
  },
  {
    id: 'retagging-drops-settings',
    title: 'drops the settings of tags that nothing carries after a change',
    behaviour: {
      afterWrite: (account, { changed }) => {
        const names = carried(account)
        if (changed.some(({ fields: given }) => given.tags === '')) resetTags(account, (name) => !names.has(name))
      },
    },
  },
  {
    id: 'archiving-drops-settings',
    title: 'drops the settings of the tags of a thing that is archived',
    behaviour: {
      afterWrite: (account, { changed }) =>
        resetTags(account, (name) =>
          changed.some(({ fields: given }) => given.archived === true && given.tags?.split(' ').includes(name)),
        ),
    },
  },
  {
    id: 'todo-by-part-of-tag',
    title: 'looks for todo tags anywhere in the tags',
    behaviour: todosBy(({ fields: { tags } }, name) => tags.includes(name)),
  },
  {
    id: 'todo-by-beginning-of-tag',
    title: 'looks for tags that begin with a todo tag',
    behaviour: todosBy((thing, name) => tagsOf(thing).some((tag) => tag.startsWith(name))),
  },
  {
    id: 'todo-by-pattern',
    title: 'takes todo tags for patterns',
    behaviour: todosBy((thing, name) => tagsOf(thing).some((tag) => new RegExp(`^${name}$`).test(tag))),
  },
  {
    id: 'todo-by-title',
    title: 'looks for todo tags in titles, too',
    behaviour: {
      isTodo: (thing, tags) =>
        isTodo(thing, tags) || isTodo({ ...thing, fields: { ...thing.fields, tags: thing.fields.title } }, tags),
    },
  },
  {
    id: 'todo-first-tag-only',
    title: 'looks at the first tag of a thing',
    behaviour: todosBy((thing, name) => tagsOf(thing)[0] === name),
  },
  {
    id: 'todo-last-tag-only',
    title: 'looks at the last tag of a thing',
    behaviour: todosBy((thing, name) => tagsOf(thing).at(-1) === name),
  },
  {
    id: 'todo-by-number-of-tags',
    title: 'looks at three tags of a thing at most',
    behaviour: todosBy((thing, name) => tagsOf(thing).length < 3 && tagsOf(thing).includes(name)),
  },
]

function named(edit: (name: string) => string | undefined): Partial<Behaviour> {
  return { keepTagName: edit }
}

function colors(edit: (color: string) => string): Partial<Behaviour> {
  return { keepColor: edit }
}

/** Names and colours of tags that mean something else (interface 2.2). */
export const tagNameFaults: readonly Fault[] = [
  {
    id: 'tag-name-dots-nested',
    title: 'keeps tag names up to a full stop',
    behaviour: named((name) => name.replace(/\..*/, '')),
  },
  {
    id: 'tag-name-slash-cut',
    title: 'keeps tag names from the last slash on',
    behaviour: named((name) => name.replace(/.*\//, '')),
  },
  {
    id: 'tag-name-dollar-lost',
    title: 'loses dollar signs of tag names',
    behaviour: named((name) => name.replace('$', '')),
  },
  {
    id: 'tag-name-percent-decoded',
    title: 'decodes escapes in tag names',
    behaviour: named((name) => name.replace('%41', 'A')),
  },
  {
    id: 'tag-name-quotes-escaped',
    title: 'escapes quotes in tag names',
    behaviour: named((name) => name.replace(/["']/g, '\\$&')),
  },
  {
    id: 'tag-name-hash-lost',
    title: 'drops a hash before tag names',
    behaviour: named((name) => name.replace(/^[#@]/, '')),
  },
  {
    id: 'tag-name-colon-cut',
    title: 'keeps tag names up to a colon',
    behaviour: named((name) => name.replace(/:.*/, '')),
  },
  {
    id: 'tag-name-plus-becomes-blank',
    title: 'makes blanks of plus signs in tag names',
    behaviour: named((name) => name.replace('+', ' ')),
  },
  {
    id: 'tag-name-comma-split',
    title: 'keeps the first of tag names with commas',
    behaviour: named((name) => name.split(/[,;]/)[0]),
  },
  {
    id: 'tag-name-symbols-lost',
    title: 'keeps no symbols of tag names',
    behaviour: named((name) => name.replace(/[<>!?=&()|\\]/g, '')),
  },
  {
    id: 'tag-name-star-matches',
    title: 'drops stars and lines of tag names',
    behaviour: named((name) => name.replace(/[*_]$/, '')),
  },
  {
    id: 'tags-list-for-numbers',
    title: 'lists settings as an array when tag names are numbers',
    behaviour: {
      tags: (tags) => (tags.size === 0 ? undefined : tags.has('0') ? [...tags.values()] : Object.fromEntries(tags)),
    },
  },
  {
    id: 'tag-name-number-lost',
    title: 'loses tags whose names are numbers',
    behaviour: named((name) => (/^\d$/.test(name) ? undefined : name)),
  },
  {
    id: 'tag-name-leading-zeros-lost',
    title: 'drops leading zeros of tag names',
    behaviour: named((name) => name.replace(/^0+(?=\d)/, '')),
  },
  {
    id: 'tag-name-setting-lost',
    title: 'loses tags called favorite, color and todo',
    behaviour: named((name) => (name in plainTag && !(name in {}) ? undefined : name)),
  },
  {
    id: 'tag-name-inherited-lost',
    title: 'loses tags whose names lists inherit',
    behaviour: named((name) => (name in [] ? undefined : name)),
  },
  {
    id: 'tag-name-word-lost',
    title: 'loses tags called null and true',
    behaviour: named((name) => (['null', 'true'].includes(name) ? undefined : name)),
  },
  {
    id: 'tag-name-cut-at-50',
    title: 'keeps 50 characters of tag names',
    behaviour: named((name) => name.slice(0, 50)),
  },
  {
    id: 'tag-name-cut-at-255',
    title: 'keeps 255 characters of tag names',
    behaviour: named((name) => name.slice(0, 255)),
  },
  {
    id: 'tag-name-begins-so',
    title: 'sets every tag whose name begins so',
    behaviour: {
      afterWrite: ({ tags: all, position }, { tags }) => {
        for (const given of tags.keys())
          for (const [name, { settings: old }] of all)
            if (name !== given && name.startsWith(given))
              all.set(name, { settings: { ...old, color: '#999999' }, position })
      },
    },
  },
  {
    id: 'color-black-is-none',
    title: 'takes black for no color',
    behaviour: {
      changedTag: (old, change) => ({ ...old, ...change, ...(change.color === '#000000' ? { color: false } : {}) }),
    },
  },
  {
    id: 'color-white-is-none',
    title: 'takes white for no color',
    behaviour: {
      changedTag: (old, change) => ({ ...old, ...change, ...(change.color === '#ffffff' ? { color: false } : {}) }),
    },
  },
  {
    id: 'color-number-evaluated',
    title: 'reads colors that look like numbers',
    behaviour: colors((color) => (/^#\d+e\d+$/.test(color) ? '#infinity' : color)),
  },
  {
    id: 'color-digits-lost',
    title: 'drops leading zeros of colors',
    behaviour: colors((color) => color.replace(/^#0+(?=.)/, '#')),
  },
  {
    id: 'color-palette',
    title: 'keeps the nearest of a few colors',
    behaviour: colors((color) => color.replace(/7f/g, '80')),
  },
  {
    id: 'color-shortened',
    title: 'shortens colors',
    behaviour: colors((color) => color.replace(/^#(.)\1(.)\2(.)\3$/, '#$1$2$3')),
  },
]
