import { ApiError } from '../api-error.ts'
import type { Environment } from '../environment.ts'
import type { Json, TagSettings } from '../store/model.ts'
import type { Draft, View } from '../store/store.ts'
import { createBlankThing, mergeUploadedFields, type ThingFields } from './thing.ts'

/** A `new_thing` (interface 2.1). The client-assigned IDs 1 and `"1"` are the same. */
export interface NewThing {
  readonly localId: string | number
  readonly fields: TitledFields
}

/** A `changed_thing` (interface 2.1). */
export interface ChangedThing {
  readonly id: string
  readonly fields: TitledFields
}

/** Fields with at least a title. */
export interface TitledFields extends ThingFields {
  readonly title: string
}

/** A `tag[<name>]` (interface 2.2). Absent or null settings stay; `todo: true` means "strike" (contract, sync 12). */
export interface TagSettingsChange {
  readonly favorite?: boolean | null
  /** `#rgb`, `#rrggbb`, in any letter case, or false for none. */
  readonly color?: string | false | null
  readonly todo?: boolean | 'strike' | 'dont-strike' | null
}

/** The decoded upload of a sync request (interface 4.3). */
export interface Upload {
  readonly newThings: Iterable<NewThing>
  readonly changedThings: Iterable<ChangedThing>
  /** Ids. */
  readonly deletedThings: readonly string[]
  /** By tag name. */
  readonly tags: ReadonlyMap<string, TagSettingsChange>
  /** The `from` of the request, if the client has sent it (contract, sync 7). */
  readonly from?: number
}

/** The outcome of an upload. */
export interface UploadOutcome {
  /** The account's position before the upload. */
  readonly positionBefore: number
  /** The account's position directly after the upload. */
  readonly positionAfter: number
  /** The id of each new thing, by its client-assigned ID as text. */
  readonly assigned: ReadonlyMap<string, string>
  /** Ids of the things that were changed. */
  readonly changedIds: ReadonlySet<string>
  /** Ids that the upload requested to delete. */
  readonly deletedIds: ReadonlySet<string>
  /** Ids of uploaded things that no longer exist: deletion wins (contract, sync 8). */
  readonly missingIds: ReadonlySet<string>
  /** All settings of each tag in the upload. */
  readonly tags: ReadonlyMap<string, TagSettings>
}

/** The settings of a tag that no client has set. */
export const defaultTagSettings: TagSettings = { favorite: false, color: false, todo: false }

/**
 * Merges a change into the settings of a tag; absent or null settings stay. Colors are stored in lower case (interface
 * 2.2; contract, sync 12).
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
 * Applies the upload of a sync request: new things, changes, deletions, tag settings, in this order (interface 4.3;
 * contract, sync 7 to 12). `session` is the id of the uploading session.
 * @throws ApiError `localIdTwice` when two new things share a client-assigned ID; then the draft must be discarded
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
  const missingIds = new Set<string>()
  const tags = new Map<string, TagSettings>()

  const history = await findUploadHistory(draft, session, upload)
  for (const { localId: givenId, fields } of upload.newThings) {
    const localId = String(givenId)
    if (assigned.has(localId)) throw new ApiError('localIdTwice', { parameter: `new_thing[${assigned.size}].local_id` })
    const earlierId = history === undefined ? undefined : await history.findRetried(localId, fields)
    const id = earlierId ?? environment.newId()
    const thing = earlierId === undefined ? createBlankThing(id, environment.now()) : await draft.findThing(id)
    assigned.set(localId, id)
    if (thing === undefined) {
      missingIds.add(id)
      continue
    }
    await draft.putThing(mergeUploadedFields(thing, fields))
    if (history !== undefined && earlierId === undefined) await history.remember(localId, fields, id)
  }

  for (const { id, fields } of upload.changedThings) {
    const thing = await draft.findThing(id)
    if (thing === undefined) {
      missingIds.add(id)
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
    missingIds,
    tags,
  }
}

/** The kind of the records of the upload history. */
export const uploadRecords = 'upload'

/**
 * The history of new things that a session uploaded with the same `from`, for safe retries (contract, sync 7). Records
 * of the account hold it, so it is as durable as the things. The group of the session holds the remembered `from`s; the
 * group of session and `from` holds a record for each thing, under its id.
 */
interface UploadHistory {
  /** Finds the id of the thing that this upload repeats, and adds the upload to its fingerprint. */
  readonly findRetried: (localId: string, fields: ThingFields) => Promise<string | undefined>
  /** Adds a new thing to the history. */
  readonly remember: (localId: string, fields: ThingFields, id: string) => Promise<void>
}

interface RememberedThing {
  readonly id: string
  readonly localId: string
  /** Undefined in records without a fingerprint, which match any upload. */
  readonly fingerprint: UploadFingerprint | undefined
}

const recordKind = uploadRecords
const groupOf = (session: string, from: string) => `${session} ${from}`

/** True when this `from` confirms that the session has received the responses to uploads that are still remembered. */
export const hasConfirmedUploads = async (view: View, session: string, from: number): Promise<boolean> => {
  for (const earlier of (await view.listRecords(recordKind, session)).keys()) if (Number(earlier) < from) return true
  return false
}

/** Forgets the uploads of the session with an earlier `from`; returns the `from`s that are still remembered. */
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
 * Finds the earlier uploads of the session with the `from` of this upload. It forgets uploads whose responses the
 * session has received: those with an earlier `from`, and things that the session names by their `_id` now. Undefined
 * when the upload has no `from`: then no part of it is a retry.
 */
