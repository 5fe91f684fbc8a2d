import { thingFields } from '../../generated/thing-fields.ts'
import type { TagSettings } from '../../generated/types.ts'

/**
 * Types over the table of a thing's fields (interface 2.1), which is made from `openapi.yaml`: what the replica keeps, shows
 * and takes is derived from it, so that a new field of the document is in all of them.
 */

type Table = typeof thingFields
type Kinds = { readonly text: string; readonly number: number; readonly integer: number; readonly flag: boolean }

/** The name of a field of a thing beside its id. */
type FieldName = keyof Table

/** The type of a field's value. */
type FieldValue<Name extends FieldName> = Kinds[Table[Name]['kind']]

/** Fields that a thing need not have. */
type OptionalField = {
  [Name in FieldName]: Table[Name]['presence'] extends 'notEmpty' | 'set' ? Name : never
}[FieldName]

/** Fields that null or `''` clears. */
type ClearableField =
  | 'tags'
  | { [Name in FieldName]: Table[Name]['presence'] extends 'notEmpty' ? Name : never }[FieldName]

const rows = Object.entries(thingFields) as readonly (readonly [FieldName, { kind: string; presence: string }])[]

/** The names of all fields, in the order of the returned form. */
export const fieldNames = rows.map(([name]) => name)

/** The kinds of value of each field, as words for people; `null` where it clears the field. */
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
 * The optional fields after a change: what `fields` does not say is as in `thing`, and what null or `''` clears is left out.
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
 * Fields of a thing that a replica is told to set (interface 2.1); `date`, the time of creation, is Unix time in seconds.
 * Null or `''` clears `url`, `html` and `tags`: this is the replica's word, and what it sends is `''`.
 */
export type ReplicaFields = {
  readonly [Name in FieldName]?: Name extends ClearableField ? FieldValue<Name> | null : FieldValue<Name>
}

/** The fields that people type; the others are switches, whose last state nobody misses. */
export const typedFields = ['title', 'tags', 'url', 'html'] as const satisfies readonly FieldName[]

/** The name of a field that people type. */
export type TypedField = (typeof typedFields)[number]

/** Settings of a tag that a replica is told to set (interface 2.2); what is left out stays. */
export interface ReplicaTagFields {
  readonly favorite?: boolean
  /** `#rgb`, `#rrggbb` or false for none. */
  readonly color?: string | false
  readonly todo?: boolean | 'strike' | 'dont-strike'
}

/** One edit among several that are made together. */
export type ReplicaEdit =
  | {
      readonly kind: 'create'
      readonly fields: ReplicaFields & { readonly title: string }
      /** From `createLocalId`, and used once, for a program that must know the id beforehand; made when it is left out. */
      readonly localId?: string
    }
  | { readonly kind: 'change'; readonly id: string; readonly fields: ReplicaFields }
  | { readonly kind: 'remove'; readonly id: string }
  | { readonly kind: 'tag'; readonly name: string; readonly change: ReplicaTagFields }

/** What a thing says, without what the replica notes about it. */
export type ThingContent = { readonly [Name in Exclude<FieldName, OptionalField>]: FieldValue<Name> } & {
  readonly [Name in OptionalField]?: FieldValue<Name>
}

/** A thing as the replica shows it, with everything applied that still waits to be sent. */
export interface ReplicaThing extends Omit<ThingContent, 'todoStatus'> {
  /** The `_id`, or the local id as long as the server has not given one. */
  readonly id: string
  /** Completion; there only while one of the tags makes the thing a todo. */
  readonly todoStatus?: boolean
  /** True while a creation or change of this thing waits for the server. */
  readonly isPending: boolean
}

/** What the server is known to have of a thing. */
export interface KnownThing extends ThingContent {
  /** Names the answer that told of it last. */
  readonly seenIn: string
  /** The replica's position when the thing became known. */
  readonly knownAfter: number
  /** The typed fields whose text was sent from here. */
  readonly own?: readonly TypedField[]
}

