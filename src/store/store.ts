import type { Json, StoredThing, TagSettings, Thing } from './model.ts'
import type { StoreItem } from './record/backup-format.ts'
import type { Registry, Session } from './registry/registry.ts'

/**
 * # The store promise
 *
 * Every store keeps these promises. Each sentence is a test in `test/store/`, and every store runs these tests.
 *
 * 1. Writes to one account happen one after the other. A client that received position n has seen every change up to n:
 *    no change ever appears at or below a position that any client already received, in any process.
 * 2. When `write` resolves, the change is on disk (file and folder synced) or committed. When the work throws or the
 *    disk fails, no reader sees any part of the change, then or after a restart. A write whose caller does not wait may
 *    be stored together with a later one; its promise is the same.
 * 3. A read sees a whole account at one position. It never waits for a slow writer, and a slow reader never blocks a
 *    writer.
 * 4. The cost of an incremental sync depends on what it lists, not on what is stored; a full sync streams in bounded
 *    memory.
 * 5. An account can be read as of the position of a remembered listing, so that the pages of a paged download are
 *    consistent. This is possible for as long as a paged download may last (`pagedDownloadSeconds`).
 * 6. One data folder has one writer. After any crash the store opens without help, with every acknowledged change. The
 *    store names a damaged file and quarantines it, never skips it silently, and still serves the other accounts.
 * 7. Accounts never see each other's data, and no name chosen by a client reaches the file system.
 * 8. An outbox entry of a write is durable together with the write: both or neither. The store finds the entry again
 *    after any crash, without opening an account, until a write deletes it or its account is removed. The store gives
 *    out an entry when it is due, the earliest first, to one dispatcher at a time. A dispatcher that ends holds no
 *    entry any more, so entries that were not deleted are given out again. The store notifies each listener of an
 *    account of each change after it is visible; a notification is a hint, which a crash loses.
 */

/**
 * The time for which an open paged download keeps its position readable: 15 minutes, in seconds. How long any other
 * earlier position stays readable: `recentSeconds` in `account/account.ts`.
 */
export const pagedDownloadSeconds = 15 * 60

/** A set of ids, which may be a union of several sets that are not copied into one. `size` is never too low. */
export interface IdSet extends Pick<ReadonlySet<string>, 'size' | 'has'>, Iterable<string> {}

/**
 * A piece of JSON text. The concatenated pieces of a listing are its things in their returned form (interface 2.1),
 * joined by commas: each piece but the first begins with a comma. The bytes never change. Where it is possible, an
 * unchanged piece is the same object as before. A piece holds one or more whole things.
 */
export interface JsonRun {
  readonly json: string | Buffer
}

/** The sync rules' functions that a store needs to list things without knowing the rules. All are pure. */
export interface ThingForm {
  /** Lists the tags of a thing, each once. */
  readonly tagsOf: (thing: Pick<Thing, 'tags'>) => readonly string[]
  /** Returns true when a tag with these settings makes its things todos. */
  readonly isTodoTag: (settings: TagSettings) => boolean
  /** Returns true when at least one setting is set, and false when all are cleared. */
  readonly hasSettings: (settings: TagSettings) => boolean
  /**
   * Encodes a thing as JSON text in its returned form (interface 2.1). The keys have the order of the table there, and
   * the text is as JSON.stringify writes it. The store stores and lists the same bytes.
   */
  readonly showThing: (thing: Thing, isTodo: boolean) => string
  /** Decodes the returned form of a thing. Where the form does not show `todoStatus`, its value is unspecified. */
  readonly readThing: (json: string) => Thing
}

/** What to list. Without a filter: all living things, in the order of their last change. */
export interface ListQuery {
  /** List what changed after this position; 0 lists all living things and no deletions. */
  readonly after: number
  /** Ids to exclude, from the things and from the deletions. */
  readonly omit?: IdSet
  readonly skip?: number
  readonly limit?: number
  /** Only archived things, or only things that are not. */
  readonly archived?: boolean
  /** Only things that carry this tag. */
  readonly tag?: string
}

/** One listing. Its counts are known before its first byte. */
export interface Listing {
  /** Number of things and of deletions that match, before `skip` and `limit` and after `omit`. */
  readonly changedCount: number
  readonly deletedCount: number
  /** Number of things and of deletions on this page. */
  readonly pageChangedCount: number
  readonly pageDeletedCount: number
  /** The page's things, as JSON, in the order of their last change. */
  readonly changed: () => AsyncIterable<JsonRun>
  /** The page's deleted ids, in the order of their deletion. In the paging they follow the things. */
  readonly deleted: () => AsyncIterable<string>
}

