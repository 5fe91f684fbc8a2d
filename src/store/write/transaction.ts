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

/** Room for the steps of one write, as the bytes that the journal and the account in memory are given. */
interface ChangeBuffer {
  /** Adds a step as JSON; gives its place. */
  readonly add: (json: string) => number
  /** The bytes that have a place, and where in them it is. */
  readonly find: (place: number) => { readonly bytes: Buffer; readonly start: number }
  /** All steps as a JSON list, in pieces, behind some that are JSON already. Nothing can be added then. */
  readonly close: (before: readonly string[]) => readonly Buffer[]
}

// So few bytes are out of Node's pool.
const firstBytes = 2 * 1024
const maxBytes = 256 * 1024

/** Bytes of a room that one piece has. */
interface Piece {
  /** The place of its first byte. */
  readonly from: number
  readonly bytes: Buffer
  used: number
}

const [comma, opening, closing] = [0x2c, 0x5b, 0x5d]

/** Most bytes that a text may have; those of a long one are counted. */
const bytesOf = (text: string): number => (text.length < firstBytes ? text.length * 3 : Buffer.byteLength(text))

/** A room without steps. */
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
      // With the comma before it, and the bracket behind the last.
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

/** A step of a write: of a thing its place in the room, any other as it is. */
type StagedChange = number | OtherChange

/** The changes of one write, which others may be staged on before it is durable. */
export interface StagedWrite extends AccountSteps {
  /** The account's position after it. */
  readonly position: number
  /** By id: the place of the last version of a thing, or its tombstone. */
  readonly items: ReadonlyMap<string, number | Tombstone>
  /** The thing at a place, which is used again for the next one. */
  readonly readThing: (place: number) => EncodedThing
  readonly tags: ReadonlyMap<string, StoredTag>
  /** What the account keeps of tags after it. */
  readonly tagUsage: TagUsage
  /** All records of the account after it. */
  readonly records: Records
  readonly errands: ReadonlyMap<string, EntryChange>
  /** Those that are among its steps. */
  readonly errandSteps: readonly EntryChange[]
  /** Its steps as a JSON list, in pieces. */
  readonly json: readonly Buffer[]
}

/** The last version of a thing in a write, which is used again for the next one, or its tombstone. */
const findIn = ({ items, readThing }: Pick<StagedWrite, 'items' | 'readThing'>, id: string) => {
  const item = items.get(id)
  return typeof item === 'number' ? readThing(item) : item
}

/** Reads the things of a room. */
const readThingsOf = (room: ChangeBuffer): StagedWrite['readThing'] => {
  const scan = createThingScanner()
  return (place) => {
    const { bytes, start } = room.find(place)
    const thing = scan(bytes, start + thingStart)
    if (thing === undefined) throw new Error('the step of a thing is not what was written')
    return thing
  }
}

/** Finds the newest version of a thing. */
interface Lookup {
  /** Undefined when there is none, or it is deleted. */
  readonly findThing: (id: string) => StoredThing | undefined
  /** Where it stands, or its tombstone. */
  readonly findPlace: (id: string) => ItemLocation | undefined
  /** The bytes of what it says; undefined when there is none, or it is deleted. */
  readonly findContentBytes: (id: string) => number | undefined
}

/** What a write is staged on. */
interface StagingBase extends Lookup {
  readonly form: ThingForm
  readonly position: () => number
  readonly countThingUsage: () => ThingUsage
  readonly tagUsage: () => TagUsage
  /** Ids of all things with a url, and perhaps of some that had it. */
  readonly findIdsByUrl: (url: string) => readonly string[]
  readonly findTag: (name: string) => StoredTag | undefined
  /** The tags that make their things todos. */
  readonly listTodoTags: () => ReadonlySet<string>
  readonly records: () => Records
  /** When errands are due, by key. */
  readonly listErrands: () => ReadonlyMap<string, number>
}

