import { ApiError } from '../api-error.ts'
import type { Environment } from '../environment.ts'
import type { Json, TagSettings } from '../store/model.ts'
import type { Draft, View } from '../store/store.ts'
import { blankThing, mergeUploadedFields, type ThingFields } from './thing.ts'

/** A `new_thing` (interface 2.1). The local ids 1 and `"1"` are the same. */
export interface NewThing {
  readonly localId: string | number
  readonly fields: TitledFields
}

/** A `changed_thing` (interface 2.1). */
export interface ChangedThing {
  readonly id: string
  readonly fields: TitledFields
}

/** Fields that say at least the title. */
export interface TitledFields extends ThingFields {
  readonly title: string
}

/** A `tag[<name>]` (interface 2.2). What is absent or null stays; `todo: true` means "strike" (contract, sync 12). */
export interface TagSettingsChange {
  readonly favorite?: boolean | null
  /** `#rgb`, `#rrggbb`, in any letter case, or false for none. */
  readonly color?: string | false | null
  readonly todo?: boolean | 'strike' | 'dont-strike' | null
}

/** What one sync request uploads, decoded (interface 4.3). */
export interface Upload {
  readonly newThings: Iterable<NewThing>
  readonly changedThings: Iterable<ChangedThing>
  /** Ids. */
  readonly deletedThings: readonly string[]
  /** By tag name. */
  readonly tags: ReadonlyMap<string, TagSettingsChange>
  /** The `from` of the request, only when the client has sent one (contract, sync 7). */
  readonly from?: number
}

/** What an upload has done to the account. */
export interface UploadOutcome {
  /** The account's position before the upload. */
  readonly positionBefore: number
  /** The account's position when the upload was applied, and nothing after it. */
  readonly positionAfter: number
  /** The id of each new thing, by its local id as text. */
  readonly assigned: ReadonlyMap<string, string>
  /** Ids of the things that were changed. */
  readonly changedIds: ReadonlySet<string>
  /** Ids of which the deletion was asked for. */
  readonly deletedIds: ReadonlySet<string>
  /** Ids of uploaded things that no longer exist: deletion wins (contract, sync 8). */
  readonly goneIds: ReadonlySet<string>
  /** The settings, in full, of each tag that was submitted. */
  readonly tags: ReadonlyMap<string, TagSettings>
}

/** The settings of a tag of which nothing was ever said. */
export const defaultTagSettings: TagSettings = { favorite: false, color: false, todo: false }

/**
 * The settings of a tag after a change; what the change does not say, or says null of, stays. Colors are kept in lower
 * case (interface 2.2; contract, sync 12).
 */
export const mergeTagSettings = (
  change: TagSettingsChange,
  settings: TagSettings = defaultTagSettings,
): TagSettings => {
  const color = change.color ?? settings.color
  const todo = change.todo ?? settings.todo
  return {
    favorite: change.favorite ?? settings.favorite,
    color: color === false ? false : color.toLowerCase(),
    todo: todo === true ? 'strike' : todo,
  }
}

/**
 * Applies what a sync request uploads: new things, changes, deletions, tag settings, in this order (interface 4.3;
 * contract, sync 7 to 12). `session` is the id of the session that uploads.
 * @throws ApiError `localIdTwice` when two new things share a local id; the draft is of no use then
 */
export const applyUpload = async (
  draft: Draft,
  upload: Upload,
  session: string,
  environment: Environment,
): Promise<UploadOutcome> => {
  const positionBefore = draft.position()
  const assigned = new Map<string, string>()
  const changedIds = new Set<string>()
  const deletedIds = new Set<string>()
  const goneIds = new Set<string>()
  const tags = new Map<string, TagSettings>()

  const memory = await findUploadHistory(draft, session, upload)
  for (const { localId: givenId, fields } of upload.newThings) {
    const localId = String(givenId)
    if (assigned.has(localId)) throw new ApiError('localIdTwice', { parameter: `new_thing[${assigned.size}].local_id` })
    const earlierId = memory === undefined ? undefined : await memory.findRetried(localId, fields)
    const id = earlierId ?? environment.newId()
    const thing = earlierId === undefined ? blankThing(id, environment.now()) : await draft.findThing(id)
    assigned.set(localId, id)
    if (thing === undefined) {
      goneIds.add(id)
      continue
    }
    await draft.putThing(mergeUploadedFields(thing, fields))
    if (memory !== undefined && earlierId === undefined) await memory.remember(localId, fields, id)
  }

  for (const { id, fields } of upload.changedThings) {
    const thing = await draft.findThing(id)
    if (thing === undefined) {
      goneIds.add(id)
      continue
    }
    await draft.putThing(mergeUploadedFields(thing, fields))
    changedIds.add(id)
  }

  for (const id of upload.deletedThings) {
    await draft.deleteThing(id)
    deletedIds.add(id)
  }

  for (const [name, change] of upload.tags) {
    const settings = mergeTagSettings(change, await draft.findTag(name))
    await draft.putTag(name, settings)
    tags.set(name, settings)
  }

  return {
    positionBefore,
    positionAfter: draft.position(),
    assigned,
    changedIds,
    deletedIds,
    goneIds,
    tags,
  }
}

