import type { Json, StoredThing, TagSettings, Thing } from './model.ts'
import type { StoreItem } from './record/backup-format.ts'
import type { Registry, Session } from './registry/registry.ts'

/**
 * # The store promise
 *
 * Whoever keeps the data of thingsync keeps these promises; each sentence is a test in `contract/` that every
 * store runs.
 *
 * 1. Writes to one account happen one after the other. A client that was given position n has seen every change up to
 *    n: no change ever appears at or below a position that was already given to anyone, in any process.
 * 2. When `write` resolves, the change is on disk (file and folder synced) or committed. When the work throws or the
 *    disk refuses, nothing of it is visible to anyone, then or after a restart. A write that nobody waits for may be
 *    kept together with a later one; what it promises is the same.
 * 3. A read sees a whole account at one position. It never waits for a slow writer, and a slow reader never holds a
 *    writer.
 * 4. A delta costs what it lists, not what is stored; a full listing streams in bounded memory.
 * 5. An account can be read as of the position of a remembered listing for as long as a paged download may last
 *    (`pagedDownloadSeconds`), so that its pages fit together.
 * 6. One data folder has one writer. After any crash the store opens by itself with every answered change. A damaged
 *    file is named and kept aside, never skipped in silence, and the other accounts are still served.
 * 7. Accounts never see each other's data, and no name chosen by a client reaches the file system.
 * 8. What a write hands over for telling (an errand) is durable with it: both or neither. It is found again after any
 *    crash without opening an account, until a write settles it or its account is removed. It is handed out when it is
 *    due, the earliest first, to one teller at a time; a teller that ends holds nothing any more, so what was not
 *    settled is handed out again. Who watches an account is told of each change after it is visible; that is a hint,
 *    which a crash forgets.
 */

/** How long an earlier position stays readable after a listing was begun: 15 minutes, in seconds. */
export const pagedDownloadSeconds = 15 * 60

/** Ids, of which several sets need not be made one. `size` is never too low. */
export interface IdSet extends Pick<ReadonlySet<string>, 'size' | 'has'>, Iterable<string> {}

/**
 * A piece of JSON text. Put behind each other, the pieces of a listing are its things in their returned form (interface
 * 2.1), joined by commas: each piece but the first begins with a comma. Bytes are never changed, and what has not
 * changed is given as the same object again where that is possible.
 */
export interface JsonRun {
  readonly json: string | Buffer
}

/** What the rules tell a store, so that it can list without knowing them. Pure functions. */
export interface ThingForm {
  /** The tags that a thing carries, each once. */
  readonly tagsOf: (thing: Pick<Thing, 'tags'>) => readonly string[]
  /** True when things that carry a tag with these settings are todos. */
  readonly isTodoTag: (settings: TagSettings) => boolean
  /** True when settings say something; false when they were cleared. */
  readonly hasSettings: (settings: TagSettings) => boolean
  /**
   * The returned form (interface 2.1) as JSON text, its keys in the order of the table there, as JSON.stringify writes
   * it: the same bytes are kept and listed.
   */
  readonly showThing: (thing: Thing, isTodo: boolean) => string
  /** The thing of which this is the returned form; its `todoStatus` may be any where the form does not show it. */
  readonly readThing: (json: string) => Thing
}

/** What to list. Without any filter: all living things, in the order of their last change. */
export interface ListQuery {
  /** List what changed after this position; 0 lists all living things and no deletions. */
  readonly after: number
  /** Ids to leave out, of the things and of the deletions. */
  readonly omit?: IdSet
  readonly skip?: number
  readonly limit?: number
  /** Only archived things, or only things that are not. */
  readonly archived?: boolean
  /** Only things that carry this tag. */
  readonly tag?: string
}

/** One listing: its counts are known before its first byte. */
export interface Listing {
  /** Number of things and of deletions that match, before `skip` and `limit` and after `omit`. */
  readonly changedCount: number
  readonly deletedCount: number
  /** How many of them this page holds. */
  readonly pageChangedCount: number
  readonly pageDeletedCount: number
  /** The page's things, as JSON, in the order of their last change. */
  readonly changed: () => AsyncIterable<JsonRun>
  /** The page's deleted ids, in the order of their deletion; paged behind the things. */
  readonly deleted: () => AsyncIterable<string>
}

