import { runWhole, type Work } from '../../slices.ts'
import type { Account, ItemPlace } from '../image/account.ts'
import type { Records } from '../image/records.ts'
import type { ThingUsage } from '../image/thing-table.ts'
import type { StoredThing } from '../model.ts'
import { type ErrandChange, isTombstone, type StoredTag, type Tombstone } from '../record/change.ts'
import type { EncodedThing } from '../record/encoded-thing.ts'
import type { TagUsage, ThingForm } from '../store.ts'
import { findIn, type StagedWrite } from './staged-write.ts'

/** Finds the newest version of a thing. */
export interface Lookup {
  /** Undefined when there is none, or it is deleted. */
  readonly findThing: (id: string) => StoredThing | undefined
  /** Where it stands, or its tombstone. */
  readonly findPlace: (id: string) => ItemPlace | undefined
  /** The bytes of what it says; undefined when there is none, or it is deleted. */
  readonly findContentBytes: (id: string) => number | undefined
}

/** What a write is staged on. */
export interface StagingBase extends Lookup {
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
export interface Ahead extends StagingBase {
  readonly push: (write: StagedWrite) => void
  /** To be told when the oldest write was applied to the account. */
  readonly shift: () => void
  readonly fail: (error: unknown) => void
  /** Why nothing may be built on this any more. */
  readonly failure: () => unknown
}

/** Errands after some changes. */
export const addErrands = (
  errands: ReadonlyMap<string, number>,
  changes: Iterable<ErrandChange>,
): ReadonlyMap<string, number> => {
  const next = new Map(errands)
  for (const change of changes) {
    if ('errand' in change) next.set(change.errand.key, change.errand.dueAt)
    else next.delete(change.removedErrand.key)
  }
  return next
}

/** The tags that make their things todos, after some settings. */
export const addTodoTags = (
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

const decodePlace = ({ position, createdPosition, othersPosition, ...encoded }: EncodedThing): ItemPlace => ({
  position,
  createdPosition,
  writer: JSON.parse(encoded.bytes.toString('utf8', encoded.writerStart, encoded.writerEnd)),
  othersPosition,
})

/** Finds things among those that were staged, and else below them. */
export const lookUp = (
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
export function* addThingUsage(
  usage: ThingUsage,
  ids: Iterable<string>,
  now: Lookup,
  before: Lookup,
): Work<ThingUsage> {
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
export function* findIdsIn({ items, readThing }: Pick<StagedWrite, 'items' | 'readThing'>, url: string) {
  const json = Buffer.from(JSON.stringify(url))
  for (const [id, item] of items) {
    if (typeof item !== 'number') continue
    const { bytes, urlStart, urlEnd } = readThing(item)
    if (bytes.subarray(urlStart, urlEnd).equals(json)) yield id
  }
}

/** When the errands of an account are due that are visible, by key. */
export type ListErrands = () => ReadonlyMap<string, number>

/** Nothing is ahead of the account. */
export const createAhead = (account: Account, listVisible: ListErrands): Ahead => {
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
    runWhole(
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
        (errands, write) => (write.errands.size === 0 ? errands : addErrands(errands, write.errands.values())),
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
