import type { Behaviour } from '../server/behaviour.ts'
import type { Json, TagSettings } from '../server/world.ts'
import { answers, type Fault, without } from './fault.ts'

function keeping(field: keyof TagSettings): Partial<Behaviour> {
  return { changedTag: (old, change) => ({ ...old, ...change, [field]: old[field] }) }
}

function sticking(field: keyof TagSettings): Partial<Behaviour> {
  return { changedTag: (old, change) => ({ ...old, ...change, [field]: change[field] || old[field] }) }
}

function settings(edit: (settings: TagSettings) => Json): Partial<Behaviour> {
  return { tag: edit }
}

/** Faults of tag settings (interface 2.2, 4.3). */
export const tagFaults: readonly Fault[] = [
  { id: 'tag-settings-ignored', title: 'ignores tag settings', behaviour: { submittedTags: () => new Map() } },
  { id: 'tag-favorite-ignored', title: 'ignores favorite', behaviour: keeping('favorite') },
  { id: 'tag-color-ignored', title: 'ignores color', behaviour: keeping('color') },
  { id: 'tag-todo-ignored', title: 'ignores todo', behaviour: keeping('todo') },
  { id: 'tag-favorite-sticks', title: 'never ends a favorite', behaviour: sticking('favorite') },
  { id: 'tag-color-sticks', title: 'never takes a color away', behaviour: sticking('color') },
  { id: 'tag-todo-sticks', title: 'never ends a todo tag', behaviour: sticking('todo') },
  {
    id: 'tag-color-null',
    title: 'gives null for no color',
    behaviour: settings((tag) => ({ ...tag, color: tag.color || null })),
  },
  {
    id: 'tag-color-without-hash',
    title: 'gives colors without their hash',
    behaviour: settings((tag) => ({ ...tag, color: tag.color === false ? false : tag.color.slice(1) })),
  },
  {
    id: 'tag-todo-boolean',
    title: 'gives true for the todo behaviour',
    behaviour: settings((tag) => ({ ...tag, todo: tag.todo !== false })),
  },
  {
    id: 'tag-favorite-number',
    title: 'gives 1 and 0 for favorite',
    behaviour: settings((tag) => ({ ...tag, favorite: Number(tag.favorite) })),
  },
  {
    id: 'tag-color-missing',
    title: 'leaves color out when there is none',
    behaviour: settings((tag) => (tag.color ? tag : without(tag, 'color'))),
  },
  {
    id: 'tag-todo-missing',
    title: 'leaves todo out when it is false',
    behaviour: settings((tag) => (tag.todo ? tag : without(tag, 'todo'))),
  },
  {
    id: 'tag-favorite-missing',
    title: 'leaves favorite out when it is false',
    behaviour: settings((tag) => (tag.favorite ? tag : without(tag, 'favorite'))),
  },
  {
    id: 'tag-last-only',
    title: 'takes only the last of several tags',
    behaviour: { submittedTags: (tags) => new Map([...tags].slice(-1)) },
  },
  {
    id: 'tag-name-lowercased',
    title: 'lowers the case of tag names',
    behaviour: { keepTagName: (name) => name.toLowerCase() },
  },
  {
    id: 'tag-name-ascii-only',
    title: 'replaces what is not ASCII in tag names',
    behaviour: { keepTagName: (name) => name.replace(/[^ -~]/g, '?') },
  },
  {
    id: 'tag-prototype-name-lost',
    title: 'loses tags whose name JavaScript objects inherit',
    behaviour: { keepTagName: (name) => (name in {} ? undefined : name) },
  },
  {
    id: 'tags-is-array',
    title: 'lists tag settings as an array',
    behaviour: {
      tags: (tags) => (tags.size === 0 ? undefined : [...tags].map(([name, tag]) => ({ name, ...(tag as object) }))),
    },
  },
  {
    id: 'tags-empty-object',
    title: 'gives empty tags with an upload that changes none',
    behaviour: answers((answer, { method }) => (method === 'POST' ? { ...answer, tags: answer.tags ?? {} } : answer)),
  },
]