/** A tag with its settings. */
export type TagEntry = readonly [name: string, settings: TagSettings]

/** A tag with a number of things. */
export type TagCount = readonly [name: string, count: number]

/** How many living things, archived ones too, carry each tag; listed piece by piece. */
export interface TagCounts {
  /** All favorites, also those that no thing carries, in the order of their last change. */
  readonly favorite: () => AsyncIterable<readonly TagCount[]>
  /** The other tags that things carry. */
  readonly other: () => AsyncIterable<readonly TagCount[]>
}

/** What an account keeps of tags. */
export interface TagUsage {
  /** Tags with settings. */
  readonly tags: number
  /** Tags whose settings were cleared; they are kept, because incremental syncs list them. */
  readonly clearedTags: number
  /** Bytes of both: of their names as UTF-8, and 64 for each. */
  readonly tagBytes: number
}

/**
 * How much an account holds: its living things, the bytes of what they say, as JSON without their state, with the bytes
 * of tags (TagUsage), and its tags.
 */
export interface Usage extends Omit<TagUsage, 'tagBytes'> {
  readonly things: number
  readonly bytes: number
}

/** What a write can do to an account that others may want to hear of. */
export type ChangeKind = 'new_thing' | 'changed_thing' | 'deleted_thing' | 'tag'

/** The last change of one thing: what it is, or that it is gone. */
export interface AccountEvent {
  readonly position: number
  readonly id: string
  /** Position of the creation. It is that of the first one where an id came back after its deletion. */
  readonly createdPosition: number
  readonly kind: 'thing' | 'deletion'
}

/** Something to be told to somebody outside. Its key is the teller's choice; an account has one errand with it at most. */
export interface OutboxEntry {
  readonly userId: string
  readonly key: string
  /** Unix time in milliseconds. */
  readonly dueAt: number
}

/** An errand that is out: nobody else is given it, or a later one with its key, until it is released. */
export interface TakenEntry extends OutboxEntry {
  /**
   * Gives it back, settled by a write or not. What has the key then is handed out when it is due, and not before `until`
   * (Unix time in milliseconds): for a teller that cannot write now. Released again, nothing happens.
   */
  readonly release: (until?: number) => Promise<void>
}

/** What those who watch an account are told. */
export interface VisibleChange {
  /** A position of the account, visible to whoever reads now. A later one may have been told before. */
  readonly position: number
  /** The id of the session that wrote; empty where several did, or where nobody knows. */
  readonly writer: string
}

/** An account at one position. Later writes do not change what it answers. */
export interface View {
  readonly position: number
  /**
   * False for a position that was never reached, or in a future that is lost: of a backup, or of a database of which a
   * standby that was behind took the place. Whoever holds it lacks nobody knows what.
   */
  readonly hasBeenAt: (position: number) => boolean
  readonly findThing: (id: string) => Promise<StoredThing | undefined>
  /** Those of the ids whose living things nobody but their last writer has changed after a position. */
  readonly listOwnIds: (ids: ReadonlySet<string>, after: number) => Promise<ReadonlySet<string>>
  /** True when one of the thing's tags makes it a todo. */
  readonly isTodo: (thing: Thing) => Promise<boolean>
  readonly list: (query: ListQuery) => Promise<Listing>
  /**
   * Settings that changed after the position, in the order of their changes; 0 gives all that were ever set. Listed in
   * slices, in pieces of some dozens; a listing that was begun goes on, however slowly it is read.
   */
  readonly listTags: (after: number) => AsyncIterable<readonly TagEntry[]>
  /** Counts the things of each tag, in slices; what was counted stays, however slowly it is listed. */
  readonly countTags: () => Promise<TagCounts>
  /** Number of living things, archived ones too. */
  readonly countThings: () => Promise<number>
  /** What the account holds. It has no position: it is that of now. */
  readonly countUsage: () => Promise<Usage>
  /** Records of one kind and group, by key (see Draft.putRecord). */
  readonly listRecords: (kind: string, group: string) => Promise<ReadonlyMap<string, Json>>
  /**
   * The last change of each thing that changed after a position, in the order of the changes: of those that live the
   * newest version, of all others the deletion, also when they were made after that position. Listed in slices.
   */
  readonly listEvents: (after: number) => AsyncIterable<AccountEvent>
  /** When the errands of the account are due, by key. They have no positions: they are those of the time of `read`. */
  readonly listErrands: () => Promise<ReadonlyMap<string, number>>
}

