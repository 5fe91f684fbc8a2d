import type { Work } from '../slices.ts'
import type { Account } from './account/account.ts'
import { draftRecords, type Records } from './account/records.ts'
import type { Item } from './account/thing-table.ts'
import { type Change, type ErrandChange, findPosition, isErrandChange, keyOfErrand, type StoredTag } from './change.ts'
import type { ThingForm } from './store.ts'

/** What a write is staged on. */
export interface StagingBase {
  readonly form: ThingForm
  readonly position: () => number
  /** The newest version of a thing, or its tombstone. */
  readonly findItem: (id: string) => Item | undefined
  /** Ids of all things with a url, and perhaps of some that had it. */
  readonly findIdsByUrl: (url: string) => Iterable<string>
  readonly findTag: (name: string) => StoredTag | undefined
  readonly records: () => Records
  /** When errands are due, by key. */
  readonly listErrands: () => ReadonlyMap<string, number>
}

/** An account with the changes that were sent to the disk but are not visible yet. */
export interface Ahead extends StagingBase {
  /** Adds changes; nothing may be staged on this before it is done. */
  readonly add: (changes: readonly Change[]) => Work<void>
  /** To be told when the oldest changes were applied to the account. */
  readonly remove: (changes: readonly Change[]) => Work<void>
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

/** When the errands of an account are due that are visible, by key. */
export type ListErrands = () => ReadonlyMap<string, number>

/** Nothing is ahead of the account. */
export const createAhead = (account: Account, listVisible: ListErrands): Ahead => {
  const items = new Map<string, Item>()
  const tags = new Map<string, StoredTag>()
  const errands = new Map<string, ErrandChange>()
  let sentCount = 0
  let position = 0
  let records: Records | undefined
  let failure: unknown

  // Looked through when it is asked for: that is rare, and only what waits for the disk is looked at.
  const findIdsByUrl = (url: string): string[] =>
    [...items.values()].flatMap((item) => ('thing' in item && item.thing.url === url ? [item.thing.id] : []))

  const currentRecords = (): Records => records ?? account.records()

  function* add(changes: readonly Change[]): Work<void> {
    const draft = draftRecords(currentRecords())
    if (sentCount === 0) position = account.position()
    sentCount += 1
    for (const change of changes) {
      if ('thing' in change) items.set(change.thing.id, change)
      else if ('tombstone' in change) items.set(change.tombstone.id, change)
      else if ('tag' in change) tags.set(change.tag.name, change.tag)
      else if (isErrandChange(change)) errands.set(keyOfErrand(change), change)
      else draft.apply(change)
      position = findPosition(change) ?? position
      yield
    }
    records = draft.finish()
  }

  function* remove(changes: readonly Change[]): Work<void> {
    sentCount -= 1
    if (sentCount === 0) records = undefined
    for (const change of changes) {
      const id = 'thing' in change ? change.thing.id : 'tombstone' in change ? change.tombstone.id : undefined
      if (id !== undefined && items.get(id) === change) items.delete(id)
      if (isErrandChange(change) && errands.get(keyOfErrand(change)) === change) errands.delete(keyOfErrand(change))
      if ('tag' in change && tags.get(change.tag.name) === change.tag) tags.delete(change.tag.name)
      yield
    }
  }

  return {
    form: account.form,
    position: () => (sentCount === 0 ? account.position() : position),
    findItem: (id) => items.get(id) ?? account.findItem(id, account.position()),
    findIdsByUrl: (url) => [...account.table.findIdsByUrl(url), ...findIdsByUrl(url)],
    findTag: (name) => tags.get(name) ?? account.tags.find(name, account.position()),
    records: currentRecords,
    listErrands: () => (errands.size === 0 ? listVisible() : addErrands(listVisible(), errands.values())),
    add,
    remove,
    fail: (error) => {
      failure = error
    },
    failure: () => failure,
  }
}
