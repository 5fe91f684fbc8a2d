import type { Account, BeginLoading } from '../image/account.ts'
import { eachRecord } from '../image/records.ts'
import { encodeThingStep } from '../record/thing-step.ts'
import { encodeChange } from '../record/write-steps.ts'
import { type OpenListing, pagedDownloadSeconds } from '../store.ts'
import { type ItemRow, putItems } from './accounts/changed-rows.ts'
import type { Feed } from './accounts/feed.ts'
import { keyOfName, keyOfTag, keyOfThing } from './accounts/names.ts'
import { encodeTexts, encodeWholes } from './database/encode-array.ts'
import type { Database } from './database/open-database.ts'
import { findListing, isListed, keepEarlier, listEarlier, rememberListing } from './statements/listings.ts'

/** Open listings of all processes. */
export interface Listings {
  /** @throws StoreFailed */
  readonly remember: (owner: ListingOwner, feed: Feed, listing: OpenListing) => Promise<void>
  readonly find: (owner: ListingOwner) => Promise<OpenListing | undefined>
  /** The account at the position of an open listing that another process has begun. */
  readonly loadEarlier: (
    userId: string,
    position: number,
    feed: Feed,
    begin: BeginLoading,
  ) => Promise<Account | undefined>
}

/** Whose listing it is, and its name. */
export interface ListingOwner {
  readonly userId: string
  readonly writer: string
  readonly name: string
}

interface Version {
  readonly key: string
  readonly position: number
  readonly step: string
}

const encodeListing = ({ after, omit, goneIds }: OpenListing): string =>
  JSON.stringify({ after, omit: [...omit], goneIds: [...goneIds] })

const decodeListing = (position: number, listing: string): OpenListing => {
  const { after, omit, goneIds } = JSON.parse(listing) as {
    readonly after: number
    readonly omit: readonly string[]
    readonly goneIds: readonly string[]
  }
  return { position, after, omit: new Set(omit), goneIds: new Set(goneIds) }
}

/** What was at a position, and is replaced by now. */
const listReplaced = (account: Account, position: number): readonly Version[] => {
  const now = account.position()
  if (position === now) return []
  const { table, tags, form } = account
  const ids = new Set<string>()
  for (const { block, rows } of table.things.at(now).walk(position))
    for (const row of rows()) ids.add(table.rows.idOf(block, row))
  for (const { block, rows } of table.tombstones.feed.at(now).walk(position))
    for (const row of rows()) ids.add(table.tombstones.read(block, row).id)
  const versions: Version[] = []
  for (const id of ids) {
    const item = account.findItem(id, position)
    if (item === undefined) continue
    const key = keyOfThing(id)
    if ('tombstone' in item) {
      versions.push({ key, position: item.tombstone.position, step: encodeChange(item) })
      continue
    }
    const { thing } = item
    const place = { ...thing, writerJson: JSON.stringify(thing.writer) }
    versions.push({
      key,
      position: thing.position,
      step: encodeThingStep(form.showThing(thing, false), thing, false, place),
    })
  }
  for (const { name } of tags.list(now, position)) {
    const tag = tags.find(name, position)
    if (tag !== undefined) versions.push({ key: keyOfTag(name), position: tag.position, step: encodeChange({ tag }) })
  }
  return versions
}

/** Open listings in a database. `now` gives Unix time in milliseconds. */
export const createListings = (database: Database, now: () => number): Listings => ({
  remember: async ({ userId, writer, name }, feed, listing) => {
    const expiresAt = now() + pagedDownloadSeconds * 1000
    // What is replaced before this is found here, what is replaced after it writes keep themselves.
    const isThere = (await database.run(keepEarlier, [userId, expiresAt])).length > 0
    if (isThere) await feed.catchUp()
    const versions = listReplaced(feed.account, listing.position)
    await database.run(rememberListing, [
      ...[userId, expiresAt],
      encodeTexts(versions.map(({ key }) => key)),
      encodeWholes(versions.map(({ position }) => position)),
      encodeTexts(versions.map(({ step }) => step)),
      ...[writer, keyOfName(name), listing.position, encodeListing(listing)],
    ])
  },
  find: async ({ userId, writer, name }) => {
    const [found] = await database.run<{ readonly position: number; readonly listing: string }>(findListing, [
      ...[userId, writer, keyOfName(name), now()],
    ])
    return found && decodeListing(found.position, found.listing)
  },
  loadEarlier: async (userId, position, feed, begin) => {
    if ((await database.run(isListed, [userId, position, now()])).length === 0) return undefined
    const rows = await database.run<ItemRow>(listEarlier, [userId, position])
    const items = rows.toSorted((a, b) => a.place - b.place)
    const loading = begin(position)
    const isTag = ({ step }: ItemRow): boolean => step.startsWith('{"tag":')
    putItems(loading, items.filter(isTag))
    putItems(
      loading,
      items.filter((item) => !isTag(item)),
    )
    for (const record of eachRecord(feed.account.records())) loading.put({ record })
    return loading.finish()
  },
})
