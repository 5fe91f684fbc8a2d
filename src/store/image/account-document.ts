import type { StoredThing } from '../model.ts'
import type { StoredRecord, StoredTag, Tombstone } from '../record/change.ts'
import { encodeChange } from '../record/write-steps.ts'
import type { Account } from './account.ts'
import type { Block } from './block.ts'
import type { FeedAt } from './feed-at.ts'
import { eachRecord } from './records.ts'

/** All that an account is, without its history. Things, tombstones and tags stand in position order. */
export interface AccountDocument {
  readonly position: number
  readonly things: Iterable<StoredThing>
  /** The same as the JSON of their steps. */
  readonly thingSteps: Iterable<string>
  readonly tombstones: Iterable<Tombstone>
  readonly tags: Iterable<StoredTag>
  readonly records: Iterable<StoredRecord>
  /** About how many bytes all of it takes in a file, where that is there without making it. */
  readonly roughBytes?: number
}

/** An account that was never written to. */
export const emptyAccount: AccountDocument = {
  position: 0,
  things: [],
  thingSteps: [],
  tombstones: [],
  tags: [],
  records: [],
}

/** True when a document says no more than that there is no account. */
export const isEmptyAccount = ({ position, records }: AccountDocument): boolean => {
  for (const _ of records) return false
  return position === 0
}

const mapRows = <B extends Block, Item>(feed: FeedAt<B>, read: (block: B, row: number) => Item): Iterable<Item> => ({
  [Symbol.iterator]: () => readRows(feed, read),
})

function* readRows<B extends Block, Item>({ walk }: FeedAt<B>, read: (block: B, row: number) => Item): Generator<Item> {
  for (const { block, rows } of walk(0)) for (const row of rows()) yield read(block, row)
}

/** What a thing has in a file beside what it is returned as, and what a tombstone has. */
const [thingBytes, tombstoneBytes] = [70, 90]

const estimateBytes = ({ table }: Account): number => {
  let bytes = 0
  for (const { used, liveCount, length } of table.things.blocks())
    if (length > 0) bytes += (used * liveCount) / length + liveCount * thingBytes
  for (const { liveCount } of table.tombstones.feed.blocks()) bytes += liveCount * tombstoneBytes
  return bytes
}

/** What an account is now. Its lists are read while they are walked; later writes do not change what they hold. */
export const documentOf = (account: Account): AccountDocument => {
  const { position: positionNow, table, tags, records } = account
  const position = positionNow()
  const things = table.things.at(position)
  const tombstones = table.tombstones.feed.at(position)
  const recordsNow = records()
  return {
    position,
    things: mapRows(things, table.rows.read),
    thingSteps: mapRows(things, table.rows.readStep),
    tombstones: mapRows(tombstones, table.tombstones.read),
    tags: tags.list(position, 0),
    records: {
      [Symbol.iterator]: () => eachRecord(recordsNow),
    },
    roughBytes: estimateBytes(account),
  }
}

/** The steps that make an account of nothing, each as JSON; tags first, because they say which things are todos. */
export function* listSteps({ tags, thingSteps, tombstones, records }: AccountDocument): Generator<string> {
  for (const tag of tags) yield encodeChange({ tag })
  yield* thingSteps
  for (const tombstone of tombstones) yield encodeChange({ tombstone })
  for (const record of records) yield encodeChange({ record })
}
