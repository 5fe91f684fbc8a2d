import { thingFields } from '../../generated/thing-fields.ts'
import type { TagSettings } from '../../generated/types.ts'

/**
 * Types over the table of the fields of a thing (interface 2.1), which is generated from `openapi.yaml`. The types for
 * storing, showing and editing things are derived from it, so that a new field of the document is in all of them.
 */

type Table = typeof thingFields
type Kinds = { readonly text: string; readonly number: number; readonly integer: number; readonly flag: boolean }

/** The name of a field of a thing beside its id. */
type FieldName = keyof Table

/** The type of a field's value. */
type FieldValue<Name extends FieldName> = Kinds[Table[Name]['kind']]

/** The optional fields of a thing. */
type OptionalField = {
  [Name in FieldName]: Table[Name]['presence'] extends 'notEmpty' | 'set' ? Name : never
}[FieldName]

/** Fields that null or `''` clears. */
type ClearableField =
  | 'tags'
  | { [Name in FieldName]: Table[Name]['presence'] extends 'notEmpty' ? Name : never }[FieldName]

const rows = Object.entries(thingFields) as readonly (readonly [FieldName, { kind: string; presence: string }])[]

/** The names of all fields, in the order in which the server returns them. */
export const fieldNames = rows.map(([name]) => name)

/** The kinds of value of each field, as words for error messages; with `null` where null clears the field. */
export const fieldKinds: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  rows.map(([name, { kind, presence }]) => {
    const word = kind === 'flag' ? 'boolean' : kind === 'integer' ? 'number' : kind
    return [name, presence === 'notEmpty' || name === 'tags' ? [word, 'null'] : [word]]
  }),
)

const optionalFields = rows.flatMap(([name, { presence }]) =>
  presence === 'notEmpty' || presence === 'set' ? [name as OptionalField] : [],
)

type OptionalValues = { readonly [Name in OptionalField]?: FieldValue<Name> }

/**
 * Merges optional fields: a field that `fields` does not set stays as in `thing`, and null or `''` removes a field.
 */
export const mergeOptionalFields = (
  thing: OptionalValues,
  fields: { readonly [Name in OptionalField]?: FieldValue<Name> | null } = {},
): OptionalValues => {
  const merged: Record<string, unknown> = {}
  for (const name of optionalFields) {
    const value = fields[name] === undefined ? thing[name] : fields[name]
    if (value !== undefined && value !== null && value !== '') merged[name] = value
  }
  return merged
}

/**
 * Fields of a thing to set in a replica (interface 2.1); `date`, the time of creation, is Unix time in seconds. Null or
 * `''` clears `url`, `html` and `tags`; the replica sends `''` for both.
 */
export type ReplicaFields = {
  readonly [Name in FieldName]?: Name extends ClearableField ? FieldValue<Name> | null : FieldValue<Name>
}

/** The fields that users type; the others are switches, for which no versions are kept. */
export const typedFields = ['title', 'tags', 'url', 'html'] as const satisfies readonly FieldName[]

/** The name of a field that users type. */
export type TypedField = (typeof typedFields)[number]

/** Settings of a tag to set in a replica (interface 2.2); settings that are left out stay. */
export interface ReplicaTagFields {
  readonly favorite?: boolean
  /** `#rgb`, `#rrggbb` or false for none. */
  readonly color?: string | false
  readonly todo?: boolean | 'strike' | 'dont-strike'
}

/** One of several edits for `editAll`. */
export type ReplicaEdit =
  | {
      readonly kind: 'create'
      readonly fields: ReplicaFields & { readonly title: string }
      /**
       * A new ID from `createLocalId`, for a program that must know it beforehand; created by the replica by default.
       */
      readonly localId?: string
    }
  | { readonly kind: 'change'; readonly id: string; readonly fields: ReplicaFields }
  | { readonly kind: 'remove'; readonly id: string }
  | { readonly kind: 'tag'; readonly name: string; readonly change: ReplicaTagFields }

/** The content of a thing, without the records of the replica. */
export type ThingContent = { readonly [Name in Exclude<FieldName, OptionalField>]: FieldValue<Name> } & {
  readonly [Name in OptionalField]?: FieldValue<Name>
}

/** A thing as the replica shows it, with all waiting edits applied. */
export interface ReplicaThing extends Omit<ThingContent, 'todoStatus'> {
  /** The `_id`, or the client-assigned ID until the server has assigned an `_id`. */
  readonly id: string
  /** Completion; present only while one of the tags makes the thing a to-do. */
  readonly todoStatus?: boolean
  /** True while a creation or change of this thing waits for the server. */
  readonly isPending: boolean
}

/** The last known state of a thing on the server. */
export interface KnownThing extends ThingContent {
  /** The name of the response that listed it last. */
  readonly seenIn: string
  /** The replica's position when the thing became known. */
  readonly knownAfter: number
  /** The typed fields whose text this device has sent. */
  readonly own?: readonly TypedField[]
}

