import { createHash } from 'node:crypto'
import type { StoredThing } from '../model.ts'
import type { RegistryItems, RegistryKind } from '../registry/registry.ts'
import { registryKinds } from '../registry/registry-state.ts'
import type { StoredEntry, StoredRecord, StoredTag, Tombstone } from './change.ts'
import { encodeStoredThing } from './encoded-thing.ts'

/** The account of the items that follow, up to the next such item, and its position. */
export interface AccountItem {
  readonly account: string
  readonly position: number
}

/** The names of the registry's kinds of items in a backup. */
export const itemNames = {
  users: 'user',
  apps: 'app',
  sessions: 'session',
  codes: 'code',
  browserSessions: 'browserSession',
  links: 'link',
  keys: 'key',
} as const satisfies Readonly<Record<RegistryKind, string>>

type RegistryItem = {
  readonly [Kind in RegistryKind]: { readonly [Name in (typeof itemNames)[Kind]]: RegistryItems[Kind] }
}[RegistryKind]

/** One item of a store, as in a backup. Things, tombstones and tags are in position order. */
export type StoreItem =
  | RegistryItem
  | AccountItem
  | { readonly thing: StoredThing }
  | { readonly tombstone: Tombstone }
  | { readonly tag: StoredTag }
  | { readonly record: StoredRecord }
  | { readonly entry: StoredEntry }

/** Encodes an item as JSON, as in a backup. A thing is encoded as its step in the journal (`encoded-thing.ts`). */
export const encodeItem = (item: StoreItem): string =>
  'thing' in item ? encodeStoredThing(item.thing) : JSON.stringify(item)

/** Passes an item of the registry on with its kind; ignores any other item. */
export const passRegistryItem = <Taken>(
  item: StoreItem,
  take: <Kind extends RegistryKind>(kind: Kind, value: RegistryItems[Kind]) => Taken,
): Taken | undefined => {
  const kind = registryKinds.find((each) => itemNames[each] === Object.keys(item)[0])
  return kind && take(kind, Object.values(item)[0])
}

/**
 * # A backup
 *
 * A backup is one gzip file of JSON lines (`zcat` shows it). It has a head, then one item of the store per line
 * (`StoreItem`), then an end. The end has the number of items of each kind, and the SHA-256 of all lines above it.
 */

/** The first line of a backup. */
export interface BackupHead {
  readonly format: 'thingsync backup'
  readonly version: 1
  /** Unix time in seconds. */
  readonly createdAt: number
}

/** The number of items of each kind, by the names in `StoreItem`. */
export type ItemCounts = Readonly<Record<string, number>>

/** The last line of a backup. */
export interface BackupEnd {
  readonly end: ItemCounts
  /** The SHA-256 of all lines above, with their line breaks; hexadecimal. */
  readonly sha256: string
}

/** Finds the kind of an item in its line: the first name in it. */
export const findKind = (line: string): string => /^\{"(\w+)"/.exec(line)?.[1] ?? ''

/** Counts and hashes lines. */
interface LineTally {
  /** Adds a line without its line break. */
  readonly add: (line: string) => void
  readonly counts: () => ItemCounts
  readonly sha256: () => string
}

/** Creates the tally of a backup with this head line. */
export const createTally = (head: string): LineTally => {
  const hash = createHash('sha256').update(`${head}\n`)
  const counts = new Map<string, number>()
  return {
    add: (line) => {
      hash.update(line).update('\n')
      const kind = findKind(line)
      counts.set(kind, (counts.get(kind) ?? 0) + 1)
    },
    counts: () => Object.fromEntries(counts),
    sha256: () => hash.copy().digest('hex'),
  }
}

/** A backup cannot be written or restored. The message is one sentence for the administrator and says what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}
