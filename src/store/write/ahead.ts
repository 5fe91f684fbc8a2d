import type { Account, ItemPlace } from '../image/account.ts'
import type { Records } from '../image/records.ts'
import { type ErrandChange, isTombstone, type StoredTag } from '../record/change.ts'
import type { KeptThing } from '../record/kept-thing.ts'
import type { StoredThing, ThingForm, Usage } from '../store.ts'
import { addUsage, contentBytesIn, type StagedWrite } from './staged-write.ts'

/** What a write is staged on. */
export interface StagingBase {
  readonly form: ThingForm
  readonly position: () => number
  /** The newest version of a thing; undefined when there is none, or it is deleted. */
  readonly findThing: (id: string) => StoredThing | undefined
  /** Where the newest version of a thing stands, or its tombstone. */
  readonly findPlace: (id: string) => ItemPlace | undefined
  /** The bytes of what the newest version of a thing says; undefined when there is none, or it is deleted. */
  readonly findContentBytes: (id: string) => number | undefined
  readonly countUsage: () => Usage
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
export const readKept = (
  { readThing }: ThingForm,
  { bytes, start, shownEnd, todoStatus, position, createdPosition, othersPosition, ...kept }: KeptThing,
): StoredThing => ({
  ...readThing(bytes.toString('utf8', start, shownEnd)),
  todoStatus,
  position,
  createdPosition,
  writer: JSON.parse(bytes.toString('utf8', kept.writerStart, kept.writerEnd)),
  othersPosition,
})

/** Where a thing stands of which there are the bytes. */
export const readKeptPlace = ({
  bytes,
  position,
  createdPosition,
  othersPosition,
  writerStart,
  writerEnd,
}: KeptThing): ItemPlace => ({
  position,
  createdPosition,
  writer: JSON.parse(bytes.toString('utf8', writerStart, writerEnd)),
  othersPosition,
})

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

  const findItem = (id: string) => {
    for (let index = writes.length - 1; index >= 0; index -= 1) {
      const { items, readThing } = writes[index] as StagedWrite
      const item = items.get(id)
      if (item !== undefined) return typeof item === 'number' ? readThing(item) : item
    }
    return undefined
  }

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

  const findVisibleBytes = (id: string) => account.findContentBytes(id, account.position())

  /** Of each thing that is ahead only the newest version counts. Made when it is asked for, which few accounts are. */
  const countUsage = (): Usage => {
    const newest = new Map(writes.flatMap((write) => [...write.items].map(([id]) => [id, write] as const)))
    const changes = [...newest].map(([id, write]) => [id, contentBytesIn(write, id)] as const)
    return addUsage(account.usage(), changes, findVisibleBytes)
  }

  return {
    form,
    position: () => writes.at(-1)?.position ?? account.position(),
    findThing: (id) => {
      const item = findItem(id)
      if (item !== undefined) return isTombstone(item) ? undefined : readKept(form, item)
      const visible = account.findItem(id, account.position())
      return visible !== undefined && 'thing' in visible ? visible.thing : undefined
    },
    findPlace: (id) => {
      const item = findItem(id)
      if (item === undefined) return account.findPlace(id, account.position())
      return isTombstone(item) ? item : readKeptPlace(item)
    },
    findContentBytes: (id) => {
      const write = writes.findLast(({ items }) => items.has(id))
      return write === undefined ? findVisibleBytes(id) : contentBytesIn(write, id)
    },
    countUsage,
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
