import type { Behaviour } from '../server/behaviour.ts'
import type { Json, TagSettings } from '../server/world.ts'
import { answers, type Fault, fault, makeFaults, without } from './fault.ts'

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
  fault('tag-settings-ignored', 'ignores tag settings', { submittedTags: () => new Map() }),
  ...makeFaults(
    keeping,
    ['tag-favorite-ignored', 'ignores favorite', 'favorite'],
    ['tag-color-ignored', 'ignores color', 'color'],
    ['tag-todo-ignored', 'ignores todo', 'todo'],
  ),
  ...makeFaults(
    sticking,
    ['tag-favorite-sticks', 'never ends a favorite', 'favorite'],
    ['tag-color-sticks', 'never takes a color away', 'color'],
    ['tag-todo-sticks', 'never ends a todo tag', 'todo'],
  ),
  ...makeFaults(
    settings,
    ['tag-color-null', 'gives null for no color', (tag) => ({ ...tag, color: tag.color || null })],
    [
      'tag-color-without-hash',
      'gives colors without their hash',
      (tag) => ({ ...tag, color: tag.color === false ? false : tag.color.slice(1) }),
    ],
    ['tag-todo-boolean', 'gives true for the todo behaviour', (tag) => ({ ...tag, todo: tag.todo !== false })],
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
    answers((answer, { method }) => (method === 'POST' ? { ...answer, tags: answer.tags ?? {} } : answer)),
  ),
]
