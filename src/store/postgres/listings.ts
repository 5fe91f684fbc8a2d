import { LRUCache } from 'lru-cache'
import type { Account, BeginLoading } from '../account/account.ts'
import { eachRecord } from '../account/records.ts'
import { encodeChange } from '../record/change-text.ts'
import { encodeThingStep } from '../record/encoded-thing.ts'
import { type OpenListing, pagedDownloadSeconds } from '../store.ts'
import { type ItemRow, keyOfName, keyOfTag, keyOfThing, putItems } from './accounts/account-rows.ts'
import type { Feed } from './accounts/feed.ts'
import { type Database, encodeTexts, encodeWholes, type Statement } from './database.ts'

/**
 * Has writes store the versions that they replace from now on. Returns no row for an account that was never written to.
 */
const storeEarlier: Statement = {
  name: 'keep-earlier',
  text: `
    update account set listed_until = greatest(listed_until, $2::double precision)
    where id = $1
    returning id`,
  reaches: 'account',
  isRepeatable: true,
}

/**
 * Stores an open listing, with the versions at its position that were replaced before writes stored them. A session has
 * at most sixteen listings, the newest.
 */
const rememberListing: Statement = {
  name: 'remember-listing',
  text: `
    with versions as (
      insert into earlier (account, key, position, step)
      select $1, version.key, version.position, version.step
      from unnest($3::text[], $4::bigint[], $5::text[]) as version (key, position, step)
      on conflict (account, key, position) do nothing
    ),
    oldest as (
      delete from open_listing
      where account = $1 and writer = $6 and name <> $7 and expires_at < (
        select expires_at from open_listing where account = $1 and writer = $6 order by expires_at desc offset 15 limit 1
      )
    )
    insert into open_listing (account, writer, name, position, listing, expires_at)
    values ($1, $6, $7, $8::bigint, $9, $2::double precision)
    on conflict (account, writer, name)
    do update set position = excluded.position, listing = excluded.listing, expires_at = excluded.expires_at`,
  reaches: 'account',
  isRepeatable: true,
}

/** Finds an open listing of a session that has not expired. */
const findListing: Statement = {
  name: 'find-listing',
  text: `
    select position, listing from open_listing
    where account = $1 and writer = $2 and name = $3 and expires_at > $4::double precision`,
  reaches: 'account',
  isRepeatable: true,
}

/** Finds out if an open listing of any session is at a position of an account. */
const isListed: Statement = {
  name: 'is-listed',
  text: `
    select 1 as found from open_listing
    where account = $1 and position = $2 and expires_at > $3::double precision limit 1`,
  reaches: 'account',
  isRepeatable: true,
}

/** Lists the items of an account as they were at the position of an open listing. */
const listEarlier: Statement = {
  name: 'list-earlier',
  text: `
    select distinct on (key) position, step
    from (
      select key, position, step from item where account = $1 and position <= $2
      union all
      select key, position, step from earlier where account = $1 and position <= $2
    ) as version
    order by key, position desc`,
  reaches: 'account',
  isRepeatable: true,
}

/** Deletes expired listings. */
export const dropListings: Statement = {
  name: 'drop-listings',
  text: 'delete from open_listing where expires_at <= $1::double precision',
  reaches: { all: 'once a minute: expired rows of all accounts' },
  isRepeatable: true,
}

/** Deletes versions that no listing needs any more. */
export const dropEarlier: Statement = {
  name: 'drop-earlier',
  text: `
    delete from earlier using account
    where account.id = earlier.account and account.listed_until <= $1::double precision`,
  reaches: { all: 'once a minute: expired rows of all accounts' },
  isRepeatable: true,
}

/** A cache of accounts at the position of a listing that another process has started, for its next pages. */
interface RecentAccounts {
  /** Returns the cached account with this name, or loads it. */
  readonly open: (name: string, load: () => Promise<Account | undefined>) => Promise<Account | undefined>
  readonly sweep: () => void
}

const maxAccounts = 8
const cacheMilliseconds = pagedDownloadSeconds * 1000

/** Creates an empty cache. `monotonicMs` is a monotonic clock in milliseconds. */
export const createRecentAccounts = (monotonicMs: () => number): RecentAccounts => {
  const accounts = new LRUCache<string, { readonly account: Promise<Account | undefined>; readonly until: number }>({
    max: maxAccounts,
  })
  return {
    open: async (name, load) => {
      const found = accounts.get(name)
      if (found !== undefined && found.until > monotonicMs()) return found.account
      const account = load()
      accounts.set(name, { account, until: monotonicMs() + cacheMilliseconds })
      try {
        const loaded = await account
        if (loaded === undefined) accounts.delete(name)
        return loaded
      } catch (error) {
        accounts.delete(name)
        throw error
      }
    },
    sweep: () => {
      for (const [name, { until }] of accounts.entries()) if (until <= monotonicMs()) accounts.delete(name)
    },
  }
}

/** The open listings of all processes. */
interface Listings {
  /** Stores a listing. @throws StoreError */
  readonly remember: (owner: ListingOwner, feed: Feed, listing: OpenListing) => Promise<void>
  readonly find: (owner: ListingOwner) => Promise<OpenListing | undefined>
  /** Loads the account at the position of an open listing that another process has started. */
  readonly loadEarlier: (
    userId: string,
    position: number,
    feed: Feed,
    begin: BeginLoading,
  ) => Promise<Account | undefined>
}

/** The account, the session and the name of a listing. */
interface ListingOwner {
  readonly userId: string
  readonly writer: string
  readonly name: string
}

interface Version {
  readonly key: string
  readonly position: number
  readonly step: string
}

const encodeListing = ({ after, omit, missingIds }: OpenListing): string =>
  JSON.stringify({ after, omit: [...omit], missingIds: [...missingIds] })

const decodeListing = (position: number, listing: string): OpenListing => {
  const { after, omit, missingIds } = JSON.parse(listing) as {
    readonly after: number
    readonly omit: readonly string[]
    readonly missingIds: readonly string[]
  }
  return { position, after, omit: new Set(omit), missingIds: new Set(missingIds) }
}

/** Lists the versions at a position that are replaced by now. */
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
    const positions = { ...thing, writerJson: JSON.stringify(thing.writer) }
    versions.push({
      key,
      position: thing.position,
      step: encodeThingStep(form.showThing(thing, false), thing, false, positions),
    })
  }
  for (const { name } of tags.list(now, position)) {
    const tag = tags.find(name, position)
    if (tag !== undefined) versions.push({ key: keyOfTag(name), position: tag.position, step: encodeChange({ tag }) })
  }
  return versions
}

/** Creates the access to open listings in a database. `now` returns Unix time in milliseconds. */
export const createListings = (database: Database, now: () => number): Listings => ({
  remember: async ({ userId, writer, name }, feed, listing) => {
    const expiresAt = now() + pagedDownloadSeconds * 1000
    // This function stores the versions that were replaced before this statement; writes store those after it.
    const exists = (await database.run(storeEarlier, [userId, expiresAt])).length > 0
    if (exists) await feed.catchUp()
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
    const items = rows.toSorted((a, b) => a.position - b.position)
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
