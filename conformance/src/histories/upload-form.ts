import { type Pair, writeUpload } from '../form.ts'
import type { UploadStep } from './plan.ts'
import { colorOf, submittedFields } from './thing-fields.ts'

/** How the names of a plan are written on the wire. */
export interface Spelling {
  /** Starts every title, tag and local id of one playing of a history. */
  readonly mark: string
  /** The `_id` of a thing. */
  readonly idOf: (thing: string) => string
}

/** The `local_id` of a thing; never used twice, so that no server takes a creation for a repetition of an earlier one. */
export const localIdOf = (thing: string, mark: string): string => `${mark}-${thing}`

/** Name of a tag on the wire. */
export const tagNameOf = (tag: string, mark: string): string => `${mark}-${tag}`

/** The parameters of an upload, without `from` and token (interface 4.3). */
export const encodeUploadStep = (step: UploadStep, { mark, idOf }: Spelling): Pair[] => {
  const created = step.creates.map((version) => ({
    local_id: localIdOf(version.thing, mark),
    ...submittedFields(version, mark),
  }))
  const changed = step.changes.map((version) => ({ _id: idOf(version.thing), ...submittedFields(version, mark) }))
  const tags = step.tags.map((version): Pair => {
    const settings = { favorite: true, color: colorOf(version), todo: false }
    return [`tag[${tagNameOf(version.tag, mark)}]`, JSON.stringify(settings)]
  })
  return [
    ...writeUpload('new_thing', created, step.form),
    ...writeUpload('changed_thing', changed, step.form),
    ...writeUpload('deleted_thing', step.deletes.map(idOf), step.form),
    ...tags,
  ]
}