/** The kind of the records below. */
export const uploadRecords = 'upload'

/**
 * Remembers which new things one session uploaded with one `from` (contract, sync 7). Kept in records of the account, so
 * it is as durable as the things: under the session the remembered `from`s, under the session with a `from` one record
 * per thing, named by its id.
 */
interface UploadHistory {
  /** The id of the thing of which this is a retry, and notes what it says now. */
  readonly findRetried: (localId: string, fields: ThingFields) => Promise<string | undefined>
  readonly remember: (localId: string, fields: ThingFields, id: string) => Promise<void>
}

interface Remembered {
  readonly id: string
  readonly localId: string
  /** Undefined in records of the versions that took everything for a retry. */
  readonly marks: UploadFingerprint | undefined
}

const recordKind = uploadRecords
const groupOf = (session: string, from: string) => `${session} ${from}`

/** True when this `from` says that the session has had the answers to uploads that are still remembered. */
export const hasConfirmedUploads = async (view: View, session: string, from: number): Promise<boolean> => {
  for (const earlier of (await view.listRecords(recordKind, session)).keys()) if (Number(earlier) < from) return true
  return false
}

/** Forgets what the session uploaded with an earlier `from`; gives the `from`s that are still remembered. */
export const forgetConfirmedUploads = async (
  draft: Draft,
  session: string,
  from: number | undefined,
): Promise<ReadonlySet<string>> => {
  const remembered = new Set((await draft.listRecords(recordKind, session)).keys())
  for (const earlier of remembered) {
    if (from === undefined || Number(earlier) >= from) continue
    remembered.delete(earlier)
    await draft.deleteRecords(recordKind, groupOf(session, earlier))
    await draft.deleteRecord(recordKind, session, earlier)
  }
  return remembered
}

/**
 * Finds what the session has uploaded with the `from` of this upload before, and forgets what it has seen the answer of:
 * uploads with an earlier `from`, and things that it names by their `_id` now. Undefined when the upload has no `from`:
 * then nothing in it is a retry.
 */
const findUploadHistory = async (draft: Draft, session: string, upload: Upload): Promise<UploadHistory | undefined> => {
  const { from } = upload
  const remembered = await forgetConfirmedUploads(draft, session, from)
  if (remembered.size > 0) await forgetEach(draft, session, remembered, () => listNamed(upload))
  if (from === undefined) return undefined

  const group = groupOf(session, String(from))
  let isListed = remembered.has(String(from))
  const earlier = isListed ? await findEarlier(draft, group, upload) : new Map<string, Remembered[]>()
  const put = (id: string, localId: string, marks: UploadFingerprint) =>
    draft.putRecord(recordKind, group, id, toRecord(localId, marks))

  return {
    findRetried: async (localId, fields) => {
      const marks = fingerprintUpload(fields)
      const retried = findBestMatch(earlier.get(localId) ?? [], marks)
      if (retried?.marks === undefined) return retried?.id
      const joined = mergeFingerprints(retried.marks, marks)
      if (joined !== retried.marks) await put(retried.id, localId, joined)
      return retried.id
    },
    remember: async (localId, fields, id) => {
      if (!isListed) await draft.putRecord(recordKind, session, String(from), true)
      isListed = true
      await put(id, localId, fingerprintUpload(fields))
    },
  }
}

