import { createSliceTimer, runBySize, runToEnd, type Work } from '../../scheduling.ts'
import { type Account, type AccountSteps, type ItemLocation, joinUsage } from '../account/account.ts'
import { draftRecords, type Records } from '../account/records.ts'
import { addTagUsage } from '../account/tag-history.ts'
import type { ThingUsage } from '../account/thing-index.ts'
import { maxPosition, type StoredThing, type Thing } from '../model.ts'
import {
  type EntryChange,
  findPosition,
  isTombstone,
  type OtherChange,
  type StoredTag,
  type Tombstone,
} from '../record/change.ts'
import { encodeChange } from '../record/change-text.ts'
import { createThingScanner, type EncodedThing, encodeThingStep, thingStart } from '../record/encoded-thing.ts'
import { type ChangeKind, type Draft, StoreError, type TagUsage, type ThingForm } from '../store.ts'

/** A buffer for the steps of one write, as the bytes that the journal and the account in memory receive. */
interface ChangeBuffer {
  /** Adds a step as JSON and returns its place. */
  readonly add: (json: string) => number
  /** Finds the bytes that contain a place, and the offset of the place in them. */
  readonly find: (place: number) => { readonly bytes: Buffer; readonly start: number }
  /** Returns all steps as a JSON list, in pieces, after the given JSON steps. The buffer then accepts no more steps. */
  readonly close: (before: readonly string[]) => readonly Buffer[]
}

// A buffer of this size comes from Node's pool.
const firstBytes = 2 * 1024
const maxBytes = 256 * 1024

/** A part of the buffer in one piece of memory. */
interface Piece {
  /** The place of its first byte. */
  readonly from: number
  readonly bytes: Buffer
  used: number
}

const [comma, opening, closing] = [0x2c, 0x5b, 0x5d]

/** Returns an upper bound of the bytes of a text; the bytes of a long text are counted. */
const bytesOf = (text: string): number => (text.length < firstBytes ? text.length * 3 : Buffer.byteLength(text))

/** Creates an empty buffer. */
export const createChangeBuffer = (): ChangeBuffer => {
  const pieces: Piece[] = []
  let last: Piece | undefined

  const open = (size: number): Piece => {
    const wanted = last === undefined ? firstBytes : Math.min(maxBytes, last.bytes.length * 4)
    const from = last === undefined ? 0 : last.from + last.bytes.length
    last = { from, bytes: Buffer.allocUnsafe(Math.max(size, wanted)), used: 0 }
    pieces.push(last)
    return last
  }

  return {
    add: (json) => {
      // Includes the comma before the step, and the bracket after the last step.
      const size = bytesOf(json) + 2
      const piece = last === undefined || last.bytes.length - last.used < size ? open(size) : last
      piece.bytes[piece.used] = comma
      const start = piece.used + 1
      piece.used = start + piece.bytes.write(json, start)
      return piece.from + start
    },
    find: (place) => {
      let index = pieces.length - 1
      while ((pieces[index] as Piece).from > place) index -= 1
      const { bytes, from } = pieces[index] as Piece
      return { bytes, start: place - from }
    },
    close: (before) => {
      const [first] = pieces
      if (first === undefined || last === undefined) return [Buffer.from(`[${before.join(',')}]`)]
      last.bytes[last.used] = closing
      last.used += 1
      const closed = pieces.map(({ bytes, used }) => bytes.subarray(0, used))
      if (before.length > 0) return [Buffer.from(`[${before.join(',')}`), ...closed]
      first.bytes[0] = opening
      return closed
    },
  }
}

/** A step of a write: for a thing its place in the buffer, otherwise the step itself. */
type StagedChange = number | OtherChange

/** The changes of one write. The next write may be staged on them before they are durable. */
export interface StagedWrite extends AccountSteps {
  /** The account's position after the write. */
  readonly position: number
  /** By id: the place of the last version of a thing, or its tombstone. */
  readonly items: ReadonlyMap<string, number | Tombstone>
  /** Reads the thing at a place. The result is valid until the next call, which reuses the object. */
  readonly readThing: (place: number) => EncodedThing
  readonly tags: ReadonlyMap<string, StoredTag>
  /** The tag usage of the account after the write. */
  readonly tagUsage: TagUsage
  /** All records of the account after the write. */
  readonly records: Records
  readonly entries: ReadonlyMap<string, EntryChange>
  /** The outbox changes among the write's steps. */
  readonly entryChanges: readonly EntryChange[]
  /** The write's steps as a JSON list, in pieces. */
  readonly json: readonly Buffer[]
}

