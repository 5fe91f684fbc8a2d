import type { Account } from './account.ts'
import type { StoredRecord, StoredTag, Tombstone } from './change.ts'
import { eachRecord } from './records.ts'
import type { StoredThing } from './store.ts'

/** All that an account is, without its history. Things, tombstones and tags stand in position order. */
export interface AccountDocument {
  readonly position: number
  readonly things: Iterable<StoredThing>
  readonly tombstones: Iterable<Tombstone>
  readonly tags: Iterable<StoredTag>
  readonly records: Iterable<StoredRecord>
}

/** An account that was never written to. */
export const emptyAccount: AccountDocument = { position: 0, things: [], tombstones: [], tags: [], records: [] }

/** True when a document says no more than that there is no account. */
export const isEmptyAccount = ({ position, records }: AccountDocument): boolean => {
  for (const _ of records) return false
  return position === 0
}

const mapEach = <Entry, Item>(walk: () => Iterable<Entry>, show: (entry: Entry) => Item): Iterable<Item> => ({
  *[Symbol.iterator]() {
    for (const entry of walk()) yield show(entry)
  },
})

/** What an account is now. Its lists are read while they are walked; later writes do not change what they hold. */
export const documentOf = (account: Account): AccountDocument => {
  const position = account.position()
  const things = account.things.at(position)
  const tombstones = account.tombstones.at(position)
  const tags = account.tags.at(position)
  const records = account.records()
  return {
    position,
    things: mapEach(
      () => things.walk(0),
      ({ thing }) => thing,
    ),
    tombstones: mapEach(
      () => tombstones.walk(0),
      ({ tombstone }) => tombstone,
    ),
    tags: mapEach(
      () => tags.walk(0),
      ({ tag }) => tag,
    ),
    records: mapEach(
      () => eachRecord(records),
      (record) => record,
    ),
  }
}
