import type { ReplicaFields, ReplicaTagFields, ReplicaThing, TagSettings } from '../../client/src/index.ts'
import { type Row, splitTags } from './item-parts.ts'
import type { EditStep } from './undo.ts'

/** The tags of a thing with some more and some less, each once. */
export const changeTags = (tags: readonly string[], add: readonly string[], drop: readonly string[]): string => {
  const dropped = new Set(drop)
  return [...new Set([...tags, ...add])].filter((tag) => !dropped.has(tag)).join(' ')
}

/** Tags as a person types them, with or without number signs. */
export const readTags = (text: string): readonly string[] =>
  splitTags(
    text
      .split(/[\s,]+/u)
      .map((tag) => tag.replace(/^#+/u, ''))
      .join(' '),
  )

/** Steps that tag things; those that need no change are left out. */
export const planTagging = (
  rows: Iterable<Row>,
  add: readonly string[],
  drop: readonly string[],
): readonly EditStep[] =>
  [...rows].flatMap((row) => {
    const tags = changeTags(row.tags, add, drop)
    return tags === row.tags.join(' ') ? [] : [{ kind: 'change', id: row.id, fields: { tags } } as const]
  })

/**
 * Steps that give a tag another name on all things that carry it. A tag of that name that is there already takes these
 * things in and keeps its settings; otherwise the settings move along.
 */
export const planRename = (
  rows: Iterable<Row>,
  settings: ReadonlyMap<string, TagSettings>,
  name: string,
  next: string,
): readonly EditStep[] => {
  const all = [...rows]
  const replaced = (row: Row) => row.tags.map((tag) => (tag === name ? next : tag))
  const things = all
    .filter((row) => row.tags.includes(name))
    .map((row) => ({ kind: 'change', id: row.id, fields: { tags: [...new Set(replaced(row))].join(' ') } }) as const)
  const isThere = settings.has(next) || all.some((row) => row.tags.includes(next))
  const old = settings.get(name)
  const moved: ReplicaTagFields | undefined = isThere ? undefined : old
  const none = { favorite: false, color: false, todo: false } as const
  return [
    // The settings first: a todo without them would lose its checkbox for a moment.
    ...(moved === undefined ? [] : [{ kind: 'tag', name: next, change: moved } as const]),
    ...things,
    ...(old === undefined ? [] : [{ kind: 'tag', name, change: none } as const]),
  ]
}

/** A tag in the list of all tags. */
export interface ListedTag extends TagSettings {
  readonly name: string
  /** How many things carry it. */
  readonly count: number
}

/** All tags that things carry or that have settings: favourites first, then by name. */
export const listAllTags = (
  counts: ReadonlyMap<string, number>,
  settings: ReadonlyMap<string, TagSettings>,
  compare: (one: string, other: string) => number,
): readonly ListedTag[] =>
  [...new Set([...counts.keys(), ...settings.keys()])]
    .map((name) => {
      const { favorite = false, color = false, todo = false } = settings.get(name) ?? {}
      return { name, favorite, color, todo, count: counts.get(name) ?? 0 }
    })
    .sort((one, other) => Number(other.favorite) - Number(one.favorite) || compare(one.name, other.name))

/** A thing as it stands in the fields of the form. */
export interface EditForm {
  readonly title: string
  readonly url: string
  readonly tags: string
  /** As a `datetime-local` field says it. */
  readonly date: string
  /** The note as HTML. */
  readonly note: string
  /** Whether a person wants to edit the note as HTML, and not in the editor. */
  readonly isSource: boolean
}

/** What is kept of a form that was not saved: the fields, and what they were when editing began. */
export interface EditDraft {
  readonly begun: EditForm
  readonly form: EditForm
}

/** The thing as fields. */
export const toEditForm = (thing: ReplicaThing, toFieldDate: (seconds: number) => string): EditForm => ({
  title: thing.title,
  url: thing.url ?? '',
  tags: thing.tags,
  date: toFieldDate(thing.date),
  note: thing.html ?? '',
  isSource: false,
})

/** The fields that a person has changed: what others change meanwhile in the rest of the thing stays. */
export const readChangedFields = (
  { begun, form }: EditDraft,
  readFieldDate: (value: string) => number | undefined,
): ReplicaFields => {
  const date = form.date === begun.date ? undefined : readFieldDate(form.date)
  return {
    ...(form.title.trim() === begun.title ? {} : { title: form.title.trim() }),
    ...(form.url.trim() === begun.url ? {} : { url: form.url.trim() }),
    ...(form.tags === begun.tags ? {} : { tags: readTags(form.tags).join(' ') }),
    ...(date === undefined ? {} : { date }),
    ...(form.note === begun.note ? {} : { html: form.note }),
  }
}

/** The same with nothing in it yet, so that all of the form is a change. */
export const withoutId = ({ form }: EditDraft): EditDraft => ({
  begun: { ...form, title: '', url: '', tags: '', date: '', note: '' },
  form,
})

/** A draft as it was kept; undefined when there is none. */
export const readEditDraft = (text: string): EditDraft | undefined =>
  text === '' ? undefined : (JSON.parse(text) as EditDraft)