const findUploadHistory = async (draft: Draft, session: string, upload: Upload): Promise<UploadHistory | undefined> => {
  const { from } = upload
  const remembered = await forgetConfirmedUploads(draft, session, from)
  if (remembered.size > 0) await forgetEach(draft, session, remembered, () => listNamed(upload))
  if (from === undefined) return undefined

  const group = groupOf(session, String(from))
  let isListed = remembered.has(String(from))
  const earlier = isListed ? await findEarlier(draft, group, upload) : new Map<string, RememberedThing[]>()
  const put = (id: string, localId: string, fingerprint: UploadFingerprint) =>
    draft.putRecord(recordKind, group, id, toRecord(localId, fingerprint))

  return {
    findRetried: async (localId, fields) => {
      const fingerprint = fingerprintUpload(fields)
      const retried = findBestMatch(earlier.get(localId) ?? [], fingerprint)
      if (retried?.fingerprint === undefined) return retried?.id
      const merged = mergeFingerprints(retried.fingerprint, fingerprint)
      if (merged !== retried.fingerprint) await put(retried.id, localId, merged)
      return retried.id
    },
    remember: async (localId, fields, id) => {
      if (!isListed) await draft.putRecord(recordKind, session, String(from), true)
      isListed = true
      await put(id, localId, fingerprintUpload(fields))
    },
  }
}

/** Forgets the upload of a thing that the session names by its `_id`: the session has received that response. */
export const forgetNamedUpload = async (draft: Draft, session: string, id: string): Promise<void> =>
  forgetEach(draft, session, new Set((await draft.listRecords(recordKind, session)).keys()), () => [id])

// Not a set: an upload may name a hundred thousand ids.
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

/** Finds remembered things by the client-assigned IDs of this upload. A client may have used an ID several times. */
const findEarlier = async (
  draft: Draft,
  group: string,
  { newThings }: Upload,
): Promise<Map<string, RememberedThing[]>> => {
  const earlier = new Map<string, RememberedThing[]>()
  for (const { localId } of newThings) earlier.set(String(localId), [])
  for (const [key, value] of await draft.listRecords(recordKind, group)) {
    const remembered = parseRecord(key, value)
    earlier.get(remembered.localId)?.push(remembered)
  }
  return earlier
}

/** Finds the remembered thing that has most parts in common with the upload; of several the latest. */
const findBestMatch = (
  earlier: readonly RememberedThing[],
  fingerprint: UploadFingerprint,
): RememberedThing | undefined => {
  let found: RememberedThing | undefined
  let max = 1
  for (const remembered of earlier) {
    const common = remembered.fingerprint === undefined ? max : countCommonParts(fingerprint, remembered.fingerprint)
    if (common < max) continue
    found = remembered
    max = common
  }
  return found
}

const toRecord = (localId: string, { dates, urls, titles }: UploadFingerprint): Json => [localId, dates, urls, titles]

// The cast is safe: only this file writes these records.
const parseRecord = (key: string, value: Json): RememberedThing => {
  if (typeof value === 'string') return { id: value, localId: key, fingerprint: undefined }
  const [localId, dates, urls, titles] = value as [string, number[], string[], string[]]
  return { id: key, localId, fingerprint: { dates, urls, titles } }
}

/** The values in uploads of a thing, each once. A retry repeats at least one of them (contract, sync 7). */
interface UploadFingerprint {
  readonly dates: readonly number[]
  readonly urls: readonly string[]
  readonly titles: readonly string[]
}

/** A longer text is stored as its hash, which cannot be confused with a shorter text. */
const maxPlainCharacters = 40
/** Limits the values of a fingerprint, because a client may send a thing with new texts any number of times. */
const maxValuesOfPart = 100

const fingerprintText = (text: string): string =>
  text.length > maxPlainCharacters ? `#${hashText(text).padEnd(maxPlainCharacters, '#')}` : text

/** Hashes with FNV-1a twice: 64 bits and the length are enough, because texts are compared within one user only. */
const hashText = (text: string): string => {
  let [one, two] = [0x811c9dc5, 0x1000193]
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    one = Math.imul(one ^ code, 0x01000193)
    two = Math.imul(two ^ (code + index), 0x85ebca6b)
  }
  return [text.length, one >>> 0, two >>> 0].map((part) => part.toString(36)).join('-')
}

/** Creates the fingerprint of one upload's fields. An absent date or url adds no value. */
export const fingerprintUpload = ({ date, url, title }: ThingFields): UploadFingerprint => ({
  dates: date == null ? [] : [date],
  urls: url ? [fingerprintText(url)] : [],
  titles: title == null ? [] : [fingerprintText(title)],
})

const partNames = ['dates', 'urls', 'titles'] as const

const hasCommon = (some: readonly unknown[], others: readonly unknown[]): boolean =>
  some.some((value) => others.includes(value))

/** Counts how many of title, url and date match earlier uploads of a thing; 0 means another thing. */
const countCommonParts = (fingerprint: UploadFingerprint, earlier: UploadFingerprint): number =>
  partNames.filter((name) => hasCommon(fingerprint[name], earlier[name])).length

const mergeParts = <T>(earlier: readonly T[], more: readonly T[]): readonly T[] =>
  [...new Set([...earlier, ...more])].slice(-maxValuesOfPart)

/** Merges two fingerprints; returns the same object `earlier` when the upload adds no value. */
const mergeFingerprints = (earlier: UploadFingerprint, later: UploadFingerprint): UploadFingerprint =>
  partNames.every((name) => later[name].length === 0 || hasCommon(later[name], earlier[name]))
    ? earlier
    : {
        dates: mergeParts(earlier.dates, later.dates),
        urls: mergeParts(earlier.urls, later.urls),
        titles: mergeParts(earlier.titles, later.titles),
      }
