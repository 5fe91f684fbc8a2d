import { type Behaviour, right } from '../server/behaviour.ts'
import { plainTag } from '../server/right-listings.ts'
import type { Account, TagSettings, Thing } from '../server/world.ts'
import { type Fault, fault, makeFaults } from './fault.ts'

const { changedTag, listsTag } = right

export function settings(edit: (after: TagSettings, before: TagSettings) => Partial<TagSettings>): Partial<Behaviour> {
  return {
    changedTag: (old, change) => {
      const after = changedTag(old, change)
      return { ...after, ...edit(after, old) }
    },
  }
}

const unset = { color: false, todo: false, favorite: false } as const

/** Names of the tags that a thing carries. */
export function tagsOf({ fields: { tags } }: Thing): readonly string[] {
  return tags.split(' ')
}

function resetTags(account: Account, isReset: (name: string) => boolean): void {
  for (const [name, { position }] of account.tags)
    if (isReset(name)) account.tags.set(name, { settings: plainTag, position })
}

function carried({ things: all }: Account): ReadonlySet<string> {
  return new Set([...all.values()].filter(({ deleted }) => !deleted).flatMap(tagsOf))
}

/** Tag settings that do something to each other, or to things (interface 2.2). */
export const tagApartFaults: readonly Fault[] = [
  ...makeFaults(
    settings,
    [
      'favorite-needs-color',
      'keeps favorite of coloured tags only',
      ({ color }) => (color === false ? { favorite: false } : {}),
    ],
    [
      'color-makes-favorite',
      'makes coloured tags favorites',
      ({ color }) => (color === false ? {} : { favorite: true }),
    ],
    ['todo-makes-favorite', 'makes todo tags favorites', ({ todo }) => (todo === false ? {} : { favorite: true })],
    ['todo-drops-color', 'drops the color of todo tags', ({ todo }) => (todo === false ? {} : { color: false })],
    ['favorite-drops-todo', 'keeps no todo of favorites', ({ favorite }) => (favorite ? { todo: false } : {})],
    ['color-drops-todo', 'keeps no todo of coloured tags', ({ color }) => (color === false ? {} : { todo: false })],
  ),
  fault('tag-color-unlisted', 'does not list tags that have a color alone in deltas', {
    listsTag: (name, tag, of) =>
      listsTag(name, tag, of) &&
      (of.full || tag.settings.color === false || tag.settings.favorite || tag.settings.todo !== false),
  }),
  fault('tag-todo-unlisted', 'does not list tags that are for todos alone in deltas', {
    listsTag: (name, tag, of) =>
      listsTag(name, tag, of) &&
      (of.full || tag.settings.todo === false || tag.settings.favorite || tag.settings.color !== false),
  }),
  fault('tag-favorite-off-unlisted', 'does not list a tag that is no favorite any more', {
    listsTag: (name, tag, of) =>
      listsTag(name, tag, of) && (of.full || tag.settings.favorite || tag.settings.color === false),
  }),
  fault('tag-off-unlisted', 'does not list a tag whose settings were all taken away', {
    listsTag: (name, tag, of) =>
      listsTag(name, tag, of) &&
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
      const gone = deleted.flatMap((id) => {
        const thing = account.things.get(id)
        return thing === undefined ? [] : tagsOf(thing)
      })
      resetTags(account, (name) => gone.includes(name) && !names.has(name))
    },
  }),
  fault('creation-resets-settings', 'resets the settings of the tags of a new thing', {
    afterWrite: (account, { created: made }) =>
      resetTags(account, (name) => made.some(({ fields: given }) => given.tags?.split(' ').includes(name))),
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
