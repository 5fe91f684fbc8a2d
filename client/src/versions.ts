import type { LocalStore } from './local-store.ts'
import type { Batch } from './pending-edits.ts'
import {
  applyFields,
  type KnownThing,
  keys,
  type ReplicaFields,
  type ThingContent,
  type TypedField,
  typedFields,
} from './replica-records.ts'

/** What was typed here, or would be replaced from here, and is not on the server any more. */
export interface ThingVersion {
  /** The `_id` that the thing has or had. */
  readonly id: string
  /** Names the version. */
  readonly name: string
  /** When it was replaced, in milliseconds since 1970. */
  readonly replacedAt: number
  /**
   * - `overwritten`: another device, or the server itself, has given the `fields` other values than were sent from here.
   * - `deleted`: the thing is gone, and not by this device: another one deleted it, or the server lost it with a backup.
   * - `replaced`: another device's text, which an edit that waits here is about to replace.
   * - `restored`: what was there when an earlier version was taken back.
   */
  readonly why: 'overwritten' | 'deleted' | 'replaced' | 'restored'
  /** The fields whose text is no longer there. */
  readonly fields: readonly TypedField[]
  /** The whole thing as it was; `create` makes it again from this. */
  readonly content: ReplicaFields & { readonly title: string }
}

/** How many versions of one thing are kept; the oldest give way. */
export const versionsPerThing = 10

/** How long a version is kept, in days. */
export const versionDays = 90

/** Writes versions together with what replaces them. */
export interface VersionKeeper {
  /** Adds a version of this thing to a batch. */
  readonly keep: (
    batch: Batch,
    id: string,
    version: Pick<ThingVersion, 'why' | 'fields'>,
    thing: ThingContent,
  ) => Promise<void>
  /** To be called when a batch was written. */
  readonly confirm: (batch: Batch) => void
  /** What another device has overwritten or deleted, and no result has told yet. */
  readonly takeUntold: () => readonly ThingVersion[]
}

/** A keeper of the versions in this store; `createName` gives a new name. */
export const createVersionKeeper = (store: LocalStore, now: () => number, createName: () => string): VersionKeeper => {
  const unwritten = new Map<string, ThingVersion>()
  let untold: ThingVersion[] = []
  return {
    keep: async (batch, id, { why, fields }, thing) => {
      const key = keys.versions(id)
      const older = batch.has(key) ? (batch.get(key) as ThingVersion[]) : await listVersions(store, id)
      const version = { id, name: createName(), replacedAt: now(), why, fields, content: contentOf(thing) }
      batch.set(key, [...older, version].slice(-versionsPerThing))
      if (why === 'overwritten' || why === 'deleted') unwritten.set(version.name, version)
    },
    confirm: (batch) => {
      for (const [key, value] of batch) {
        if (!key.startsWith(keys.versions('')) || value === undefined) continue
        for (const { name } of value as ThingVersion[]) {
          const version = unwritten.get(name)
          if (version !== undefined && unwritten.delete(name)) untold.push(version)
        }
      }
    },
    takeUntold: () => {
      const told = untold
      untold = []
      // What was not written belongs to answers that broke off, and comes again.
      unwritten.clear()
      return told
    },
  }
}

/** The versions that are kept of the thing with this `_id`, the latest last. */
export const listVersions = async (store: LocalStore, id: string): Promise<readonly ThingVersion[]> =>
  ((await store.get(keys.versions(id))) as ThingVersion[] | undefined) ?? []

/** All versions that another device has overwritten or deleted, the latest last. */
export const listOverwritten = async (store: LocalStore): Promise<readonly ThingVersion[]> => {
  const found: ThingVersion[] = []
  for await (const [, versions] of store.list(keys.versions(''))) {
    found.push(...(versions as ThingVersion[]).filter(({ why }) => why === 'overwritten' || why === 'deleted'))
  }
  return found.sort((one, other) => one.replacedAt - other.replacedAt)
}

/** What to write so that versions whose time is over are gone. */
export const forgetOldVersions = async (store: LocalStore, now: number): Promise<Batch> => {
  const batch: Batch = new Map()
  for await (const [key, value] of store.list(keys.versions(''))) {
    const versions = value as ThingVersion[]
    const kept = versions.filter(({ replacedAt }) => replacedAt > now - versionDays * 86_400_000)
    if (kept.length < versions.length) batch.set(key, kept.length > 0 ? kept : undefined)
  }
  return batch
}

/** The typed fields in which two things differ. */
export const findDifferences = (one: ThingContent, other: ThingContent): readonly TypedField[] =>
  typedFields.filter((name) => (one[name] ?? '') !== (other[name] ?? ''))

/** A thing without what the replica notes about it; a status that is not set says nothing. */
const contentOf = (thing: ThingContent): ThingVersion['content'] => {
  const { todoStatus, ...content } = applyFields(thing, {})
  return todoStatus ? { ...content, todoStatus } : content
}

/** What a version brings back into a thing that is still there. */
export const toFields = ({ fields, content }: ThingVersion): ReplicaFields =>
  Object.fromEntries(fields.map((name) => [name, content[name] ?? '']))

/** The typed fields whose text is from here still, and those whose text was, once the server has told another state. */
export const divideOwn = (known: KnownThing | undefined, next: ThingContent) => {
  const different = known === undefined ? [] : findDifferences(known, next)
  const own = known?.own ?? []
  return {
    kept: own.filter((name) => !different.includes(name)),
    overwritten: own.filter((name) => different.includes(name)),
  }
}
