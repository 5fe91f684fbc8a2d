import { createHash } from 'node:crypto'
import type { StoredThing } from '../model.ts'
import type { RegistryItems, RegistryKind } from '../registry/registry.ts'
import { registryKinds } from '../registry/registry-state.ts'
import type { StoredEntry, StoredRecord, StoredTag, Tombstone } from './change.ts'
import { encodeStoredThing } from './encoded-thing.ts'

/** Whose account the items that follow are, up to the next one of these, and its position. */
export interface AccountItem {
  readonly account: string
  readonly position: number
}

/** What an item of each kind of the registry is called in a backup. */
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

/** One thing that a store holds, as it stands in a backup. Things, tombstones and tags come in position order. */
export type StoreItem =
  | RegistryItem
  | AccountItem
  | { readonly thing: StoredThing }
  | { readonly tombstone: Tombstone }
  | { readonly tag: StoredTag }
  | { readonly record: StoredRecord }
  | { readonly errand: StoredEntry }

/** An item as JSON, as a backup has it: a thing as the step that the journal has of it (`thing-step.ts`). */
export const encodeItem = (item: StoreItem): string =>
  'thing' in item ? encodeStoredThing(item.thing) : JSON.stringify(item)

/** Hands on an item of the registry with its kind; any other is left alone. */
export const takeRegistryItem = <Taken>(
  item: StoreItem,
  take: <Kind extends RegistryKind>(kind: Kind, value: RegistryItems[Kind]) => Taken,
): Taken | undefined => {
  const kind = registryKinds.find((each) => itemNames[each] === Object.keys(item)[0])
  return kind && take(kind, Object.values(item)[0])
}

/**
 * # A backup
 *
 * One gzip file of JSON lines (`zcat` shows it): a head, one item of the store a line (`store-item.ts`), and an end that
 * counts the items of each kind and has the SHA-256 of all lines above it.
 */

/** The first line of a backup. */
export interface BackupHead {
  readonly format: 'thingsync backup'
  readonly version: 1
  /** Unix time in seconds. */
  readonly createdAt: number
}

/** How many items of each kind there are, as `store-item.ts` names them. */
export type ItemCounts = Readonly<Record<string, number>>

/** The last line of a backup. */
export interface BackupEnd {
  readonly end: ItemCounts
  /** Of all lines above, with their line breaks; hexadecimal. */
  readonly sha256: string
}

/** The kind of an item, from its line: the first name in it. */
export const findKind = (line: string): string => /^\{"(\w+)"/.exec(line)?.[1] ?? ''

/** Counts and sums up lines as they pass. */
interface LineTally {
  /** Takes a line without its line break. */
  readonly add: (line: string) => void
  readonly counts: () => ItemCounts
  readonly sha256: () => string
}

/** A tally of a backup that begins with this head line. */
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

/** A backup that cannot be written or restored. The message is one sentence for the operator and says what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupRefused'
}