/** Finds the last version of a thing in a write, or its tombstone. The next call reuses the object of the version. */
const findIn = ({ items, readThing }: Pick<StagedWrite, 'items' | 'readThing'>, id: string) => {
  const item = items.get(id)
  return typeof item === 'number' ? readThing(item) : item
}

/** Creates a function that reads the things of a buffer. */
const createThingReader = (buffer: ChangeBuffer): StagedWrite['readThing'] => {
  const scan = createThingScanner()
  return (place) => {
    const { bytes, start } = buffer.find(place)
    const thing = scan(bytes, start + thingStart)
    if (thing === undefined) throw new Error('the step of a thing is not what was written')
    return thing
  }
}

/** Finds the newest version of a thing. */
interface Lookup {
  /** Undefined when the thing does not exist or is deleted. */
  readonly findThing: (id: string) => StoredThing | undefined
  /** The location of the thing, or its tombstone. */
  readonly findPlace: (id: string) => ItemLocation | undefined
  /** The bytes of the thing's content; undefined when the thing does not exist or is deleted. */
  readonly findContentBytes: (id: string) => number | undefined
}

/** The state on which a write is staged. */
interface StagingBase extends Lookup {
  readonly form: ThingForm
  readonly position: () => number
  readonly countThingUsage: () => ThingUsage
  readonly tagUsage: () => TagUsage
  /** Lists the ids of all things with a URL, and perhaps of some things that had it earlier. */
  readonly findIdsByUrl: (url: string) => readonly string[]
  readonly findTag: (name: string) => StoredTag | undefined
  /** Lists the tags that make their things todos. */
  readonly listTodoTags: () => ReadonlySet<string>
  readonly records: () => Records
  /** Lists the due times of outbox entries, by key. */
  readonly listOutboxEntries: () => ReadonlyMap<string, number>
}

/** An account and the writes that were sent to the disk but are not visible yet. Each write builds on the previous. */
export interface PendingWrites extends StagingBase {
  readonly push: (write: StagedWrite) => void
  /** Removes the oldest write. Call it when that write was applied to the account. */
  readonly shift: () => void
  readonly fail: (error: unknown) => void
  /** The error after which no write may build on this state; undefined without an error. */
  readonly failure: () => unknown
}

/** Applies changes to outbox entries and returns the result. */
export const addOutboxEntries = (
  entries: ReadonlyMap<string, number>,
  changes: Iterable<EntryChange>,
): ReadonlyMap<string, number> => {
  const next = new Map(entries)
  for (const change of changes) {
    if ('errand' in change) next.set(change.errand.key, change.errand.dueAt)
    else next.delete(change.removedErrand.key)
  }
  return next
}

/** Applies tag settings to the set of tags that make their things todos, and returns the result. */
const addTodoTags = (
  todoTags: ReadonlySet<string>,
  tags: Iterable<StoredTag>,
  { isTodoTag }: ThingForm,
): ReadonlySet<string> => {
  const next = new Set(todoTags)
  for (const { name, settings } of tags) {
    if (isTodoTag(settings)) next.add(name)
    else next.delete(name)
  }
  return next
}

/** Decodes a thing from its bytes. */
export const decodeThing = (
  { readThing }: ThingForm,
  { bytes, start, formEnd, todoStatus, position, createdPosition, othersPosition, ...encoded }: EncodedThing,
): StoredThing => ({
  ...readThing(bytes.toString('utf8', start, formEnd)),
  todoStatus,
  position,
  createdPosition,
  writer: JSON.parse(bytes.toString('utf8', encoded.writerStart, encoded.writerEnd)),
  othersPosition,
})

const decodePlace = ({ position, createdPosition, othersPosition, ...encoded }: EncodedThing): ItemLocation => ({
  position,
  createdPosition,
  writer: JSON.parse(encoded.bytes.toString('utf8', encoded.writerStart, encoded.writerEnd)),
  othersPosition,
})

