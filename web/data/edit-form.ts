import type { ReplicaFields, ReplicaThing } from '../../client/src/index.ts'
import { readTags } from './tag-edits.ts'

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
export const asNew = ({ form }: EditDraft): EditDraft => ({
  begun: { ...form, title: '', url: '', tags: '', date: '', note: '' },
  form,
})

/** A draft as it was kept; undefined when there is none. */
export const readEditDraft = (text: string): EditDraft | undefined =>
  text === '' ? undefined : (JSON.parse(text) as EditDraft)
