import { type Behaviour, right } from '../server/behaviour.ts'
import type { Thing, ThingFields } from '../server/world.ts'
import type { Fault } from './fault.ts'
import { tagsOf } from './tag-apart.ts'

const { isTodo } = right

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

/** What an upload sets on things that are no todos yet is dropped, though the same upload makes todos of them. */
const judgedBeforeTags = (kind: 'created' | 'changed'): Partial<Behaviour> => ({
  applied: (upload, session, account, world) => {
    const applied = right.applied(upload, session, account, world)
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

/** Things that are todos by another tag than theirs, or are none (interface 2.1, 2.2). */
export const tagTodoFaults: readonly Fault[] = [
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
  {
    id: 'new-todo-judged-before-tags',
    title: 'drops the todoStatus of a new thing whose tag becomes a todo tag by the same upload',
    behaviour: judgedBeforeTags('created'),
  },
  {
    id: 'changed-todo-judged-before-tags',
    title: 'drops the todoStatus of a changed thing whose tag becomes a todo tag by the same upload',
    behaviour: judgedBeforeTags('changed'),
  },
]