/** Creates a lookup that first searches the staged things and then the state below. */
const lookUp = (
  form: ThingForm,
  findStaged: (id: string) => EncodedThing | Tombstone | undefined,
  below: Lookup,
): Lookup => ({
  findThing: (id) => {
    const item = findStaged(id)
    if (item === undefined) return below.findThing(id)
    return isTombstone(item) ? undefined : decodeThing(form, item)
  },
  findPlace: (id) => {
    const item = findStaged(id)
    if (item === undefined) return below.findPlace(id)
    return isTombstone(item) ? item : decodePlace(item)
  },
  findContentBytes: (id) => {
    const item = findStaged(id)
    if (item === undefined) return below.findContentBytes(id)
    return isTombstone(item) ? undefined : item.contentEnd - item.start
  },
})

/** Computes the usage of an account after a write changed the things with these ids. */
function* addThingUsage(usage: ThingUsage, ids: Iterable<string>, now: Lookup, before: Lookup): Work<ThingUsage> {
  let { things, bytes } = usage
  let count = 0
  for (const id of ids) {
    const [after, earlier] = [now.findContentBytes(id), before.findContentBytes(id)]
    things += (after === undefined ? 0 : 1) - (earlier === undefined ? 0 : 1)
    bytes += (after ?? 0) - (earlier ?? 0)
    count += 1
    if (count % idsAtOnce === 0) yield
  }
  return { things, bytes }
}

/** Number of lookups between two possible interruptions. */
const idsAtOnce = 32

/** Lists ids of the write's things that have a URL in any version. It scans the whole write, because calls are rare. */
function* findIdsIn({ items, readThing }: Pick<StagedWrite, 'items' | 'readThing'>, url: string) {
  const json = Buffer.from(JSON.stringify(url))
  for (const [id, item] of items) {
    if (typeof item !== 'number') continue
    const { bytes, urlStart, urlEnd } = readThing(item)
    if (bytes.subarray(urlStart, urlEnd).equals(json)) yield id
  }
}

/** Lists the due times of an account's visible outbox entries, by key. */
export type ListOutboxEntries = () => ReadonlyMap<string, number>

/** Creates the pending writes of an account, with no write pending. */
export const createPendingWrites = (account: Account, listVisible: ListOutboxEntries): PendingWrites => {
  const { form, table, tags } = account
  const writes: StagedWrite[] = []
  let failure: unknown

  const visible: Lookup = {
    findThing: (id) => {
      const found = account.findItem(id, account.position())
      return found !== undefined && 'thing' in found ? found.thing : undefined
    },
    findPlace: (id) => account.findPlace(id, account.position()),
    findContentBytes: (id) => account.findContentBytes(id, account.position()),
  }

  const findStaged = (id: string) => {
    for (let index = writes.length - 1; index >= 0; index -= 1) {
      const item = findIn(writes[index] as StagedWrite, id)
      if (item !== undefined) return item
    }
    return undefined
  }
  const newest = lookUp(form, findStaged, visible)

  const findTag = (name: string): StoredTag | undefined =>
    writes.findLast((write) => write.tags.has(name))?.tags.get(name) ?? tags.find(name, account.position())

  const listTodoTags = (): ReadonlySet<string> => {
    const visible = tags.listTodoTags(account.position())
    if (writes.every((write) => write.tags.size === 0)) return visible
    return addTodoTags(
      visible,
      writes.flatMap((write) => [...write.tags.values()]),
      form,
    )
  }

  /** Computed on request: few writes need it. */
  const countThingUsage = (): ThingUsage =>
    runToEnd(
      addThingUsage(account.thingUsage(), new Set(writes.flatMap(({ items }) => [...items.keys()])), newest, visible),
    )

  return {
    form,
    position: () => writes.at(-1)?.position ?? account.position(),
    ...newest,
    countThingUsage,
    tagUsage: () => writes.at(-1)?.tagUsage ?? account.tagUsage(),
    findIdsByUrl: (url) => [...table.findIdsByUrl(url), ...writes.flatMap((write) => [...findIdsIn(write, url)])],
    findTag,
    listTodoTags,
    records: () => writes.at(-1)?.records ?? account.records(),
    listOutboxEntries: () =>
      writes.reduce(
        (entries, write) => (write.entries.size === 0 ? entries : addOutboxEntries(entries, write.entries.values())),
        listVisible(),
      ),
    push: (write) => void writes.push(write),
    shift: () => void writes.shift(),
    fail: (error) => {
      failure = error
    },
    failure: () => failure,
  }
}

