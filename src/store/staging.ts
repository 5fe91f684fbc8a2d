import { createPace } from '../slices.ts'
import { draftRecords } from './account/records.ts'
import type { Item } from './account/thing-table.ts'
import { addErrands, type StagingBase } from './ahead.ts'
import { type Change, type ErrandChange, findPosition, type StoredTag, type Tombstone } from './change.ts'
import type { ChangeKind, Draft, StoredThing, Thing } from './store.ts'
import { storeThing } from './store-thing.ts'

/** A write at work: what it reads and changes through `draft`, and the changes it has collected. */
export interface Staging {
  readonly draft: Draft
  /** Ends the write and gives its changes. Work that forgot to await a change finds the draft closed. */
  readonly finish: () => readonly Change[]
}

/** How much is done between two looks at the clock. */
const stepsBetweenRests = 32

const findDeletion = (item: Item | undefined): Tombstone | undefined =>
  item !== undefined && 'tombstone' in item ? item.tombstone : undefined

/** Begins to collect changes over a base, which stays as it is. */
export const stageChanges = (base: StagingBase, writer: string): Staging => {
  const changes: Change[] = []
  const items = new Map<string, Item>()
  const tags = new Map<string, StoredTag>()
  const records = draftRecords(base.records())
  const errands = new Map<string, ErrandChange>()
  const kinds = new Set<ChangeKind>()
  let position = base.position()
  let isFinished = false
  const pace = createPace()
  let steps = 0

  /** Work with thousands of things on a draft waits here now and then, so that other events have their turn. */
  const mayRest = (): Promise<void> | undefined => {
    steps += 1
    return steps % stepsBetweenRests === 0 && pace.isDue() ? pace.rest() : undefined
  }

  const checkOpen = (): void => {
    if (isFinished) throw new Error('a draft was changed after its write had ended')
  }

  const collect = (change: Change): void => {
    checkOpen()
    changes.push(change)
    position = findPosition(change) ?? position
  }

  const findItem = (id: string): Item | undefined => items.get(id) ?? base.findItem(id)

  const findThing = (id: string): StoredThing | undefined => {
    const item = findItem(id)
    return item !== undefined && 'thing' in item ? item.thing : undefined
  }

  // Looked through when it is asked for: of an upload with many things nobody asks.
  const findStagedIds = (url: string): string[] =>
    [...items.values()].flatMap((item) => ('thing' in item && item.thing.url === url ? [item.thing.id] : []))

  const findThingByUrl = (url: string): StoredThing | undefined =>
    [...base.findIdsByUrl(url), ...findStagedIds(url)]
      .map(findThing)
      // Those that had the url may be moved or deleted by now.
      .filter((thing) => thing?.url === url)
      .reduce((oldest, thing) => {
        if (oldest === undefined || thing === undefined) return thing ?? oldest
        return thing.createdPosition < oldest.createdPosition ? thing : oldest
      }, undefined)

  const findTag = (name: string): StoredTag | undefined => tags.get(name) ?? base.findTag(name)

  const putThing = (thing: Thing): StoredThing => {
    // JSON has no such number: the line of this write could never be read again, nor the account.
    if (!Number.isFinite(thing.date)) throw new Error('the date of a thing is no finite number')
    const item = findItem(thing.id)
    const before = item !== undefined && 'thing' in item ? item.thing : undefined
    const stored = storeThing(thing, {
      position: position + 1,
      // An id that comes back after its deletion stays known to clients that never heard of that.
      createdPosition: before?.createdPosition ?? findDeletion(item)?.createdPosition ?? position + 1,
      writer,
      othersPosition: before === undefined ? 0 : before.writer === writer ? before.othersPosition : before.position,
    })
    const change = { thing: stored }
    collect(change)
    kinds.add(stored.createdPosition > base.position() ? 'new_thing' : 'changed_thing')
    items.set(thing.id, change)
    return stored
  }

  const deleteThing = (id: string): boolean => {
    const before = findThing(id)
    if (before === undefined) return false
    const change = { tombstone: { id, position: position + 1, createdPosition: before.createdPosition } }
    collect(change)
    kinds.add('deleted_thing')
    items.set(id, change)
    return true
  }

  const applyRecord = (change: Change): void => {
    collect(change)
    records.apply(change)
  }

  const putErrand = (key: string, change: ErrandChange): void => {
    checkOpen()
    errands.set(key, change)
  }

  // One that is what it was before the write is no change.
  const listErrandChanges = (): readonly ErrandChange[] => {
    const before = base.listErrands()
    return [...errands].flatMap(([key, change]) =>
      ('errand' in change ? change.errand.dueAt : undefined) === before.get(key) ? [] : [change],
    )
  }

  const draft: Draft = {
    position: () => position,
    findThing: async (id) => {
      const rest = mayRest()
      if (rest !== undefined) await rest
      return findThing(id)
    },
    findThingByUrl: async (url) => findThingByUrl(url),
    isTodo: async (thing) =>
      base.form.tagsOf(thing).some((name) => {
        const tag = findTag(name)
        return tag !== undefined && base.form.isTodoTag(tag.settings)
      }),
    putThing: async (thing) => {
      const rest = mayRest()
      if (rest !== undefined) await rest
      return putThing(thing)
    },
    deleteThing: async (id) => {
      const rest = mayRest()
      if (rest !== undefined) await rest
      return deleteThing(id)
    },
    findTag: async (name) => findTag(name)?.settings,
    putTag: async (name, settings) => {
      const tag = { name, position: position + 1, settings }
      collect({ tag })
      kinds.add('tag')
      tags.set(name, tag)
    },
    findRecord: async (kind, group, key) => records.find(kind, group, key),
    putRecord: async (kind, group, key, value) => applyRecord({ record: { kind, group, key, value } }),
    deleteRecord: async (kind, group, key) => applyRecord({ removedRecord: { kind, group, key } }),
    deleteRecords: async (kind, group) => applyRecord({ removedRecords: { kind, group } }),
    listRecords: async (kind, group) => new Map(records.list(kind, group)),
    putErrand: async (key, dueAt) => {
      // JSON has no such number.
      if (!Number.isFinite(dueAt)) throw new Error('the time of an errand is no finite number')
      putErrand(key, { errand: { key, dueAt } })
    },
    deleteErrand: async (key) => putErrand(key, { removedErrand: { key } }),
    listErrands: async () =>
      errands.size === 0 ? base.listErrands() : addErrands(base.listErrands(), errands.values()),
    kinds: () => kinds,
  }
  return {
    draft,
    finish: () => {
      isFinished = true
      return errands.size === 0 ? changes : [...listErrandChanges(), ...changes]
    },
  }
}