/** Forgets that the session uploaded a thing which it names by its `_id`: then it has seen the answer to that. */
export const forgetNamedUpload = async (draft: Draft, session: string, id: string): Promise<void> =>
  forgetEach(draft, session, new Set((await draft.listRecords(recordKind, session)).keys()), () => [id])

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
      if ((await draft.findRecord(recordKind, group, id)) !== undefined) await draft.deleteRecord(recordKind, group, id)
    }
  }
}

/** What is remembered under the local ids of this upload: a client may have used one for several things. */
const findEarlier = async (draft: Draft, group: string, { newThings }: Upload): Promise<Map<string, Remembered[]>> => {
  const earlier = new Map<string, Remembered[]>()
  for (const { localId } of newThings) earlier.set(String(localId), [])
  for (const [key, value] of await draft.listRecords(recordKind, group)) {
    const remembered = readRecord(key, value)
    earlier.get(remembered.localId)?.push(remembered)
  }
  return earlier
}

/** The latest of those that the upload has most in common with. */
const findBestMatch = (earlier: readonly Remembered[], marks: UploadFingerprint): Remembered | undefined => {
  let found: Remembered | undefined
  let max = 1
  for (const remembered of earlier) {
    const common = remembered.marks === undefined ? max : countCommonParts(marks, remembered.marks)
    if (common < max) continue
    found = remembered
    max = common
  }
  return found
}

const toRecord = (localId: string, { dates, urls, titles }: UploadFingerprint): Json => [localId, dates, urls, titles]

// Only this file writes these records, so they hold what was put in.
const readRecord = (key: string, value: Json): Remembered => {
  if (typeof value === 'string') return { id: value, localId: key, marks: undefined }
  const [localId, dates, urls, titles] = value as [string, number[], string[], string[]]
  return { id: key, localId, marks: { dates, urls, titles } }
}

/** What uploads of one thing said of it, each once: a retry says at least one of these again (contract, sync 7). */
interface UploadFingerprint {
  readonly dates: readonly number[]
  readonly urls: readonly string[]
  readonly titles: readonly string[]
}

/** A longer text is remembered as its hash, which no shorter text can be taken for. */
const maxPlainCharacters = 40
/** A thing may be sent again with other words any number of times. */
const maxOfEach = 100

const fingerprintText = (text: string): string =>
  text.length > maxPlainCharacters ? `#${hashText(text).padEnd(maxPlainCharacters, '#')}` : text

/** FNV-1a twice: 64 bits and the length tell apart a user's own texts, which is all that they are compared with. */
const hashText = (text: string): string => {
  let [one, two] = [0x811c9dc5, 0x1000193]
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    one = Math.imul(one ^ code, 0x01000193)
    two = Math.imul(two ^ (code + index), 0x85ebca6b)
  }
  return [text.length, one >>> 0, two >>> 0].map((part) => part.toString(36)).join('-')
}

/** What the fields of one upload say; a date or a url that was not given says nothing. */
export const fingerprintUpload = ({ date, url, title }: ThingFields): UploadFingerprint => ({
  dates: date == null ? [] : [date],
  urls: url ? [fingerprintText(url)] : [],
  titles: title == null ? [] : [fingerprintText(title)],
})

const names = ['dates', 'urls', 'titles'] as const

const hasCommon = (some: readonly unknown[], others: readonly unknown[]): boolean =>
  some.some((one) => others.includes(one))

/** How many of title, url and date are among what earlier uploads of a thing said; 0 means another thing. */
const countCommonParts = (marks: UploadFingerprint, earlier: UploadFingerprint): number =>
  names.filter((name) => hasCommon(marks[name], earlier[name])).length

const mergeParts = <T>(earlier: readonly T[], more: readonly T[]): readonly T[] =>
  [...new Set([...earlier, ...more])].slice(-maxOfEach)

/** The marks of both; the same object as `earlier` when the upload says nothing new. */
const mergeFingerprints = (earlier: UploadFingerprint, marks: UploadFingerprint): UploadFingerprint =>
  names.every((name) => marks[name].length === 0 || hasCommon(marks[name], earlier[name]))
    ? earlier
    : {
        dates: mergeParts(earlier.dates, marks.dates),
        urls: mergeParts(earlier.urls, marks.urls),
        titles: mergeParts(earlier.titles, marks.titles),
      }
