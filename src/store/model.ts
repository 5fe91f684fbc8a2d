/**
 * The values that a store stores: things, settings of tags, positions. This file imports only the table of a thing's
 * fields, so that every module of the store can import it.
 */
import type { FieldName, FieldValue, OptionalField } from '../thing-table.ts'

/**
 * The maximum position of an account. It is the largest number of 15 digits: the store's files have no longer numbers.
 * Between it and 2^53 there is room for a restore, which raises positions, and for a client that adds to them.
 */
export const maxPosition = 10 ** 15 - 1

/** The maximum position that a restore or a copy accepts: half of the maximum position. */
export const maxRestoredPosition = (maxPosition - 1) / 2

type ThingContent = { readonly [Name in Exclude<FieldName, OptionalField>]: FieldValue<Name> } & {
  readonly [Name in OptionalField]?: FieldValue<Name>
}

/**
 * A thing as it is stored (interface 2.1). `date` is Unix time in seconds. `todoStatus`, the completion of the todo, is
 * shown only while one of the tags has a `todo` setting.
 */
export interface Thing extends ThingContent {
  readonly id: string
}

/** A thing with the positions of its changes. */
export interface StoredThing extends Thing {
  /** Position of the last change. */
  readonly position: number
  /** Position of the creation. */
  readonly createdPosition: number
  /** The id of the session that made the last change. */
  readonly writer: string
  /** Position of the last change by a session other than `writer`; 0 when there is none. */
  readonly othersPosition: number
}

/** Settings of one tag (interface 2.2). */
export interface TagSettings {
  readonly favorite: boolean
  /** `#rgb` or `#rrggbb`, or false for none. */
  readonly color: string | false
  readonly todo: 'strike' | 'dont-strike' | false
}

/** Any value that JSON can hold. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }
