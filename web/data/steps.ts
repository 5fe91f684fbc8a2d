import type { Replica, ReplicaFields, ReplicaTagFields, ReplicaThing } from '../../src/client/index.ts'

/** One edit, as data; every edit that the screens make is one. */
export type Step =
  | {
      readonly kind: 'create'
      readonly fields: ReplicaFields & { readonly title: string }
      /** The id of a thing that is gone, and that this one is made in the place of. */
      readonly insteadOf?: string
    }
  | { readonly kind: 'change'; readonly id: string; readonly fields: ReplicaFields }
  | { readonly kind: 'remove'; readonly id: string }
  | { readonly kind: 'tag'; readonly name: string; readonly change: ReplicaTagFields }

/** What steps are carried out on. */
export type Edited = Pick<Replica, 'create' | 'change' | 'remove' | 'setTag' | 'findThing' | 'listTags'>

/** Everything of a thing, to make it again. */
export const contentOf = ({ id, isPending, ...content }: ReplicaThing): ReplicaFields & { readonly title: string } =>
  content

const before = (thing: ReplicaThing, fields: ReplicaFields): ReplicaFields => ({
  ...('title' in fields ? { title: thing.title } : {}),
  ...('tags' in fields ? { tags: thing.tags } : {}),
  ...('date' in fields ? { date: thing.date } : {}),
  ...('url' in fields ? { url: thing.url ?? '' } : {}),
  ...('html' in fields ? { html: thing.html ?? '' } : {}),
  ...('archived' in fields ? { archived: thing.archived } : {}),
  ...('todoStatus' in fields ? { todoStatus: thing.todoStatus ?? false } : {}),
})

const blank = { favorite: false, color: false, todo: false } as const

/**
 * Carries out a step and gives the one that takes it back; undefined when there was nothing to do because the thing is
 * gone. `created` is told the id of each thing that is made.
 */
export const carryOut = async (
  edited: Edited,
  step: Step,
  created: (id: string, step: Extract<Step, { kind: 'create' }>) => void,
): Promise<Step | undefined> => {
  if (step.kind === 'create') {
    const id = await edited.create(step.fields)
    created(id, step)
    return { kind: 'remove', id }
  }
  if (step.kind === 'tag') {
    const { favorite, color, todo } = (await edited.listTags()).get(step.name) ?? blank
    const change = {
      ...('favorite' in step.change ? { favorite } : {}),
      ...('color' in step.change ? { color } : {}),
      ...('todo' in step.change ? { todo } : {}),
    }
    await edited.setTag(step.name, step.change)
    return { kind: 'tag', name: step.name, change }
  }
  const thing = await edited.findThing(step.id)
  if (thing === undefined) return undefined
  if (step.kind === 'remove') {
    await edited.remove(step.id)
    return { kind: 'create', fields: contentOf(thing), insteadOf: step.id }
  }
  await edited.change(step.id, step.fields)
  return { kind: 'change', id: step.id, fields: before(thing, step.fields) }
}