/** A tag with its settings. */
export type TagEntry = readonly [name: string, settings: TagSettings]

/** A tag with a number of things. */
export type TagCount = readonly [name: string, count: number]

/** The number of living things with each tag, archived things included. The counts are listed in pieces. */
export interface TagCounts {
  /** All favorites, in the order of their last change. Favorites without things are included. */
  readonly favorite: () => AsyncIterable<readonly TagCount[]>
  /** The other tags that at least one thing has. */
  readonly other: () => AsyncIterable<readonly TagCount[]>
}

/** The space that an account uses for tags. */
export interface TagUsage {
  /** Tags with settings. */
  readonly tags: number
  /** Tags whose settings were cleared. The store keeps them, because incremental syncs list them. */
  readonly clearedTags: number
  /** Bytes of both kinds: the name as UTF-8 and 64 more for each tag. */
  readonly tagBytes: number
}

/**
 * The size of an account: its living things, its bytes and its tags. `bytes` counts the content of the things as JSON,
 * without their state, and the bytes of tags (TagUsage).
 */
export interface Usage extends Omit<TagUsage, 'tagBytes'> {
  readonly things: number
  readonly bytes: number
}

/** The kinds of change in a write that a webhook or a device can subscribe to. */
export type ChangeKind = 'new_thing' | 'changed_thing' | 'deleted_thing' | 'tag'

/** The last change of one thing: its current version or its deletion. */
export interface AccountEvent {
  readonly position: number
  readonly id: string
  /** Position of the creation. When an id was deleted and created again, it is the position of the first creation. */
  readonly createdPosition: number
  readonly kind: 'thing' | 'deletion'
}

/** A notification to deliver. The dispatcher chooses the key; an account has at most one entry with each key. */
export interface OutboxEntry {
  readonly userId: string
  readonly key: string
  /** Unix time in milliseconds. */
  readonly dueAt: number
}

/** An entry that is given out. Until its release, no other caller gets it or a later entry with its key. */
export interface TakenEntry extends OutboxEntry {
  /**
   * Gives the entry back, deleted by a write or not. An entry that has the key then is given out when it is due, and
   * not before `until` (Unix time in milliseconds): for a dispatcher that cannot write now. A second release does
   * nothing.
   */
  readonly release: (until?: number) => Promise<void>
}

/** The notification that listeners of an account receive. */
export interface VisibleChange {
  /** A position of the account that readers can see now. An earlier notification may have had a later position. */
  readonly position: number
  /** The id of the session that wrote; empty when several sessions wrote or when the session is unknown. */
  readonly writer: string
}

/** An account at one position. Later writes do not change what the view returns. */
export interface View {
  readonly position: number
  /**
   * Returns false for a position that was never reached, or that belongs to a lost future. A future is lost when a
   * backup is restored, or when a standby that was behind replaces a database. It is unknown which changes a client
   * with such a position lacks.
   */
  readonly hasBeenAt: (position: number) => boolean
  readonly findThing: (id: string) => Promise<StoredThing | undefined>
  /** Lists the ids whose living things only their last writer changed after the position. */
  readonly listOwnIds: (ids: ReadonlySet<string>, after: number) => Promise<ReadonlySet<string>>
  /** Returns true when at least one tag of the thing makes it a todo. */
  readonly isTodo: (thing: Thing) => Promise<boolean>
  readonly list: (query: ListQuery) => Promise<Listing>
  /**
   * Lists settings that changed after the position, in the order of their changes; 0 lists all settings ever set. Works
   * in slices and yields some dozens at a time. A listing that began stays valid, however slowly the caller reads it.
   */
  readonly listTags: (after: number) => AsyncIterable<readonly TagEntry[]>
  /** Counts the things of each tag, in slices. The counts stay the same, however slowly the caller lists them. */
  readonly countTags: () => Promise<TagCounts>
  /** Number of living things, archived things included. */
  readonly countThings: () => Promise<number>
  /** Returns the size of the account. It has no position: it is always the current size. */
  readonly countUsage: () => Promise<Usage>
  /** Lists the records of one kind and group, by key (see Draft.putRecord). */
  readonly listRecords: (kind: string, group: string) => Promise<ReadonlyMap<string, Json>>
  /**
   * Lists the last change of each thing that changed after a position, in the order of the changes. A living thing is
   * listed with its newest version, any other thing with its deletion, even if it was created after that position.
   * Works in slices.
   */
  readonly listEvents: (after: number) => AsyncIterable<AccountEvent>
  /** Lists the due times of the account's outbox entries, by key. They have no positions: they are as of `read`. */
  readonly listOutboxEntries: () => Promise<ReadonlyMap<string, number>>
}

