import { type Behavior, plainTag, rightServer } from '../../src/model/behavior.ts'
import type { Account, Json, StoredTag, TagSettings, Thing } from '../../src/model/state.ts'
import type { ThingFields } from '../../src/model/thing-fields.ts'
import { createFaults, type Fault, fault, responses, without } from './fault.ts'

function keepingSetting(field: keyof TagSettings): Partial<Behavior> {
  return { changedTag: (old, change) => ({ ...old, ...change, [field]: old[field] }) }
}

function sticking(field: keyof TagSettings): Partial<Behavior> {
  return { changedTag: (old, change) => ({ ...old, ...change, [field]: change[field] || old[field] }) }
}

function returnedSettings(edit: (settings: TagSettings) => Json): Partial<Behavior> {
  return { tag: edit }
}

/** Faults of tag settings (interface 2.2, 4.3). */
export const tagFaults: readonly Fault[] = [
  fault('tag-settings-ignored', 'ignores tag settings', { submittedTags: () => new Map() }),
  ...createFaults(
    keepingSetting,
    ['tag-favorite-ignored', 'ignores favorite', 'favorite'],
    ['tag-color-ignored', 'ignores color', 'color'],
    ['tag-todo-ignored', 'ignores todo', 'todo'],
  ),
  ...createFaults(
    sticking,
    ['tag-favorite-sticks', 'never ends a favorite', 'favorite'],
    ['tag-color-sticks', 'never takes a color away', 'color'],
    ['tag-todo-sticks', 'never ends a todo tag', 'todo'],
  ),
  ...createFaults(
    returnedSettings,
    ['tag-color-null', 'gives null for no color', (tag) => ({ ...tag, color: tag.color || null })],
    [
      'tag-color-without-hash',
      'gives colors without their hash',
      (tag) => ({ ...tag, color: tag.color === false ? false : tag.color.slice(1) }),
    ],
    ['tag-todo-boolean', 'gives true for the todo behavior', (tag) => ({ ...tag, todo: tag.todo !== false })],
    ['tag-favorite-number', 'gives 1 and 0 for favorite', (tag) => ({ ...tag, favorite: Number(tag.favorite) })],
    ['tag-color-missing', 'leaves color out when there is none', (tag) => (tag.color ? tag : without(tag, 'color'))],
    ['tag-todo-missing', 'leaves todo out when it is false', (tag) => (tag.todo ? tag : without(tag, 'todo'))],
    [
      'tag-favorite-missing',
      'leaves favorite out when it is false',
      (tag) => (tag.favorite ? tag : without(tag, 'favorite')),
    ],
  ),
  fault('tag-last-only', 'takes only the last of several tags', {
    submittedTags: (tags) => new Map([...tags].slice(-1)),
  }),
  fault('tag-name-lowercased', 'lowers the case of tag names', { keepTagName: (name) => name.toLowerCase() }),
  fault('tag-name-ascii-only', 'replaces what is not ASCII in tag names', {
    keepTagName: (name) => name.replace(/[^ -~]/g, '?'),
  }),
  fault('tag-prototype-name-lost', 'loses tags whose name JavaScript objects inherit', {
    keepTagName: (name) => (name in {} ? undefined : name),
  }),
  fault('tags-is-array', 'lists tag settings as an array', {
    tags: (tags) => (tags.size === 0 ? undefined : [...tags].map(([name, tag]) => ({ name, ...(tag as object) }))),
  }),
  fault(
    'tags-empty-object',
    'gives empty tags with an upload that changes none',
    responses((response, { method }) => (method === 'POST' ? { ...response, tags: response.tags ?? {} } : response)),
  ),
]

function settings(edit: (after: TagSettings, before: TagSettings) => Partial<TagSettings>): Partial<Behavior> {
  return {
    changedTag: (old, change) => {
      const after = rightServer.changedTag(old, change)
      return { ...after, ...edit(after, old) }
    },
  }
}

const unset = { color: false, todo: false, favorite: false } as const

/** Returns the names of the tags of a thing. */
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

