/*
 * The writes of one account, from the draft to the moment when readers see them. A draft collects changes
 * (`stageChanges`); the pipeline sends them to a backend and makes them visible when they are durable
 * (`createPipeline`). This file must not know files, or how a backend makes changes durable.
 * Start with `createPipeline`.
 */
import { createSliceTimer, runBySize, runInSlices, runToEnd, type Work } from '../scheduling.ts'
import { type Account, type AccountSteps, type ItemMetadata, joinUsage } from './account/account.ts'
import { draftRecords, type Records } from './account/records.ts'
import { addTagUsage } from './account/tag-history.ts'
import type { ThingUsage } from './account/thing-index.ts'
import { maxPosition, type StoredThing, type Thing } from './model.ts'
import {
  type EntryChange,
  findPosition,
  isTombstone,
  type OtherChange,
  type StoredTag,
  type Tombstone,
} from './record/change.ts'
import { type ChangeBuffer, createChangeBuffer, encodeChange } from './record/change-text.ts'
import { createThingScanner, type EncodedThing, encodeThingStep, thingStart } from './record/encoded-thing.ts'
import { type ChangeKind, type Draft, StoreError, type TagUsage, type ThingForm } from './store.ts'

/** A step of a write: for a thing its offset in the buffer, otherwise the step itself. */
type StagedChange = number | OtherChange

/** The changes of one write. The next write may be staged on them before they are durable. */
export interface StagedWrite extends AccountSteps {
  /** The account's position after the write. */
  readonly position: number
  /** By id: the offset of the last version of a thing, or its tombstone. */
  readonly items: ReadonlyMap<string, number | Tombstone>
  /** Reads the thing at an offset of the buffer. The result is valid until the next call, which reuses the object. */
  readonly readThing: (offset: number) => EncodedThing
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
  return (offset) => {
    const { bytes, start } = buffer.find(offset)
    const thing = scan(bytes, start + thingStart)
    if (thing === undefined) throw new Error('the step of a thing is not what was written')
    return thing
  }
}