/**
 * An account during one write. The draft reads its own changes; no other reader sees them until the write resolves.
 * Each putThing, deleteThing and putTag takes the next position.
 */
export interface Draft {
  /** Position of the last change, including this write's own changes. */
  readonly position: () => number
  readonly findThing: (id: string) => Promise<StoredThing | undefined>
  /** Finds the oldest living thing with this URL. */
  readonly findThingByUrl: (url: string) => Promise<StoredThing | undefined>
  readonly isTodo: (thing: Thing) => Promise<boolean>
  readonly putThing: (thing: Thing) => Promise<void>
  /** Leaves a permanent tombstone. Returns false, and takes no position, when there is no such living thing. */
  readonly deleteThing: (id: string) => Promise<boolean>
  readonly findTag: (name: string) => Promise<TagSettings | undefined>
  readonly putTag: (name: string, settings: TagSettings) => Promise<void>
  /**
   * Finds a record: a small value beside the things (webhooks, devices, remembered uploads). Records take no position.
   */
  readonly findRecord: (kind: string, group: string, key: string) => Promise<Json | undefined>
  readonly putRecord: (kind: string, group: string, key: string, value: Json) => Promise<void>
  readonly deleteRecord: (kind: string, group: string, key: string) => Promise<void>
  readonly deleteRecords: (kind: string, group: string) => Promise<void>
  readonly listRecords: (kind: string, group: string) => Promise<ReadonlyMap<string, Json>>
  /** Adds an entry with a due time (Unix ms). It replaces an entry with the same key. Takes no position. */
  readonly putOutboxEntry: (key: string, dueAt: number) => Promise<void>
  /** Deletes an entry that is delivered, or need not be. Without such an entry it does nothing. Takes no position. */
  readonly deleteOutboxEntry: (key: string) => Promise<void>
  /** Lists the due times of the account's outbox entries, by key, including this write's own changes. */
  readonly listOutboxEntries: () => Promise<ReadonlyMap<string, number>>
  /** Returns the size of the account, including this write's own changes. */
  readonly countUsage: () => Promise<Usage>
  /** Returns the part of `countUsage` that tags use, including this write's own changes; it costs nothing. */
  readonly countTagUsage: () => Promise<TagUsage>
  /** Lists the kinds of this write's changes so far. A thing that this write created and changed counts as new only. */
  readonly kinds: () => ReadonlySet<ChangeKind>
}

/** The common state of the pages of one listing, remembered between their requests. */
export interface OpenListing {
  /** The position at which all pages of the listing are read, and which all of them return. */
  readonly position: number
  /** The listing contains what changed after this position; 0 for a full sync. */
  readonly after: number
  /** Ids that the first page excluded. */
  readonly omit: IdSet
  /** Ids that the listing shows as deleted, after everything else. */
  readonly missingIds: ReadonlySet<string>
}

/**
 * The urgency of a write. With `now`, a client waits for the response. A write with `soon` may wait some hundredths of
 * a second, so that the store can store it together with another write, which costs less. It blocks no other write, and
 * resolves like any other.
 */
export type Priority = 'now' | 'soon'

/** The count of a key, and the time until the count expires, in milliseconds. Both are 0 when there is no count. */
export interface KeyCount {
  readonly count: number
  readonly msLeft: number
}

/** Counts by key, each within a window that begins with the key's first count. @throws StoreError */
interface CountTable {
  readonly find: (key: string) => Promise<KeyCount>
  /** Adds one to the count and returns the result. */
  readonly add: (key: string) => Promise<KeyCount>
  /** Subtracts one from the count. */
  readonly subtract: (key: string) => Promise<void>
  readonly forget: (key: string) => Promise<void>
}

/** Counters and queues for limits. */
export interface Counts {
  /** Opens the table with this name. A name always has the same window. */
  readonly openTable: (name: string, windowSeconds: number) => CountTable
  /**
   * Takes the next slot in all of the queues; the slots of a queue are its gap (ms) apart. Returns the time to wait for
   * the slot, in milliseconds. When the time is longer than `maxMs`, no slot is taken.
   */
  readonly reserveSlot: (gaps: ReadonlyMap<string, number>, maxMs: number) => Promise<number>
}

/**
 * Counts that the processes of a store share: separate counts would allow the limit once per process. A crash of the
 * database may lose them.
 */
