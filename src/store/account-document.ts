import type { Account } from './account.ts'
import { type Change, findPosition, type StoredRecord, type StoredTag, type Tombstone } from './change.ts'
import { draftRecords, eachRecord } from './records.ts'
import type { StoredThing } from './store.ts'

/** All that an account is, without its history. Things, tombstones and tags stand in position order. */
export interface AccountDocument {
  readonly position: number
  readonly things: readonly StoredThing[]
  readonly tombstones: readonly Tombstone[]
  readonly tags: readonly StoredTag[]
  readonly records: readonly StoredRecord[]
}

/** An account that was never written to. */
export const emptyAccount: AccountDocument = { position: 0, things: [], tombstones: [], tags: [], records: [] }

/** What an account will be when the changes are applied; the account itself stays as it is. */
export const documentAfter = (account: Account, changes: readonly Change[]): AccountDocument => {
  const things = new Map<string, StoredThing | undefined>()
  const tombstones = new Map<string, Tombstone | undefined>()
  const tags = new Map<string, StoredTag>()
  const records = draftRecords(account.records())
  const before = account.position()
  let position = before
  for (const change of changes) {
    if ('thing' in change) {
      putLast(things, change.thing.id, change.thing)
      tombstones.set(change.thing.id, undefined)
    } else if ('tombstone' in change) {
      putLast(tombstones, change.tombstone.id, change.tombstone)
      things.set(change.tombstone.id, undefined)
    } else if ('tag' in change) putLast(tags, change.tag.name, change.tag)
    else records.apply(change)
    position = findPosition(change) ?? position
  }

  return {
    position,
    things: merge(
      Array.from(account.things.at(before).walk(0), (entry) => entry.thing),
      things,
      ({ id }) => id,
    ),
    tombstones: merge(
      Array.from(account.tombstones.at(before).walk(0), (entry) => entry.tombstone),
      tombstones,
      ({ id }) => id,
    ),
    tags: merge(
      Array.from(account.tags.at(before).walk(0), (entry) => entry.tag),
      tags,
      ({ name }) => name,
    ),
    records: [...eachRecord(records.finish())],
  }
}

// A Map lists a key where it was first set; the last change of an item is what its place must follow.
const putLast = <Item>(items: Map<string, Item>, key: string, item: Item): void => {
  items.delete(key)
  items.set(key, item)
}

const merge = <Item>(
  kept: readonly Item[],
  changed: ReadonlyMap<string, Item | undefined>,
  keyOf: (item: Item) => string,
): Item[] =>
  kept.filter((item) => !changed.has(keyOf(item))).concat([...changed.values()].filter((item) => item !== undefined))
