import type { TagSettings } from '../store/model.ts'
import type { ThingFields } from './thing-fields.ts'

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