export interface SharedCounts extends Counts {
  /**
   * Takes one of `max` slots of a session. Returns a function that frees the slot, or undefined when all slots are
   * taken. A process that ends frees its slots; after a kill this takes up to a minute. @throws StoreError
   */
  readonly takeSlot: (userId: string, sessionId: string, max: number) => Promise<(() => void) | undefined>
}

/** The data of all users behind the promise above. */
export interface Store {
  readonly registry: Registry
  /** Present when several processes may share the store: limits are then counted here, and not in each process. */
  readonly shared?: SharedCounts
  /**
   * Runs `work` alone on the account and makes its changes durable and visible, all or none. `work` may run more than
   * once, because another process may have written meanwhile. Each run gets its own draft of the account as it is then.
   * Only the changes, the result or the error of the last run count, so `work` must change nothing but its draft.
   * `writer` is the id of the session that writes.
   * @throws what the work throws; StoreError when the changes cannot be stored
   */
  readonly write: <T>(
    userId: string,
    writer: string,
    work: (draft: Draft) => Promise<T>,
    priority?: Priority,
  ) => Promise<T>
  /**
   * Reads the account as it is now. An account without writes is empty, at position 0. `found` is a session that
   * `registry` has just found for a request of this user: the account is then as of that moment, or later.
   */
  readonly read: (userId: string, found?: Session) => Promise<View>
  /** Reads the account as of the position of a remembered listing. Returns undefined when the listing is expired. */
  readonly readAsOf: (userId: string, position: number) => Promise<View | undefined>
  /**
   * Stores an open listing of a session under a name for `pagedDownloadSeconds`, and keeps the account readable as of
   * the listing's position. It is not durable. The caller must have just read the position.
   */
  readonly rememberListing: (userId: string, writer: string, name: string, listing: OpenListing) => Promise<void>
  readonly findListing: (userId: string, writer: string, name: string) => Promise<OpenListing | undefined>
  /**
   * Takes the earliest outbox entry of all accounts that is due at `now` (Unix ms) and not given out. Returns undefined
   * when there is none. The entry is given out until its release.
   */
  readonly takeOutboxEntry: (now: number) => Promise<TakenEntry | undefined>
  /** Returns when the earliest entry that is not given out can be taken (Unix ms); undefined when there is none. */
  readonly nextOutboxEntryAt: () => Promise<number | undefined>
  /** Lists all entries, including those that are given out, the earliest first. */
  readonly listOutboxEntries: () => Promise<readonly OutboxEntry[]>
  /** Calls back soon after an entry was put, moved or released, perhaps once for several. The result unsubscribes. */
  readonly watchOutbox: (onChange: () => void) => () => void
  /**
   * Calls back, in order, after each change of an account (each new position) is visible. The result unsubscribes. The
   * watch also ends when the account is removed or the store is closed. It does not load the account into memory.
   */
  readonly watch: (userId: string, onChange: (change: VisibleChange) => void) => () => void
  /**
   * Calls back after a session was removed or suspended; the listener then checks its token again. The result
   * unsubscribes. The watch also ends when the store is closed.
   */
  readonly watchSession: (sessionId: string, onEnd: () => void) => () => void
  /** Deletes an account permanently, with all its data and its outbox entries. All watches of the account end. */
  readonly removeAccount: (userId: string) => Promise<void>
  /**
   * Lists everything for a backup, during writes: the registry at one moment, then the account of each user, each at
   * one moment. It includes every change that was acknowledged before the call.
   * @throws StoreError when an account cannot be read
   */
  readonly listItems: () => AsyncGenerator<StoreItem, void, undefined>
  /**
   * Writes every change that was acknowledged before the call into plain, readable files, if the store has files. What
   * cannot be written now is logged, and stays where it is.
   * @throws StoreError
   */
  readonly checkpoint: () => Promise<void>
  /** Number of accounts in memory; for `/metrics`. */
  readonly countOpenAccounts: () => number
  /** Checks that the store can write now; for `/readyz`. @throws StoreError when it cannot */
  readonly check: () => Promise<void>
  /** Finishes the writes that were begun, then resolves when everything is stored and all resources are released. */
  readonly close: () => Promise<void>
}

/** Data cannot be stored or read (disk full, database down), and nothing was changed. The response is 503. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}

/** The log for what a store found and repaired; a pino logger is one. */
export interface StoreLog {
  readonly warn: (details: object, message: string) => void
  readonly error: (details: object, message: string) => void
}

/** A log that drops all lines. */
export const silentLog: StoreLog = { warn: () => undefined, error: () => undefined }
