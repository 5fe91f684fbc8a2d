import { type ClientError, isClientError } from './client-error.ts'
import type { Batch, PendingEdits } from './pending-edits.ts'
import { editKey, joinEdits } from './replica-records.ts'

/** The edit of a thing or a tag that the server does not take, and what it says. */
export interface RefusedEdit {
  readonly kind: 'thing' | 'tag'
  /** The id of the thing or the name of the tag. */
  readonly name: string
  readonly error: ClientError
}

/** True for a refusal for what was sent, and not for who sent it or when. */
export const isRefusalOfEdits = (error: unknown): error is ClientError =>
  isClientError(error, 'refused') && [400, 413, 422].includes(error.status ?? 0) && error.error !== 'invalid_grant'

/** What is `sending`, as edits that the server does not take. */
export const describeSending = ({ sending }: PendingEdits, error: ClientError): readonly RefusedEdit[] => [
  ...[...sending.things.keys()].map((name) => ({ kind: 'thing' as const, name, error })),
  ...[...sending.tags.keys()].map((name) => ({ kind: 'tag' as const, name, error })),
]

/** What to write so that everything `sending` is `queued` again, under what was edited since. */
export const putBack = ({ sending, queued }: PendingEdits): Batch => {
  const batch: Batch = new Map()
  for (const [id, edit] of sending.things) {
    const later = queued.things.get(id)
    batch.set(editKey('sending', 'thing', id), undefined)
    batch.set(editKey('queued', 'thing', id), later === undefined ? edit : joinEdits(edit, later))
  }
  for (const [name, change] of sending.tags) {
    batch.set(editKey('sending', 'tag', name), undefined)
    batch.set(editKey('queued', 'tag', name), { ...change, ...queued.tags.get(name) })
  }
  return batch
}
