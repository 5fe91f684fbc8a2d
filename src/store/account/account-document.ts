import type { StoredRecord, StoredTag, Tombstone } from '../change.ts'
import type { StoredThing } from '../store.ts'
import type { Account } from './account.ts'
import type { Block } from './block.ts'
import type { ListedRows } from './feed.ts'
import { eachRecord } from './records.ts'

/** All that an account is, without its history. Things, tombstones and tags stand in position order. */
export interface AccountDocument {
  readonly position: number
  readonly things: Iterable<StoredThing>
  /** The same as JSON, as a file has them, where that is there without making it of the things. */
  readonly thingsJson?: Iterable<string>
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

const mapRows = <B extends Block, Item>(
  walk: () => Iterable<ListedRows<B>>,
  read: (block: B, row: number) => Item,
): Iterable<Item> => ({
  *[Symbol.iterator]() {
    for (const { block, rows } of walk()) for (const row of rows()) yield read(block, row)
  },
})

/** What an account is now. Its lists are read while they are walked; later writes do not change what they hold. */
export const documentOf = ({ position: positionNow, table, tags, records }: Account): AccountDocument => {
  const position = positionNow()
  const things = table.things.at(position)
  const tombstones = table.tombstones.feed.at(position)
  const recordsNow = records()
  return {
    position,
    things: mapRows(() => things.walk(0), table.rows.read),
    thingsJson: mapRows(() => things.walk(0), table.rows.readJson),
    tombstones: mapRows(() => tombstones.walk(0), table.tombstones.read),
    tags: tags.list(position, 0),
    records: {
      [Symbol.iterator]: () => eachRecord(recordsNow),
    },
  }
}