/**
 * An account while one write is at work on it: it reads its own changes, nobody else does until the write resolves.
 * Each putThing, deleteThing and putTag takes the next position.
 */
export interface Draft {
  /** Position of the last change, this write's own included. */
  readonly position: () => number
  readonly findThing: (id: string) => Promise<StoredThing | undefined>
  /** The oldest living thing with this url. */
  readonly findThingByUrl: (url: string) => Promise<StoredThing | undefined>
  readonly isTodo: (thing: Thing) => Promise<boolean>
  readonly putThing: (thing: Thing) => Promise<void>
  /** Leaves a tombstone that is never forgotten. False, and no position taken, when there is no such living thing. */
  readonly deleteThing: (id: string) => Promise<boolean>
  readonly findTag: (name: string) => Promise<TagSettings | undefined>
  readonly putTag: (name: string, settings: TagSettings) => Promise<void>
  /** Small values beside the things (webhooks, devices, remembered uploads); they take no position. */
  readonly findRecord: (kind: string, group: string, key: string) => Promise<Json | undefined>
  readonly putRecord: (kind: string, group: string, key: string, value: Json) => Promise<void>
  readonly deleteRecord: (kind: string, group: string, key: string) => Promise<void>
  readonly deleteRecords: (kind: string, group: string) => Promise<void>
  readonly listRecords: (kind: string, group: string) => Promise<ReadonlyMap<string, Json>>
  /** Has something told at a time (Unix ms), instead of what had the key before. Takes no position. */
  readonly putOutboxEntry: (key: string, dueAt: number) => Promise<void>
  /** Settles an errand: it is told, or need not be. Without it nothing happens. Takes no position. */
  readonly deleteOutboxEntry: (key: string) => Promise<void>
  /** When the errands of the account are due, by key, this write's own included. */
  readonly listOutboxEntries: () => Promise<ReadonlyMap<string, number>>
  /** What the account holds, this write's own changes included. */
  readonly countUsage: () => Promise<Usage>
  /** What it keeps of tags, the same; costs nothing. */
  readonly countTagUsage: () => Promise<TagUsage>
  /** What this write did so far. A thing that it made and changed is a new one only. */
  readonly kinds: () => ReadonlySet<ChangeKind>
}

/** What the pages of one listing have in common, remembered between their requests. */
export interface OpenListing {
  /** The position that the listing is read at, and that all its pages return. */
  readonly position: number
  /** What changed after this position is listed; 0 for a full listing. */
  readonly after: number
  /** Ids that the first page left out. */
  readonly omit: IdSet
  /** Ids that are listed as deleted behind everything else. */
  readonly goneIds: ReadonlySet<string>
}

/**
 * Whether somebody's answer waits for a write. One that is to be kept `soon` may wait some hundredths of a second for
 * another one to be kept with, which costs less; it holds up no other write, and resolves like any other.
 */
export type Priority = 'now' | 'soon'

/** What stands under a key, and the time until it is forgotten; 0 and 0 when nothing does. */
export interface KeyCount {
  readonly count: number
  readonly msLeft: number
}

/** Counts by key, each within a window that begins with the key's first one. @throws StoreFailed */
interface CountTable {
  readonly find: (key: string) => Promise<KeyCount>
  /** Counts one more and gives what stands there then. */
  readonly add: (key: string) => Promise<KeyCount>
  /** Takes back one that was counted. */
  readonly takeBack: (key: string) => Promise<void>
  readonly forget: (key: string) => Promise<void>
}

/** Counts, and places in lines. */
export interface Counts {
  /** The table of this name; a name has one length of window. */
  readonly openTable: (name: string, windowSeconds: number) => CountTable
  /**
   * Takes the next place in all of the lines; the one behind it in a line is the line's gap (ms) later. Gives the time
   * to wait for it, in milliseconds; when that is more than `maxTimerMs`, no place is taken.
   */
  readonly reserveTurn: (gaps: ReadonlyMap<string, number>, mostMs: number) => Promise<number>
}

/**
 * What the processes of a store count together, because each for itself would allow it once more. A crash of the
 * database may forget it.
 */
