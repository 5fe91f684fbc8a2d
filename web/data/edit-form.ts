import type { ReplicaFields, ReplicaTagFields, ReplicaThing, TagSettings } from '../../client/src/index.ts'
import { type Row, splitTags } from './item-parts.ts'
import type { EditStep } from './undo.ts'

/** Adds tags to a list of tags and removes others. Returns them space-separated, each once. */
export const changeTags = (tags: readonly string[], add: readonly string[], drop: readonly string[]): string => {
  const dropped = new Set(drop)
  return [...new Set([...tags, ...add])].filter((tag) => !dropped.has(tag)).join(' ')
}

/** Parses tags that a user typed, separated by spaces or commas, with or without `#`. */
export const readTags = (text: string): readonly string[] =>
  splitTags(
    text
      .split(/[\s,]+/u)
      .map((tag) => tag.replace(/^#+/u, ''))
      .join(' '),
  )

/** Plans the steps that add and remove tags; omits items that need no change. */
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
 * Plans the steps that rename a tag on all items with that tag. If a tag with the new name exists, the two tags are
 * merged and its settings stay. Otherwise the settings move to the new name.
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
  const isMerge = settings.has(next) || all.some((row) => row.tags.includes(next))
  const old = settings.get(name)
  const moved: ReplicaTagFields | undefined = isMerge ? undefined : old
  const none = { favorite: false, color: false, todo: false } as const
  return [
    // The settings go first. Otherwise a to-do would lose its checkbox for a moment.
    ...(moved === undefined ? [] : [{ kind: 'tag', name: next, change: moved } as const]),
    ...things,
    ...(old === undefined ? [] : [{ kind: 'tag', name, change: none } as const]),
  ]
}

/** A tag in the list of all tags. */
export interface ListedTag extends TagSettings {
  readonly name: string
  /** The number of items with this tag. */
  readonly count: number
}

/** Lists all tags that are in use or have settings: favorites first, then by name. */
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

/** The values of the fields of the edit form. */
export interface EditForm {
  readonly title: string
  readonly url: string
  readonly tags: string
  /** In the format of a `datetime-local` field. */
  readonly date: string
  /** The note as HTML. */
  readonly note: string
  /** Whether the user edits the note as HTML instead of in the editor. */
  readonly isSource: boolean
}

/** The draft of an unsaved form: the fields now (`form`), and the fields when editing began (`begun`). */
export interface EditDraft {
  readonly begun: EditForm
  readonly form: EditForm
}

/** Converts an item to the values of the form. */
export const toEditForm = (thing: ReplicaThing, toFieldDate: (seconds: number) => string): EditForm => ({
  title: thing.title,
  url: thing.url ?? '',
  tags: thing.tags,
  date: toFieldDate(thing.date),
  note: thing.html ?? '',
  isSource: false,
})

/** Returns only the fields that the user changed, so that changes of other devices to the other fields survive. */
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

/** The parts of an item that are edited on their own; 'details' are URL and date. */
export type ItemPart = 'title' | 'tags' | 'note' | 'details'

/** Returns the parts that differ from the beginning of the editing. */
export const listChangedParts = ({ begun, form }: EditDraft): readonly ItemPart[] => [
  ...(form.title === begun.title ? [] : (['title'] as const)),
  ...(form.tags === begun.tags ? [] : (['tags'] as const)),
  ...(form.note === begun.note ? [] : (['note'] as const)),
  ...(form.url === begun.url && form.date === begun.date ? [] : (['details'] as const)),
]

/** Returns a draft that began empty, so that every field of the form counts as a change. */
export const toNewItemDraft = ({ form }: EditDraft): EditDraft => ({
  begun: { ...form, title: '', url: '', tags: '', date: '', note: '' },
  form,
})

/** Parses a stored draft; undefined for an empty text. */
export const readEditDraft = (text: string): EditDraft | undefined =>
  text === '' ? undefined : (JSON.parse(text) as EditDraft)

/** The box of a task that is not done, and of a done one, at the beginning of a list item of a note. */
export const openBox = '☐'
export const doneBox = '☑'

const boxes = /[☐☑]/gu

/**
 * Ticks a box in the HTML of a note: the box with this index among the boxes of the shown text. Undefined if the boxes
 * of the HTML are not those of the text, for example because an attribute has one.
 */
export const toggleBox = (html: string, shownText: string, index: number): string | undefined => {
  if ((html.match(boxes)?.length ?? 0) !== (shownText.match(boxes)?.length ?? 0)) return undefined
  let at = 0
  return html.replace(boxes, (box) => (at++ === index ? (box === openBox ? doneBox : openBox) : box))
}