/** Faults of tag settings that affect each other, or things (interface 2.2). */
export const tagApartFaults: readonly Fault[] = [
  ...createFaults(
    settings,
    [
      'favorite-needs-color',
      'keeps favorite of colored tags only',
      ({ color }) => (color === false ? { favorite: false } : {}),
    ],
    [
      'color-makes-favorite',
      'makes colored tags favorites',
      ({ color }) => (color === false ? {} : { favorite: true }),
    ],
    ['todo-makes-favorite', 'makes todo tags favorites', ({ todo }) => (todo === false ? {} : { favorite: true })],
    ['todo-drops-color', 'drops the color of todo tags', ({ todo }) => (todo === false ? {} : { color: false })],
    ['favorite-drops-todo', 'keeps no todo of favorites', ({ favorite }) => (favorite ? { todo: false } : {})],
    ['color-drops-todo', 'keeps no todo of colored tags', ({ color }) => (color === false ? {} : { todo: false })],
  ),
  fault('tag-color-unlisted', 'does not list tags that have a color alone in an incremental sync', {
    listsTag: (name, tag, of) =>
      rightServer.listsTag(name, tag, of) &&
      (of.full || tag.settings.color === false || tag.settings.favorite || tag.settings.todo !== false),
  }),
  fault('tag-todo-unlisted', 'does not list tags that are for todos alone in an incremental sync', {
    listsTag: (name, tag, of) =>
      rightServer.listsTag(name, tag, of) &&
      (of.full || tag.settings.todo === false || tag.settings.favorite || tag.settings.color !== false),
  }),
  fault('tag-favorite-off-unlisted', 'does not list a tag that is no favorite any more', {
    listsTag: (name, tag, of) =>
      rightServer.listsTag(name, tag, of) && (of.full || tag.settings.favorite || tag.settings.color === false),
  }),
  fault('tag-off-unlisted', 'does not list a tag whose settings were all taken away', {
    listsTag: (name, tag, of) =>
      rightServer.listsTag(name, tag, of) &&
      (of.full || tag.settings.favorite || tag.settings.color !== false || tag.settings.todo !== false),
  }),
  fault(
    'tag-off-dropped',
    'drops all settings of a tag that is no favorite any more',
    settings((after, before) => (before.favorite && !after.favorite ? unset : {})),
  ),
  fault('tag-write-lists-things', 'lists the things that carry a tag when its settings change', {
    afterWrite: ({ things: all, position }, { tags }) => {
      for (const thing of all.values()) if (tagsOf(thing).some((name) => tags.has(name))) thing.position = position
    },
  }),
  fault('tag-write-empties-tags', 'takes a tag from the things that carry it when its settings change', {
    afterWrite: ({ things: all }, { tags }) => {
      for (const thing of all.values())
        if (tagsOf(thing).some((name) => tags.has(name))) thing.fields = { ...thing.fields, tags: '' }
    },
  }),
  fault('tag-write-archives', 'archives the things that carry a tag when its settings change', {
    afterWrite: ({ things: all }, { tags }) => {
      for (const thing of all.values())
        if (tagsOf(thing).some((name) => tags.has(name))) thing.fields = { ...thing.fields, archived: true }
    },
  }),
  fault('tag-write-deletes-things', 'deletes the things that carry only a tag whose settings change', {
    afterWrite: ({ things: all }, { tags }) => {
      for (const thing of all.values()) if (tags.has(thing.fields.tags)) thing.deleted = true
    },
  }),
  fault('last-deletion-drops-settings', 'drops the settings of a tag with the last thing that carries it', {
    afterWrite: (account, { deleted }) => {
      const names = carried(account)
      const removed = deleted.flatMap((id) => {
        const thing = account.things.get(id)
        return thing === undefined ? [] : tagsOf(thing)
      })
      resetTags(account, (name) => removed.includes(name) && !names.has(name))
    },
  }),
  fault('creation-resets-settings', 'resets the settings of the tags of a new thing', {
    afterWrite: (account, { created }) =>
      resetTags(account, (name) => created.some(({ fields: given }) => given.tags?.split(' ').includes(name))),
  }),
  fault('retagging-drops-settings', 'drops the settings of tags that nothing carries after a change', {
    afterWrite: (account, { changed }) => {
      const names = carried(account)
      if (changed.some(({ fields: given }) => given.tags === '')) resetTags(account, (name) => !names.has(name))
    },
  }),
  fault('archiving-drops-settings', 'drops the settings of the tags of a thing that is archived', {
    afterWrite: (account, { changed }) =>
      resetTags(account, (name) =>
        changed.some(({ fields: given }) => given.archived === true && given.tags?.split(' ').includes(name)),
      ),
  }),
]