/** Finds the newest version of a thing. */
interface Lookup {
  /** Undefined when the thing does not exist or is deleted. */
  readonly findThing: (id: string) => StoredThing | undefined
  /** The positions and the writer of the thing, or its tombstone. */
  readonly findMetadata: (id: string) => ItemMetadata | undefined
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
    if ('entry' in change) next.set(change.entry.key, change.entry.dueAt)
    else next.delete(change.removedEntry.key)
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

const decodeMetadata = ({ position, createdPosition, othersPosition, ...encoded }: EncodedThing): ItemMetadata => ({
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
  findMetadata: (id) => {
    const item = findStaged(id)
    if (item === undefined) return below.findMetadata(id)
    return isTombstone(item) ? item : decodeMetadata(item)
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
    findMetadata: (id) => account.findMetadata(id, account.position()),
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
  const { findThing, findMetadata } = now

  /** Finds the oldest thing with the URL; thousands may have the same URL. */
  const findThingByUrl = async (url: string): Promise<StoredThing | undefined> => {
    const candidates: { readonly id: string; readonly createdPosition: number }[] = []
    for (const id of [...base.findIdsByUrl(url), ...findIdsIn({ items, readThing }, url)]) {
      await yieldWhenDue()
      const metadata = findMetadata(id)
      if (metadata !== undefined && 'writer' in metadata)
        candidates.push({ id, createdPosition: metadata.createdPosition })
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
    const found = findMetadata(thing.id)
    const before = found !== undefined && 'writer' in found ? found : undefined
    position = takeNextPosition()
    const metadata = {
      position,
      // After a deletion and a new creation, clients that never saw the deletion must still know the id.
      createdPosition: found?.createdPosition ?? position,
      writerJson,
      othersPosition: before === undefined ? 0 : before.writer === writer ? before.othersPosition : before.position,
    }
    const isShown = isTodo(thing)
    const step = buffer.add(encodeThingStep(base.form.showThing(thing, isShown), thing, isShown, metadata))
    steps.push(step)
    items.set(thing.id, step)
    kinds.add(metadata.createdPosition > positionBefore ? 'new_thing' : 'changed_thing')
  }

  const deleteThing = (id: string): boolean => {
    const before = findMetadata(id)
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
      ('entry' in change ? change.entry.dueAt : undefined) === before.get(key) ? [] : [change],
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
      putEntry(key, { entry: { key, dueAt } })
    },
    deleteOutboxEntry: async (key) => putEntry(key, { removedEntry: { key } }),
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

/** The callbacks for the end of a change. Exactly one is called, in the order in which the changes arrived. */
export interface CommitOutcome {
  /** The change is durable. Makes it visible before the next callback, unless the change is long. */
  readonly durable: () => void
  /** The change is not durable, and neither is any change that arrived after it. */
  readonly failed: (error: unknown) => void
}

/**
 * The writes of one account on their way to the disk. Each write is staged on top of the previous ones, so several can
 * be on their way together. Readers see no write before it is durable. When a write fails, all writes on top of it
 * fail.
 */
export interface Pipeline {
  /** Begins a write on top of all writes that were sent. The caller stages and sends writes one after the other. */
  readonly stage: (writer: string) => SentStaging
  /** Returns true when no write is on its way. */
  readonly isIdle: () => boolean
  /** Returns a promise while durable changes become visible. It resolves when they are visible. */
  readonly whenVisible: () => Promise<void> | undefined
}

/** A staged write that can be sent. */
interface SentStaging extends Pick<Staging, 'draft'> {
  /**
   * Ends the write and passes its changes to a backend. Then the next write can be staged. `sent` resolves when the
   * changes are durable and visible.
   */
  readonly send: (commit: CommitWrite) => { readonly sent: Promise<void> }
}

/** The part of a write that a backend receives. */
export type EncodedWrite = Pick<StagedWrite, 'json' | 'entryChanges'>

/** Passes a write of one account to the backend. */
type CommitWrite = (write: EncodedWrite, outcome: CommitOutcome) => void

/** A write with more steps than this is made visible in slices. */
const maxAtOnce = 256

/** The dependencies of a pipeline. */
interface PipelineParts {
  readonly listOutboxEntries: ListOutboxEntries
  /** Called at the moment the account shows a write. `hasMoved` is true when the write took positions. */
  readonly onVisible: (changes: readonly EntryChange[], hasMoved: boolean, writer: string) => void
}

/** Creates a pipeline with no write on its way. */
export const createPipeline = (account: Account, { listOutboxEntries, onVisible }: PipelineParts): Pipeline => {
  let pendingWrites = createPendingWrites(account, listOutboxEntries)
  let last: Promise<void> = Promise.resolve()
  let pendingCount = 0
  // Durable writes that are not visible yet, because they or earlier writes are long.
  const waiting: Work<void>[] = []
  let showing: Promise<void> | undefined

  const showAll = async (): Promise<void> => {
    for (let work = waiting.shift(); work !== undefined; work = waiting.shift()) await runInSlices(work)
    showing = undefined
  }

  /** Runs work after all earlier work became visible. Short work without earlier work runs at once. */
  const showNext = (work: Work<void>, isLong: boolean): void => {
    if (showing === undefined && !isLong) {
      runToEnd(work)
      return
    }
    waiting.push(work)
    showing ??= showAll()
  }

  // Both are created once, not for each write. The first call of a generator function makes V8 create a hidden class.
  // It lives until the next full garbage collection, and until then retains what the function's closure refers to.
  function* makeVisible(base: PendingWrites, write: StagedWrite, writer: string, resolve: () => void): Work<void> {
    const before = account.position()
    const notify = (): void => onVisible(write.entryChanges, account.position() !== before, writer)
    yield* account.applySteps(write, notify)
    base.shift()
    pendingCount -= 1
    resolve()
  }

  function* restart(base: PendingWrites, error: unknown, reject: (error: unknown) => void): Work<void> {
    pendingCount -= 1
    if (pendingWrites === base) {
      pendingWrites = createPendingWrites(account, listOutboxEntries)
      last = Promise.resolve()
    }
    reject(error)
    yield
  }

  const stage = (writer: string): SentStaging => {
    const base = pendingWrites
    const staging = stageChanges(base, writer)

    const send: SentStaging['send'] = (commit) => {
      const write = staging.finish()
      const failure = base.failure()
      if (failure !== undefined) return { sent: Promise.reject(failure) }
      // Its reads may include changes that are not durable yet, and no response may reveal them earlier.
      if (write.length + write.entryChanges.length === 0) return { sent: last }
      base.push(write)
      pendingCount += 1
      last = new Promise((resolve, reject) => {
        commit(write, {
          durable: () => showNext(makeVisible(base, write, writer, resolve), write.length > maxAtOnce),
          failed: (error) => {
            base.fail(error)
            showNext(restart(base, error, reject), false)
          },
        })
      })
      return { sent: last }
    }

    return { draft: staging.draft, send }
  }

  return { stage, isIdle: () => pendingCount === 0, whenVisible: () => showing }
}