/** An account with the writes that were sent to the disk but are not visible yet, each on top of those before it. */
export interface PendingWrites extends StagingBase {
  readonly push: (write: StagedWrite) => void
  /** To be told when the oldest write was applied to the account. */
  readonly shift: () => void
  readonly fail: (error: unknown) => void
  /** Why nothing may be built on this any more. */
  readonly failure: () => unknown
}

/** Errands after some changes. */
export const addOutboxEntries = (
  errands: ReadonlyMap<string, number>,
  changes: Iterable<EntryChange>,
): ReadonlyMap<string, number> => {
  const next = new Map(errands)
  for (const change of changes) {
    if ('errand' in change) next.set(change.errand.key, change.errand.dueAt)
    else next.delete(change.removedErrand.key)
  }
  return next
}

/** The tags that make their things todos, after some settings. */
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

/** The thing that stands in some bytes. */
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

/** Finds things among those that were staged, and else below them. */
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

/** What an account holds after some things became other ones. */
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

/** How many are looked up between two possible interruptions. */
const idsAtOnce = 32

/** Ids of the things of a write with a url, of whatever version. Looked through when it is asked for, which is rare. */
function* findIdsIn({ items, readThing }: Pick<StagedWrite, 'items' | 'readThing'>, url: string) {
  const json = Buffer.from(JSON.stringify(url))
  for (const [id, item] of items) {
    if (typeof item !== 'number') continue
    const { bytes, urlStart, urlEnd } = readThing(item)
    if (bytes.subarray(urlStart, urlEnd).equals(json)) yield id
  }
}

/** When the errands of an account are due that are visible, by key. */
export type ListOutboxEntries = () => ReadonlyMap<string, number>