/** Something to tell the server of one thing, under its `_id` or local id. */
export type ThingEdit =
  | { readonly kind: 'new'; readonly fields: ReplicaFields & { readonly title: string } }
  | {
      readonly kind: 'change'
      readonly fields: ReplicaFields
      /** Which of the fields were typed here; the rest is said because the interface demands it. All, if left out. */
      readonly typed?: readonly TypedField[]
    }
  | { readonly kind: 'delete' }

/** Where a replica stands. */
export interface ReplicaState {
  /** The form of the records, for later versions. */
  readonly version: 1
  readonly position: number
  /** True when the next listing must be a full one. */
  readonly mustListAll: boolean
  /**
   * True when the server may have lost things with a backup: of what the next full listing does not show, this may be the last
   * copy.
   */
  readonly hasLastCopies?: boolean
  /**
   * True when things from behind the position are kept: a listing broke off. One that was created and deleted since is
   * in no later listing (contract, sync 3), so what the next one does not show is gone.
   */
  readonly isAhead?: boolean
  /** Names the session in which what is `sending` was sent last. */
  readonly sentIn?: string
  /** A full listing that was begun and has not ended. */
  readonly listing?: OpenListing
}

/** How far a full listing has come; it goes on from there as long as the server has its snapshot (contract, sync 6). */
export interface OpenListing {
  /** Things that it told of have it as `seenIn`. */
  readonly name: string
  /** The position of all its pages. */
  readonly position: number
  /** How many of what it lists are in the store. */
  readonly listed: number
  /** Whether the store had nothing when it began. */
  readonly isBlank: boolean
}

/** Where a replica stands that has never synchronised. */
export const initialState: ReplicaState = { version: 1, position: 0, mustListAll: true }

/** Keys of a local store: what is kept under each is typed above; tags are kept as TagSettings. */
export const keys = {
  state: 'state',
  thing: (id: string) => `thing/${id}`,
  tag: (name: string) => `tag/${name}`,
  /** From a local id to the `_id` that the server gave. */
  givenId: (localId: string) => `id/${localId}`,
  /** An edit of a thing that is gone, as a LostEdit. */
  lost: (id: string) => `lost/${id}`,
  /** The newest things, as NewestThings. */
  newest: 'newest',
  /** What was replaced of a thing, as a list of ThingVersion. */
  versions: (id: string) => `versions/${id}`,
}

/** What waits to be sent (`queued`) or was perhaps sent already (`sending`), by id and by tag name. */
export type Stage = 'queued' | 'sending'

/** The key of an edit of a thing or a tag. */
export const editKey = (stage: Stage, of: 'thing' | 'tag', name: string): string => `${stage}/${of}/${name}`

/** The thing after these fields (contract, sync 8): what they do not say stays. */
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

/** The fields of an edit that were typed here. */
export const typedIn = (edit: ThingEdit): readonly TypedField[] =>
  edit.kind === 'delete'
    ? []
    : typedFields.filter((name) =>
        edit.kind === 'new'
          ? Boolean(edit.fields[name])
          : (edit.typed?.includes(name) ?? edit.fields[name] !== undefined),
      )

/** A thing about which nothing was said yet. */
export const blankThing: ThingContent = {
  title: '',
  tags: '',
  date: 0,
  archived: false,
  todoStatus: false,
}

const blankTag: TagSettings = { favorite: false, color: false, todo: false }

/** The settings after a change; what it does not say stays, `todo: true` is kept as `strike` (contract, sync 12). */
export const applyTagChange = (settings: TagSettings = blankTag, change: ReplicaTagFields = {}): TagSettings => {
  const { favorite = settings.favorite, color = settings.color, todo = settings.todo } = change
  return { favorite, color, todo: todo === true ? 'strike' : todo }
}

/** One edit for two that were made after each other; undefined when nothing is left to tell. */
export const joinEdits = (first: ThingEdit | undefined, second: ThingEdit): ThingEdit | undefined => {
  if (first === undefined || first.kind === 'delete') return first ?? second
  if (second.kind === 'delete') return first.kind === 'new' ? undefined : second
  const fields = { ...first.fields, ...second.fields }
  return first.kind === 'new'
    ? { kind: 'new', fields: { ...fields, title: fields.title ?? first.fields.title } }
    : { kind: 'change', fields }
}
