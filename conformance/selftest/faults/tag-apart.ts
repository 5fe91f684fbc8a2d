import { type Behaviour, right } from '../server/behaviour.ts'
import { plainTag } from '../server/right-listings.ts'
import type { Account, TagSettings, Thing } from '../server/world.ts'
import type { Fault } from './fault.ts'

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
]
