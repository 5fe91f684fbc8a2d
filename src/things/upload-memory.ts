import type { Json } from '../store/model.ts'
import type { Draft, View } from '../store/store.ts'
import type { ThingFields } from './thing-fields.ts'
import type { Upload } from './upload.ts'
import { countCommonMarks, joinMarks, markUpload, type UploadMarks } from './upload-marks.ts'

/** The kind of the records below. */
export const uploadRecords = 'upload'

/**
 * Remembers which new things one session uploaded with one `from` (contract, sync 7). Kept in records of the account, so
 * it is as durable as the things: under the session the remembered `from`s, under the session with a `from` one record
 * per thing, named by its id.
 */
export interface UploadMemory {
  /** The id of the thing of which this is a retry, and notes what it says now. */
  readonly findRetried: (localId: string, fields: ThingFields) => Promise<string | undefined>
  readonly remember: (localId: string, fields: ThingFields, id: string) => Promise<void>
}

interface Remembered {
  readonly id: string
  readonly localId: string
  /** Undefined in records of the versions that took everything for a retry. */
  readonly marks: UploadMarks | undefined
}

const kind = uploadRecords
const groupOf = (session: string, from: string) => `${session} ${from}`

/** True when this `from` says that the session has had the answers to uploads that are still remembered. */
export const hasAnsweredUploads = async (view: View, session: string, from: number): Promise<boolean> => {
  for (const earlier of (await view.listRecords(kind, session)).keys()) if (Number(earlier) < from) return true
  return false
}

/** Forgets what the session uploaded with an earlier `from`; gives the `from`s that are still remembered. */
export const forgetAnsweredUploads = async (
  draft: Draft,
  session: string,
  from: number | undefined,
): Promise<ReadonlySet<string>> => {
  const remembered = new Set((await draft.listRecords(kind, session)).keys())
  for (const earlier of remembered) {
    if (from === undefined || Number(earlier) >= from) continue
    remembered.delete(earlier)
    await draft.deleteRecords(kind, groupOf(session, earlier))
    await draft.deleteRecord(kind, session, earlier)
  }
  return remembered
}

/**
 * Finds what the session has uploaded with the `from` of this upload before, and forgets what it has seen the answer of:
 * uploads with an earlier `from`, and things that it names by their `_id` now. Undefined when the upload has no `from`:
 * then nothing in it is a retry.
 */
export const recallUploads = async (
  draft: Draft,
  session: string,
  upload: Upload,
): Promise<UploadMemory | undefined> => {
  const { from } = upload
  const remembered = await forgetAnsweredUploads(draft, session, from)
  if (remembered.size > 0) await forgetEach(draft, session, remembered, () => listNamed(upload))
  if (from === undefined) return undefined

  const group = groupOf(session, String(from))
  let isListed = remembered.has(String(from))
  const earlier = isListed ? await findEarlier(draft, group, upload) : new Map<string, Remembered[]>()
  const put = (id: string, localId: string, marks: UploadMarks) =>
    draft.putRecord(kind, group, id, toRecord(localId, marks))

  return {
    findRetried: async (localId, fields) => {
      const marks = markUpload(fields)
      const retried = findMostCommon(earlier.get(localId) ?? [], marks)
      if (retried?.marks === undefined) return retried?.id
      const joined = joinMarks(retried.marks, marks)
      if (joined !== retried.marks) await put(retried.id, localId, joined)
      return retried.id
    },
    remember: async (localId, fields, id) => {
      if (!isListed) await draft.putRecord(kind, session, String(from), true)
      isListed = true
      await put(id, localId, markUpload(fields))
    },
  }
}

/** Forgets that the session uploaded a thing which it names by its `_id`: then it has seen the answer to that. */
export const forgetNamedUpload = async (draft: Draft, session: string, id: string): Promise<void> =>
  forgetEach(draft, session, new Set((await draft.listRecords(kind, session)).keys()), () => [id])

// Not a set: an upload may name a hundred thousand.
function* listNamed({ changedThings, deletedThings }: Upload): Generator<string> {
  yield* deletedThings
  for (const { id } of changedThings) yield id
}

const forgetEach = async (
  draft: Draft,
  session: string,
  remembered: ReadonlySet<string>,
  listIds: () => Iterable<string>,
): Promise<void> => {
  for (const from of remembered) {
    const group = groupOf(session, from)
    for (const id of listIds()) {
      if ((await draft.findRecord(kind, group, id)) !== undefined) await draft.deleteRecord(kind, group, id)
    }
  }
}

/** What is remembered under the local ids of this upload: a client may have used one for several things. */
const findEarlier = async (draft: Draft, group: string, { newThings }: Upload): Promise<Map<string, Remembered[]>> => {
  const earlier = new Map<string, Remembered[]>()
  for (const { localId } of newThings) earlier.set(String(localId), [])
  for (const [key, value] of await draft.listRecords(kind, group)) {
    const remembered = readRecord(key, value)
    earlier.get(remembered.localId)?.push(remembered)
  }
  return earlier
}

/** The latest of those that the upload has most in common with. */
const findMostCommon = (earlier: readonly Remembered[], marks: UploadMarks): Remembered | undefined => {
  let found: Remembered | undefined
  let most = 1
  for (const remembered of earlier) {
    const common = remembered.marks === undefined ? most : countCommonMarks(marks, remembered.marks)
    if (common < most) continue
    found = remembered
    most = common
  }
  return found
}

const toRecord = (localId: string, { dates, urls, titles }: UploadMarks): Json => [localId, dates, urls, titles]

// Only this file writes these records, so they hold what was put in.
const readRecord = (key: string, value: Json): Remembered => {
  if (typeof value === 'string') return { id: value, localId: key, marks: undefined }
  const [localId, dates, urls, titles] = value as [string, number[], string[], string[]]
  return { id: key, localId, marks: { dates, urls, titles } }
}