/** Nothing is ahead of the account. */
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

  /** Made when it is asked for, which few accounts are. */
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
    listErrands: () =>
      writes.reduce(
        (errands, write) => (write.errands.size === 0 ? errands : addOutboxEntries(errands, write.errands.values())),
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

/** A write at work: what it reads and changes through `draft`, and the changes it has collected. */
export interface Staging {
  readonly draft: Draft
  /** Ends the write and gives its changes. Work that forgot to await a change finds the draft closed. */
  readonly finish: () => StagedWrite
}

/** How much is done between two looks at the clock. */
const changesBetweenYields = 32

/** Usage of more changed things is counted in slices. */
const maxItemsAtOnce = 256

/** Begins to collect changes over a base, which stays as it is. */
export const stageChanges = (base: StagingBase, writer: string): Staging => {
  const room = createChangeBuffer()
  const readThing = readThingsOf(room)
  const steps: StagedChange[] = []
  const items = new Map<string, number | Tombstone>()
  const tags = new Map<string, StoredTag>()
  const records = draftRecords(base.records())
  const errands = new Map<string, EntryChange>()
  const kinds = new Set<ChangeKind>()
  const writerJson = JSON.stringify(writer)
  const positionBefore = base.position()
  let position = positionBefore
  const todoTagsBefore = base.listTodoTags()
  // Copied once, by the first tag that is put.
  let ownTodoTags: Set<string> | undefined
  let tagUsage = base.tagUsage()
  let isFinished = false
  const pace = createSliceTimer()
  let restCount = 0

  /** Work with thousands of things on a draft waits here now and then, so that other events have their turn. */
  const mayRest = (): Promise<void> => {
    restCount += 1
    return restCount % changesBetweenYields === 0 && pace.isDue() ? pace.yieldTurn() : noRest
  }

  const checkOpen = (): void => {
    if (isFinished) throw new Error('a draft was changed after its write had ended')
  }

  const takeNextPosition = (): number => {
    if (position >= maxPosition)
      throw new StoreError(
        `the account is at position ${position}, the last one; export it, and import it as another user`,
      )
    return position + 1
  }

  const collect = (change: OtherChange): void => {
    checkOpen()
    room.add(encodeChange(change))
    steps.push(change)
    position = findPosition(change) ?? position
  }

  const now = lookUp(base.form, (id) => findIn({ items, readThing }, id), base)
  const { findThing, findPlace } = now

  /** The oldest one; thousands may have the same url. */
  const findThingByUrl = async (url: string): Promise<StoredThing | undefined> => {
    const candidates: { readonly id: string; readonly createdPosition: number }[] = []
    for (const id of [...base.findIdsByUrl(url), ...findIdsIn({ items, readThing }, url)]) {
      await mayRest()
      const place = findPlace(id)
      if (place !== undefined && 'writer' in place) candidates.push({ id, createdPosition: place.createdPosition })
    }
    candidates.sort((a, b) => a.createdPosition - b.createdPosition)
    for (const { id } of candidates) {
      await mayRest()
      const thing = findThing(id)
      // Those that had the url may have another one by now.
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
    // JSON has no such number: the line of this write could never be read again, nor the account.
    if (!Number.isFinite(thing.date)) throw new Error('the date of a thing is no finite number')
    checkOpen()
    const found = findPlace(thing.id)
    const before = found !== undefined && 'writer' in found ? found : undefined
    position = takeNextPosition()
    const place = {
      position,
      // An id that comes back after its deletion stays known to clients that never heard of that.
      createdPosition: found?.createdPosition ?? position,
      writerJson,
      othersPosition: before === undefined ? 0 : before.writer === writer ? before.othersPosition : before.position,
    }
    const isShown = isTodo(thing)
    const step = room.add(encodeThingStep(base.form.showThing(thing, isShown), thing, isShown, place))
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

  const putErrand = (key: string, change: EntryChange): void => {
    checkOpen()
    errands.set(key, change)
  }

  // One that is what it was before the write is no change.
  const listErrandChanges = (): readonly EntryChange[] => {
    if (errands.size === 0) return noEntryChanges
    const before = base.listErrands()
    return [...errands].flatMap(([key, change]) =>
      ('errand' in change ? change.errand.dueAt : undefined) === before.get(key) ? [] : [change],
    )
  }

  const draft: Draft = {
    position: () => position,
    findThing: async (id) => {
      await mayRest()
      return findThing(id)
    },
    findThingByUrl,
    isTodo: async (thing) => isTodo(thing),
    putThing: (thing) => {
      putThing(thing)
      return mayRest()
    },
    deleteThing: async (id) => {
      await mayRest()
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
      await mayRest()
    },
    findRecord: async (kind, group, key) => {
      await mayRest()
      return records.find(kind, group, key)
    },
    putRecord: async (kind, group, key, value) => applyRecord({ record: { kind, group, key, value } }),
    deleteRecord: async (kind, group, key) => applyRecord({ removedRecord: { kind, group, key } }),
    deleteRecords: async (kind, group) => applyRecord({ removedRecords: { kind, group } }),
    listRecords: async (kind, group) => records.list(kind, group),
    putOutboxEntry: async (key, dueAt) => {
      // JSON has no such number.
      if (!Number.isFinite(dueAt)) throw new Error('the time of an errand is no finite number')
      putErrand(key, { errand: { key, dueAt } })
    },
    deleteOutboxEntry: async (key) => putErrand(key, { removedErrand: { key } }),
    listOutboxEntries: async () =>
      errands.size === 0 ? base.listErrands() : addOutboxEntries(base.listErrands(), errands.values()),
    countUsage: async () => {
      const work = addThingUsage(base.countThingUsage(), items.keys(), now, base)
      return joinUsage(await runBySize(work, items.size > maxItemsAtOnce), tagUsage)
    },
    countTagUsage: async () => tagUsage,
    kinds: () => kinds,
  }

  const finish = (): StagedWrite => {
    isFinished = true
    const errandSteps = listErrandChanges()
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
      errands,
      errandSteps,
      // They stand first (change.ts).
      json: room.close(errandSteps.map(encodeChange)),
    }
  }
  return { draft, finish }
}

const noRest = Promise.resolve()
const noEntryChanges: readonly EntryChange[] = []