function named(edit: (name: string) => string | undefined): Partial<Behavior> {
  return { keepTagName: edit }
}

function colors(edit: (color: string) => string): Partial<Behavior> {
  return { keepColor: edit }
}

/** Faults of names and colors of tags that get another meaning (interface 2.2). */
export const tagNameFaults: readonly Fault[] = [
  ...createFaults(
    named,
    ['tag-name-dots-nested', 'keeps tag names up to a full stop', (name) => name.replace(/\..*/, '')],
    ['tag-name-slash-cut', 'keeps tag names from the last slash on', (name) => name.replace(/.*\//, '')],
    ['tag-name-dollar-lost', 'loses dollar signs of tag names', (name) => name.replace('$', '')],
    ['tag-name-percent-decoded', 'decodes escapes in tag names', (name) => name.replace('%41', 'A')],
    ['tag-name-quotes-escaped', 'escapes quotes in tag names', (name) => name.replace(/["']/g, '\\$&')],
    ['tag-name-hash-lost', 'drops a hash before tag names', (name) => name.replace(/^[#@]/, '')],
    ['tag-name-colon-cut', 'keeps tag names up to a colon', (name) => name.replace(/:.*/, '')],
    ['tag-name-plus-becomes-blank', 'makes blanks of plus signs in tag names', (name) => name.replace('+', ' ')],
    ['tag-name-comma-split', 'keeps the first of tag names with commas', (name) => name.split(/[,;]/)[0]],
    ['tag-name-symbols-lost', 'keeps no symbols of tag names', (name) => name.replace(/[<>!?=&()|\\]/g, '')],
    ['tag-name-star-matches', 'drops stars and lines of tag names', (name) => name.replace(/[*_]$/, '')],
  ),
  fault('tags-list-for-numbers', 'lists settings as an array when tag names are numbers', {
    tags: (tags) => (tags.size === 0 ? undefined : tags.has('0') ? [...tags.values()] : Object.fromEntries(tags)),
  }),
  ...createFaults(
    named,
    ['tag-name-number-lost', 'loses tags whose names are numbers', (name) => (/^\d$/.test(name) ? undefined : name)],
    ['tag-name-leading-zeros-lost', 'drops leading zeros of tag names', (name) => name.replace(/^0+(?=\d)/, '')],
    [
      'tag-name-setting-lost',
      'loses tags called favorite, color and todo',
      (name) => (name in plainTag && !(name in {}) ? undefined : name),
    ],
    ['tag-name-inherited-lost', 'loses tags whose names lists inherit', (name) => (name in [] ? undefined : name)],
    [
      'tag-name-word-lost',
      'loses tags called null and true',
      (name) => (['null', 'true'].includes(name) ? undefined : name),
    ],
    ['tag-name-cut-at-50', 'keeps 50 characters of tag names', (name) => name.slice(0, 50)],
    ['tag-name-cut-at-255', 'keeps 255 characters of tag names', (name) => name.slice(0, 255)],
  ),
  fault('tag-name-begins-so', 'sets every tag whose name begins so', {
    afterWrite: ({ tags: all, position }, { tags }) => {
      for (const given of tags.keys())
        for (const [name, { settings: old }] of all)
          if (name !== given && name.startsWith(given))
            all.set(name, { settings: { ...old, color: '#999999' }, position })
    },
  }),
  fault('color-black-is-none', 'takes black for no color', {
    changedTag: (old, change) => ({ ...old, ...change, ...(change.color === '#000000' ? { color: false } : {}) }),
  }),
  fault('color-white-is-none', 'takes white for no color', {
    changedTag: (old, change) => ({ ...old, ...change, ...(change.color === '#ffffff' ? { color: false } : {}) }),
  }),
  ...createFaults(
    colors,
    [
      'color-number-evaluated',
      'reads colors that look like numbers',
      (color) => (/^#\d+e\d+$/.test(color) ? '#infinity' : color),
    ],
    ['color-digits-lost', 'drops leading zeros of colors', (color) => color.replace(/^#0+(?=.)/, '#')],
    ['color-palette', 'keeps the nearest of a few colors', (color) => color.replace(/7f/g, '80')],
    ['color-shortened', 'shortens colors', (color) => color.replace(/^#(.)\1(.)\2(.)\3$/, '#$1$2$3')],
  ),
]

function todosBy(matches: (thing: Thing, name: string) => boolean): Partial<Behavior> {
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

/** Drops the todo status of things that become todos only by the same upload. */
const checkedBeforeTags = (kind: 'created' | 'changed'): Partial<Behavior> => ({
  applied: (upload, session, account, state) => {
    const applied = rightServer.applied(upload, session, account, state)
    const todoTags = [...account.tags].filter(([, { settings }]) => settings.todo !== false).map(([name]) => name)
    const dropped = <T extends { readonly fields: Partial<ThingFields> }>(list: readonly T[]): readonly T[] =>
      list.map((thing) => {
        const { todoStatus, ...fields } = thing.fields
        const isTodo = (fields.tags ?? '').split(' ').some((tag) => todoTags.includes(tag))
        return todoStatus === undefined || isTodo ? thing : { ...thing, fields }
      })
    return kind === 'created'
      ? { ...applied, created: dropped(applied.created) }
      : { ...applied, changed: dropped(applied.changed) }
  },
})

/** Faults of things that are todos by the tags of other things, or are not todos (interface 2.1, 2.2). */
export const tagTodoFaults: readonly Fault[] = [
  fault(
    'todo-by-part-of-tag',
    'looks for todo tags anywhere in the tags',
    todosBy(({ fields: { tags } }, name) => tags.includes(name)),
  ),
  fault(
    'todo-by-beginning-of-tag',
    'looks for tags that begin with a todo tag',
    todosBy((thing, name) => tagsOf(thing).some((tag) => tag.startsWith(name))),
  ),
  fault(
    'todo-by-pattern',
    'takes todo tags for patterns',
    todosBy((thing, name) => tagsOf(thing).some((tag) => new RegExp(`^${name}$`).test(tag))),
  ),
  fault('todo-by-title', 'also looks for todo tags in titles', {
    isTodo: (thing, tags) =>
      rightServer.isTodo(thing, tags) ||
      rightServer.isTodo({ ...thing, fields: { ...thing.fields, tags: thing.fields.title } }, tags),
  }),
  fault(
    'todo-first-tag-only',
    'looks at the first tag of a thing',
    todosBy((thing, name) => tagsOf(thing)[0] === name),
  ),
  fault(
    'todo-last-tag-only',
    'looks at the last tag of a thing',
    todosBy((thing, name) => tagsOf(thing).at(-1) === name),
  ),
  fault(
    'todo-by-number-of-tags',
    'looks at three tags of a thing at most',
    todosBy((thing, name) => tagsOf(thing).length < 3 && tagsOf(thing).includes(name)),
  ),
  fault(
    'new-todo-checked-before-tags',
    'drops the todoStatus of a new thing whose tag becomes a todo tag by the same upload',
    checkedBeforeTags('created'),
  ),
  fault(
    'changed-todo-checked-before-tags',
    'drops the todoStatus of a changed thing whose tag becomes a todo tag by the same upload',
    checkedBeforeTags('changed'),
  ),
]

/** Tags with equal keys share one entry, under the name of the first. */
function sharing(keyOf: (name: string) => string): Partial<Behavior> {
  return {
    applied: (upload, _session, { tags }) => {
      const names = new Map([...tags.keys()].map((name) => [keyOf(name), name]))
      const shared = [...upload.tags].map(([name, settings]) => {
        const kept = names.get(keyOf(name)) ?? name
        names.set(keyOf(name), kept)
        return [kept, settings] as const
      })
      return { ...upload, tags: new Map(shared) }
    },
  }
}

function keepingName(keep: (name: string) => string): Partial<Behavior> {
  return { keepTagName: keep }
}

function isTodoTag({ settings }: StoredTag): boolean {
  return settings.todo !== false
}

/** Things are todos when one of their tags has the key of a todo tag. */
function todosByKey(keyOf: (name: string) => string): Partial<Behavior> {
  return {
    isTodo: ({ fields }, tags) => {
      const todos = new Set([...tags].filter(([, tag]) => isTodoTag(tag)).map(([name]) => keyOf(name)))
      return fields.tags.split(/\s+/).some((name) => todos.has(keyOf(name)))
    },
  }
}

function withoutAccents(text: string): string {
  return text.normalize('NFD').replace(/\p{Mn}/gu, '')
}

/** Faults of similar tag names (interface 2.2: settings are addressed by tag name). */
export const tagLikenessFaults: readonly Fault[] = [
  fault('tag-name-accents-equal', 'takes tags for the same that differ in an accent', sharing(withoutAccents)),
  fault('tag-name-accents-stripped', 'strips the accents of tag names', keepingName(withoutAccents)),
  ...createFaults(
    sharing,
    ['tag-name-case-equal', 'takes tags for the same that differ in the case of letters', (name) => name.toLowerCase()],
    ['tag-name-sharp-s-equal', 'takes ss and ß in tag names for the same', (name) => name.replace(/ß/g, 'ss')],
    [
      'tag-name-alike-letters-equal',
      'takes letters of tag names for the same that look alike',
      (name) => name.replace(/р/g, 'p'),
    ],
    [
      'tag-name-width-equal',
      'takes full-width letters and ligatures of tag names for the usual ones',
      (name) => name.normalize('NFKC'),
    ],
    [
      'tag-name-blank-signs-equal',
      'does not see the signs of tag names that show nothing',
      (name) => name.replace(/\p{Cf}/gu, ''),
    ],
  ),
  fault(
    'tag-name-composed',
    'composes tag names',
    keepingName((name) => name.normalize('NFC')),
  ),
  fault(
    'tag-name-decomposed',
    'decomposes tag names',
    keepingName((name) => name.normalize('NFD')),
  ),
  fault(
    'tag-name-forms-equal',
    'takes tags for the same that differ in how their letters are composed',
    sharing((name) => name.normalize('NFC')),
  ),
  ...createFaults(
    todosByKey,
    ['todo-by-accent', 'looks for todo tags without accents', withoutAccents],
    ['todo-by-case', 'looks for todo tags in any case of letters', (name) => name.toLowerCase()],
    ['todo-by-form', 'looks for todo tags however their letters are composed', (name) => name.normalize('NFC')],
  ),
]

/** Reads the names of tag parameters in another way. */
const namedBy = (read: (name: string) => string): Partial<Behavior> => ({
  keepTagName: (name) => read(name),
})

/** Servers that do not keep brackets in tag names. */
export const tagBracketFaults: readonly Fault[] = createFaults(
  namedBy,
  ['tag-brackets-cut', 'cuts tag names at a closing bracket', (name) => name.replace(/\].*$/s, '')],
  ['tag-brackets-lost', 'drops brackets from tag names', (name) => name.replace(/[[\]]/g, '')],
  ['tag-empty-brackets-cut', 'cuts empty brackets from the end of tag names', (name) => name.replace(/\[\]$/, '')],
  ['tag-inner-brackets-nested', 'reads brackets in tag names as dots', (name) => name.replace(/\[(\w+)\]/g, '.$1')],
)