/** An edit of one thing for the server, under its `_id` or client-assigned ID. */
export type ThingEdit =
  | { readonly kind: 'new'; readonly fields: ReplicaFields & { readonly title: string } }
  | {
      readonly kind: 'change'
      readonly fields: ReplicaFields
      /** The fields that were typed on this device; the interface requires the others. Undefined: all of them. */
      readonly typed?: readonly TypedField[]
    }
  | { readonly kind: 'delete' }

/** The sync state of a replica. */
export interface ReplicaState {
  /** The version of the record format. */
  readonly version: 1
  readonly position: number
  /** True when the next sync must be a full sync. */
  readonly mustListAll: boolean
  /**
   * True when the server may have been restored from a backup: of things that the next full sync does not list, this
   * replica may have the last copy.
   */
  readonly hasLastCopies?: boolean
  /**
   * True after a listing broke off: the store may have things that are newer than the position. A thing that was
   * created and deleted since the position is in no later listing (contract, sync 3). So a newer thing that the next
   * listing does not show is deleted.
   */
  readonly isAhead?: boolean
  /** The name of the session that sent the `sending` edits last. */
  readonly sentIn?: string
  /** A full sync that has begun and not ended. */
  readonly listing?: OpenListing
}

/** The progress of a full sync; it resumes there as long as the server keeps its snapshot (contract, sync 6). */
export interface OpenListing {
  /** The name of the listing; its things have it as `seenIn`. */
  readonly name: string
  /** The position of all its pages. */
  readonly position: number
  /** Number of listed things and deleted ids that are in the store. */
  readonly listed: number
  /** Whether the store was empty when it began. */
  readonly isBlank: boolean
}

/** The state of a replica before its first sync. */
export const initialState: ReplicaState = { version: 1, position: 0, mustListAll: true }

/** The keys of a local store. Their values have the types above; the values of tags are TagSettings. */
export const keys = {
  state: 'state',
  thing: (id: string) => `thing/${id}`,
  tag: (name: string) => `tag/${name}`,
  /** The `_id` that the server assigned to a client-assigned ID. */
  givenId: (localId: string) => `id/${localId}`,
  /** A lost edit, as a LostEdit. */
  lost: (id: string) => `lost/${id}`,
  /** The newest things, as NewestThings. */
  newest: 'newest',
  /** The versions of a thing, as a list of ThingVersion. */
  versions: (id: string) => `versions/${id}`,
}

/** The stage of an edit: it waits to be sent (`queued`), or was perhaps sent already (`sending`). */
export type Stage = 'queued' | 'sending'

/** Returns the key of an edit of a thing or a tag. */
export const editKey = (stage: Stage, of: 'thing' | 'tag', name: string): string => `${stage}/${of}/${name}`

/** Applies fields to a thing (contract, sync 8): fields that are left out stay. */
export const applyFields = (thing: ThingContent, fields: ReplicaFields): ThingContent => {
  return {
    ...mergeOptionalFields(thing, fields),
    title: fields.title ?? thing.title,
    tags: fields.tags === undefined ? thing.tags : (fields.tags ?? ''),
    date: fields.date ?? thing.date,
    archived: fields.archived ?? thing.archived,
    todoStatus: fields.todoStatus ?? thing.todoStatus,
  }
}

/** Lists the fields of an edit that were typed on this device. */
export const typedIn = (edit: ThingEdit): readonly TypedField[] =>
  edit.kind === 'delete'
    ? []
    : typedFields.filter((name) =>
        edit.kind === 'new'
          ? Boolean(edit.fields[name])
          : (edit.typed?.includes(name) ?? edit.fields[name] !== undefined),
      )

/** A thing with empty fields. */
export const createBlankThing: ThingContent = {
  title: '',
  tags: '',
  date: 0,
  archived: false,
  todoStatus: false,
}

const blankTag: TagSettings = { favorite: false, color: false, todo: false }

/**
 * Applies a change to tag settings. Settings that are left out stay, `todo: true` becomes `strike` (contract, sync 12).
 */
export const applyTagChange = (settings: TagSettings = blankTag, change: ReplicaTagFields = {}): TagSettings => {
  const { favorite = settings.favorite, color = settings.color, todo = settings.todo } = change
  return { favorite, color, todo: todo === true ? 'strike' : todo }
}

/** Joins two consecutive edits into one; undefined when nothing is left to send. */
export const joinEdits = (first: ThingEdit | undefined, second: ThingEdit): ThingEdit | undefined => {
  if (first === undefined || first.kind === 'delete') return first ?? second
  if (second.kind === 'delete') return first.kind === 'new' ? undefined : second
  const fields = { ...first.fields, ...second.fields }
  return first.kind === 'new'
    ? { kind: 'new', fields: { ...fields, title: fields.title ?? first.fields.title } }
    : { kind: 'change', fields }
}
