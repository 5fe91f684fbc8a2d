import { type IDBPDatabase, openDB } from 'idb'
import type { ReplicaThing } from '../../client/src/index.ts'
import { splitTags } from '../../web/data/item-parts.ts'
import { normalizeUrl } from '../../web/data/urls.ts'

/** An item, as the popup shows it. */
export interface IndexedItem {
  readonly id: string
  readonly title: string
  readonly url?: string
  /** Separated by spaces. */
  readonly tags: string
  /** Unix time in seconds. */
  readonly date: number
  readonly archived: boolean
  readonly hasNote: boolean
}

/**
 * A small index of the replica: items by URL, and the number of items of each tag. The popup reads it at once, because
 * the replica takes longer to open the more items there are. The background writes it after each change.
 */
export interface ItemIndex {
  /** Finds the item of a page; of several, the newest that is not archived. */
  readonly findByUrl: (url: string) => Promise<IndexedItem | undefined>
  /** Lists the tags of all items, the most used first. */
  readonly listTags: () => Promise<readonly string[]>
  /** Adds, replaces and removes items in one transaction. */
  readonly apply: (changes: IndexChanges) => Promise<void>
  /** Removes everything. */
  readonly clear: () => Promise<void>
  /** True when a write of the replica may be missing here, because the browser ended the extension between the two. */
  readonly isStale: () => Promise<boolean>
  /** Notes that the replica is about to change, or that the index has all its changes. */
  readonly setStale: (isStale: boolean) => Promise<void>
  readonly close: () => void
}

/** Items that changed, and IDs that no longer exist. */
export interface IndexChanges {
  readonly put: Iterable<ReplicaThing>
  readonly remove: Iterable<string>
}

const databaseName = 'thingsync index'
const itemsTable = 'items'
const metaTable = 'meta'
const pageIndex = 'page'
const keys = { tags: 'tags', stale: 'stale' } as const

type TagCounts = Record<string, number>

const openDatabase = (): Promise<IDBPDatabase> =>
  openDB(databaseName, 1, {
    upgrade: (database) => {
      database.createObjectStore(itemsTable, { keyPath: 'id' }).createIndex(pageIndex, 'page')
      database.createObjectStore(metaTable)
    },
    // The other connection belongs to this extension as well, and reads the same version.
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  })

/** A row of the table; URLs of the same page have the same `page`. */
interface StoredItem extends IndexedItem {
  readonly page?: string
}

const toStoredItem = ({ id, title, url = '', tags, date, archived, html = '' }: ReplicaThing): StoredItem => {
  const page = normalizeUrl(url)
  return {
    id,
    title,
    tags,
    date,
    archived,
    hasNote: html !== '',
    ...(url === '' ? {} : { url }),
    ...(page === undefined ? {} : { page }),
  }
}

const count = (counts: Map<string, number>, item: IndexedItem | undefined, step: 1 | -1): void => {
  for (const tag of splitTags(item?.tags ?? '')) {
    const next = (counts.get(tag) ?? 0) + step
    if (next > 0) counts.set(tag, next)
    else counts.delete(tag)
  }
}

/** Opens the index, and creates it the first time. */
export const openItemIndex = async (): Promise<ItemIndex> => {
  const database = await openDatabase()
  return {
    findByUrl: async (url) => {
      const page = normalizeUrl(url)
      if (page === undefined) return undefined
      const found = (await database.getAllFromIndex(itemsTable, pageIndex, page)) as StoredItem[]
      return found.sort((one, other) => Number(one.archived) - Number(other.archived) || other.date - one.date)[0]
    },
    listTags: async () => {
      const counts: TagCounts = (await database.get(metaTable, keys.tags)) ?? {}
      return Object.entries(counts)
        .sort(([one, first], [other, second]) => second - first || one.localeCompare(other))
        .map(([tag]) => tag)
    },
    apply: async ({ put, remove }) => {
      const transaction = database.transaction([itemsTable, metaTable], 'readwrite')
      const [items, meta] = [transaction.objectStore(itemsTable), transaction.objectStore(metaTable)]
      const counts = new Map<string, number>(Object.entries((await meta.get(keys.tags)) ?? {}))
      const replace = async (id: string, next?: StoredItem) => {
        count(counts, await items.get(id), -1)
        count(counts, next, 1)
        await (next === undefined ? items.delete(id) : items.put(next))
      }
      for (const id of remove) await replace(id)
      for (const thing of put) await replace(thing.id, toStoredItem(thing))
      await meta.put(Object.fromEntries(counts), keys.tags)
      await transaction.done
    },
    clear: async () => {
      const transaction = database.transaction([itemsTable, metaTable], 'readwrite')
      await Promise.all([
        transaction.objectStore(itemsTable).clear(),
        transaction.objectStore(metaTable).clear(),
        transaction.done,
      ])
    },
    isStale: async () => (await database.get(metaTable, keys.stale)) === true,
    setStale: async (isStale) => void (await database.put(metaTable, isStale, keys.stale)),
    close: () => database.close(),
  }
}