export interface SharedCounts extends Counts {
  /**
   * Takes one of so many seats of a session; gives how it is left, or undefined when all are taken. A process that ends
   * leaves its seats, within a minute also when it is killed. @throws StoreFailed
   */
  readonly takeSlot: (userId: string, sessionId: string, max: number) => Promise<(() => void) | undefined>
}

/** The data of all users behind the promise above. */
export interface Store {
  readonly registry: Registry
  /** Present where several processes may share the store: limits are then counted here, and not in each of them. */
  readonly shared?: SharedCounts
  /**
   * Runs `work` alone on the account and makes its changes durable and visible, all or none. `work` may run more than
   * once, each time on a draft of its own and on what the account is then, because another process may have written
   * meanwhile: what counts is what it did, returned or threw the last time. So it changes nothing but its draft.
   * `writer` is the id of the session that writes.
   * @throws what the work throws; StoreFailed when the changes cannot be kept
   */
  readonly write: <T>(
    userId: string,
    writer: string,
    work: (draft: Draft) => Promise<T>,
    haste?: Priority,
  ) => Promise<T>
  /**
   * The account as it is now. An account that was never written to is empty, at position 0. With a session that
   * `registry` has just found for a request of this user: as it was when that was found, or later.
   */
  readonly read: (userId: string, found?: Session) => Promise<View>
  /** The account as it was at the position of a remembered listing, or undefined when that is no longer known. */
  readonly readAsOf: (userId: string, position: number) => Promise<View | undefined>
  /**
   * Keeps an open listing of a session for `pagedDownloadSeconds` under a name, and the account readable as of its
   * position; not durable. The position is one that was just read.
   */
  readonly rememberListing: (userId: string, writer: string, name: string, listing: OpenListing) => Promise<void>
  readonly findListing: (userId: string, writer: string, name: string) => Promise<OpenListing | undefined>
  /**
   * The earliest errand of all accounts that is due at `now` (Unix ms) and not out, or undefined. It is out until it is
   * released.
   */
  readonly takeOutboxEntry: (now: number) => Promise<TakenEntry | undefined>
  /** When the earliest errand that is not out can be taken (Unix ms); undefined when there is none. */
  readonly nextOutboxEntryAt: () => Promise<number | undefined>
  /** All errands, those that are out too, the earliest first. */
  readonly listOutboxEntries: () => Promise<readonly OutboxEntry[]>
  /** Calls back after an errand was put, moved or released, soon and perhaps once for several; ends when called. */
  readonly watchOutbox: (onChange: () => void) => () => void
  /**
   * Calls back after each change of an account (what takes a position) is visible, in order; ends when called, and when
   * the account is removed or the store is closed. Costs the account no memory.
   */
  readonly watch: (userId: string, onChange: (change: VisibleChange) => void) => () => void
  /**
   * Calls back after a session was removed or suspended; ends when called, and when the store is closed. Whoever listens for it
   * then judges its token again.
   */
  readonly watchSession: (sessionId: string, onEnd: () => void) => () => void
  /** Forgets an account with all it holds, its errands too, for good. Nobody watches it any more. */
  readonly removeAccount: (userId: string) => Promise<void>
  /**
   * Everything, for a backup, while others write: the registry at one moment, then the account of each user, each at
   * one moment. All that was answered before the call is there.
   * @throws StoreFailed when an account cannot be read
   */
  readonly listItems: () => AsyncGenerator<StoreItem, void, undefined>
  /**
   * Brings everything that was answered before the call into plain files that a person can read, if the store has files;
   * what cannot be brought there now is said in the log, and is kept where it is.
   * @throws StoreFailed
   */
  readonly checkpoint: () => Promise<void>
  /** How many accounts are in memory; for `/metrics`. */
  readonly countOpenAccounts: () => number
  /** Throws StoreFailed when the store could not take a write now; for `/readyz`. */
  readonly check: () => Promise<void>
  /** Resolves when everything is kept and released; writes that were begun are finished. */
  readonly close: () => Promise<void>
}

/** Thrown when data cannot be kept or read (disk full, database down). Answered as 503; nothing was changed. */
export class StoreError extends Error {
  override readonly name = 'StoreFailed'
}

/** Where a store says what it found and repaired; a pino logger is one. */
export interface StoreLog {
  readonly warn: (details: object, message: string) => void
  readonly error: (details: object, message: string) => void
}

/** A log that nobody reads. */
export const silentLog: StoreLog = { warn: () => undefined, error: () => undefined }