/** A write in progress: `draft` reads and changes the account, and the staging collects the changes. */
export interface Staging {
  readonly draft: Draft
  /** Ends the write and returns its changes. Work that forgot to await a change finds the draft closed. */
  readonly finish: () => StagedWrite
}

/** Number of changes between two checks of the clock. */
const changesBetweenYields = 32

/** The usage of more changed things is counted in slices. */
const maxItemsAtOnce = 256

/** Starts to collect changes over a base, which does not change. */
export const stageChanges = (base: StagingBase, writer: string): Staging => {
  const buffer = createChangeBuffer()
  const readThing = createThingReader(buffer)
  const steps: StagedChange[] = []
  const items = new Map<string, number | Tombstone>()
  const tags = new Map<string, StoredTag>()
  const records = draftRecords(base.records())
  const entries = new Map<string, EntryChange>()
  const kinds = new Set<ChangeKind>()
  const writerJson = JSON.stringify(writer)
  const positionBefore = base.position()
  let position = positionBefore
  const todoTagsBefore = base.listTodoTags()
  // Copied once, at the first tag that is put.
  let ownTodoTags: Set<string> | undefined
  let tagUsage = base.tagUsage()
  let isFinished = false
  const sliceTimer = createSliceTimer()
  let yieldCount = 0

  /** Long work on a draft pauses here periodically, so that other events can run. */
  const yieldWhenDue = (): Promise<void> => {
    yieldCount += 1
    return yieldCount % changesBetweenYields === 0 && sliceTimer.isDue() ? sliceTimer.yieldTurn() : noYield
  }

  const checkOpen = (): void => {
    if (isFinished) throw new Error('a draft was changed after its write had ended')
  }

  const takeNextPosition = (): number => {
    if (position >= maxPosition)
      throw new StoreError(
        `the account is at position ${position}, the maximum; export it, and import it as another user`,
      )
    return position + 1
  }

  const collect = (change: OtherChange): void => {
    checkOpen()
    buffer.add(encodeChange(change))
    steps.push(change)
    position = findPosition(change) ?? position
  }

  const now = lookUp(base.form, (id) => findIn({ items, readThing }, id), base)
  const { findThing, findPlace } = now

  /** Finds the oldest thing with the URL; thousands may have the same URL. */
  const findThingByUrl = async (url: string): Promise<StoredThing | undefined> => {
    const candidates: { readonly id: string; readonly createdPosition: number }[] = []
    for (const id of [...base.findIdsByUrl(url), ...findIdsIn({ items, readThing }, url)]) {
      await yieldWhenDue()
      const place = findPlace(id)
      if (place !== undefined && 'writer' in place) candidates.push({ id, createdPosition: place.createdPosition })
    }
    candidates.sort((a, b) => a.createdPosition - b.createdPosition)
    for (const { id } of candidates) {
      await yieldWhenDue()
      const thing = findThing(id)
      // A candidate may have another URL by now.
      if (thing?.url === url) return thing
    }
    return undefined
  }

  const findTag = (name: string): StoredTag | undefined => tags.get(name) ?? base.findTag(name)

  const isTodo = (thing: Pick<Thing, 'tags'>): boolean => {
    const todoTags = ownTodoTags ?? todoTagsBefore
    return todoTags.size > 0 && base.form.tagsOf(thing).some((name) => todoTags.has(name))
  }

  const putThing = (thing: Thing): void => {
    // JSON has no such number: the line of this write, and then the account, could never be read again.
    if (!Number.isFinite(thing.date)) throw new Error('the date of a thing is not a finite number')
    checkOpen()
    const found = findPlace(thing.id)
    const before = found !== undefined && 'writer' in found ? found : undefined
    position = takeNextPosition()
    const place = {
      position,
      // After a deletion and a new creation, clients that never saw the deletion must still know the id.
      createdPosition: found?.createdPosition ?? position,
      writerJson,
      othersPosition: before === undefined ? 0 : before.writer === writer ? before.othersPosition : before.position,
    }
    const isShown = isTodo(thing)
    const step = buffer.add(encodeThingStep(base.form.showThing(thing, isShown), thing, isShown, place))
    steps.push(step)
    items.set(thing.id, step)
    kinds.add(place.createdPosition > positionBefore ? 'new_thing' : 'changed_thing')
  }

  const deleteThing = (id: string): boolean => {
    const before = findPlace(id)
    if (before === undefined || !('writer' in before)) return false
    const tombstone = { id, position: takeNextPosition(), createdPosition: before.createdPosition }
    collect({ tombstone })
    kinds.add('deleted_thing')
    items.set(id, tombstone)
    return true
  }

  const applyRecord = (change: OtherChange): void => {
    collect(change)
    records.apply(change)
  }

  const putEntry = (key: string, change: EntryChange): void => {
    checkOpen()
    entries.set(key, change)
  }

  // An entry that is the same as before the write is no change.
  const listEntryChanges = (): readonly EntryChange[] => {
    if (entries.size === 0) return noEntryChanges
    const before = base.listOutboxEntries()
    return [...entries].flatMap(([key, change]) =>
      ('errand' in change ? change.errand.dueAt : undefined) === before.get(key) ? [] : [change],
    )
  }

  const draft: Draft = {
    position: () => position,
    findThing: async (id) => {
      await yieldWhenDue()
      return findThing(id)
    },
    findThingByUrl,
    isTodo: async (thing) => isTodo(thing),
    putThing: (thing) => {
      putThing(thing)
      return yieldWhenDue()
    },
    deleteThing: async (id) => {
      await yieldWhenDue()
      return deleteThing(id)
    },
    findTag: async (name) => findTag(name)?.settings,
    putTag: async (name, settings) => {
      const tag = { name, position: takeNextPosition(), settings }
      const before = findTag(name)?.settings
      collect({ tag })
      tagUsage = addTagUsage(tagUsage, base.form, name, settings, before)
      kinds.add('tag')
      tags.set(name, tag)
      ownTodoTags ??= new Set(todoTagsBefore)
      if (base.form.isTodoTag(settings)) ownTodoTags.add(name)
      else ownTodoTags.delete(name)
      await yieldWhenDue()
    },
    findRecord: async (kind, group, key) => {
      await yieldWhenDue()
      return records.find(kind, group, key)
    },
    putRecord: async (kind, group, key, value) => applyRecord({ record: { kind, group, key, value } }),
    deleteRecord: async (kind, group, key) => applyRecord({ removedRecord: { kind, group, key } }),
    deleteRecords: async (kind, group) => applyRecord({ removedRecords: { kind, group } }),
    listRecords: async (kind, group) => records.list(kind, group),
    putOutboxEntry: async (key, dueAt) => {
      // JSON has no such number.
      if (!Number.isFinite(dueAt)) throw new Error('the due time of an outbox entry is not a finite number')
      putEntry(key, { errand: { key, dueAt } })
    },
    deleteOutboxEntry: async (key) => putEntry(key, { removedErrand: { key } }),
    listOutboxEntries: async () =>
      entries.size === 0 ? base.listOutboxEntries() : addOutboxEntries(base.listOutboxEntries(), entries.values()),
    countUsage: async () => {
      const work = addThingUsage(base.countThingUsage(), items.keys(), now, base)
      return joinUsage(await runBySize(work, items.size > maxItemsAtOnce), tagUsage)
    },
    countTagUsage: async () => tagUsage,
    kinds: () => kinds,
  }

  const finish = (): StagedWrite => {
    isFinished = true
    const entryChanges = listEntryChanges()
    return {
      length: steps.length,
      at: (index) => {
        const step = steps[index] as StagedChange
        return typeof step === 'number' ? readThing(step) : step
      },
      position,
      items,
      readThing,
      tags,
      tagUsage,
      records: records.finish(),
      entries,
      entryChanges,
      // Outbox changes come first (change.ts).
      json: buffer.close(entryChanges.map(encodeChange)),
    }
  }
  return { draft, finish }
}

const noYield = Promise.resolve()
const noEntryChanges: readonly EntryChange[] = []
