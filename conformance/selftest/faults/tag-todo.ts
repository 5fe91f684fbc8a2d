import { type Behaviour, right } from '../server/behaviour.ts'
import type { ThingFields } from '../server/thing-fields.ts'
import type { Thing } from '../server/world.ts'
import { type Fault, fault } from './fault.ts'
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
  fault('todo-by-title', 'looks for todo tags in titles, too', {
    isTodo: (thing, tags) =>
      isTodo(thing, tags) || isTodo({ ...thing, fields: { ...thing.fields, tags: thing.fields.title } }, tags),
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
    'new-todo-judged-before-tags',
    'drops the todoStatus of a new thing whose tag becomes a todo tag by the same upload',
    judgedBeforeTags('created'),
  ),
  fault(
    'changed-todo-judged-before-tags',
    'drops the todoStatus of a changed thing whose tag becomes a todo tag by the same upload',
    judgedBeforeTags('changed'),
  ),
]
