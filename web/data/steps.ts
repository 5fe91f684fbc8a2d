import {
  createLocalId,
  type Replica,
  type ReplicaEdit,
  type ReplicaFields,
  type ReplicaTagFields,
  type ReplicaThing,
  type TagSettings,
} from '../../client/src/index.ts'

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
export type Edited = Pick<Replica, 'editAll' | 'findThings' | 'listTags' | 'resolveId'>

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

const settingsBefore = (
  settings: ReadonlyMap<string, TagSettings>,
  { name, change }: Extract<Step, { kind: 'tag' }>,
): Step => {
  const { favorite, color, todo } = settings.get(name) ?? blank
  return {
    kind: 'tag',
    name,
    change: {
      ...('favorite' in change ? { favorite } : {}),
      ...('color' in change ? { color } : {}),
      ...('todo' in change ? { todo } : {}),
    },
  }
}

/** Steps that are about to be carried out, in one write, all of them or none, by `editAll`. */
export interface Prepared {
  readonly edits: readonly ReplicaEdit[]
  /** Takes everything back, the last first; things that were gone need nothing. Where nothing is made, it does no harm. */
  readonly inverse: readonly Step[]
  /** The things that will be made, each with its step. */
  readonly made: readonly { readonly id: string; readonly step: Extract<Step, { kind: 'create' }> }[]
}

/** Works out what steps do and what takes them back, before anything is changed. */
export const prepare = async (edited: Edited, steps: readonly Step[]): Promise<Prepared> => {
  const found = await edited.findThings(steps.flatMap((step) => ('id' in step ? [step.id] : [])))
  const settings = steps.some(({ kind }) => kind === 'tag') ? await edited.listTags() : new Map<string, TagSettings>()
  const possible = steps.filter((step) => !('id' in step) || found.has(step.id))
  const made = possible.flatMap((step) => (step.kind === 'create' ? [{ id: createLocalId(), step }] : []))
  const creations = made.values()
  const edits = possible.map((step): ReplicaEdit => {
    const next = step.kind === 'create' ? creations.next().value : undefined
    return next === undefined ? step : { kind: 'create', fields: next.step.fields, localId: next.id }
  })
  const inverse: Step[] = made.map(({ id }) => ({ kind: 'remove', id }) as const)
  for (const step of steps) {
    const thing = 'id' in step ? found.get(step.id) : undefined
    if (step.kind === 'tag') inverse.push(settingsBefore(settings, step))
    else if (step.kind === 'remove' && thing)
      inverse.push({ kind: 'create', fields: contentOf(thing), insteadOf: thing.id })
    else if (step.kind === 'change' && thing) {
      inverse.push({ kind: 'change', id: step.id, fields: before(thing, step.fields) })
    }
  }
  return { edits, inverse: inverse.reverse(), made }
}
