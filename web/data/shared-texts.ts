// What the windows of an account share on this device beside the items: saved searches, dismissed conflicts, and the
// times of changes.

import type { ThingVersion } from '../../client/src/index.ts'
import type { Draft, SharedText } from './drafts.ts'
import { createObservable, type Observable } from './observable.ts'
import type { AppState } from './open-account.ts'

/** A search that the user saved on this device. */
export interface SavedSearch {
  readonly name: string
  readonly query: string
}

/** The saved searches of an account on this device; the protocol has no place for them. */
export interface SavedSearches {
  /** The searches, the first saved first. */
  readonly all: Observable<readonly SavedSearch[]>
  /** Saves a search; replaces the name of a search with the same query. False if the browser's storage is full. */
  readonly save: (search: SavedSearch) => boolean
  /** Removes the search with this query. */
  readonly remove: (query: string) => boolean
  /** Stops following the other windows. */
  readonly close: () => void
}

/** The maximum number of saved searches; the oldest are removed first. */
export const maxSavedSearches = 50

const isSavedSearch = (value: unknown): value is SavedSearch =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as SavedSearch).name === 'string' &&
  typeof (value as SavedSearch).query === 'string'

const decodeSearches = (written: string): readonly SavedSearch[] => {
  const value: unknown = written === '' ? [] : JSON.parse(written)
  return Array.isArray(value) ? value.filter(isSavedSearch) : []
}

/** Removes spaces that do not change the meaning of a query. */
const toKey = (query: string): string => query.trim().replace(/\s+/gu, ' ')

/** Opens the saved searches of this text, which leaves the device with the other data of the account. */
export const openSavedSearches = (text: SharedText): SavedSearches => {
  const all = createObservable(decodeSearches(text.read()))
  const unwatch = text.watch(() => all.set(decodeSearches(text.read())))
  const set = (next: readonly SavedSearch[]): boolean => {
    all.set(next.slice(-maxSavedSearches))
    return text.write(all.read().length === 0 ? '' : JSON.stringify(all.read()))
  }
  return {
    all,
    save: ({ name, query }) => {
      const search = { name: name.trim() === '' ? toKey(query) : name.trim(), query: toKey(query) }
      const isKnown = all.read().some((other) => other.query === search.query)
      const replaced = all.read().map((other) => (other.query === search.query ? search : other))
      return set(isKnown ? replaced : [...all.read(), search])
    },
    remove: (query) => set(all.read().filter((other) => other.query !== toKey(query))),
    close: unwatch,
  }
}

/** The edits of this device that other devices replaced or deleted, and that the user has not dismissed. */
export interface Conflicts {
  /** The kept versions, the latest last. */
  readonly unseen: Observable<readonly ThingVersion[]>
  /** Dismisses versions; they stay dismissed on later visits. The content itself stays with the item. */
  readonly dismiss: (versions: readonly ThingVersion[]) => void
  /** Dismisses all versions of the item with this ID, for example after one of them was restored. */
  readonly dismissItem: (id: string) => void
  readonly close: () => void
}

const readNames = (seen: SharedText): ReadonlySet<string> =>
  new Set(seen.read() === '' ? [] : (JSON.parse(seen.read()) as readonly string[]))

/** Follows the overwritten versions of an account until it is closed; `seen` stores the names of dismissed versions. */
export const openConflicts = (state: Observable<Pick<AppState, 'overwritten'>>, seen: SharedText): Conflicts => {
  const unseen = createObservable<readonly ThingVersion[]>([])
  const update = () => {
    const names = readNames(seen)
    const next = state.read().overwritten.filter(({ name }) => !names.has(name))
    const before = unseen.read()
    // The state also changes with each sync; only new conflicts concern the observers.
    if (next.length !== before.length || next.some(({ name }, index) => name !== before[index]?.name)) unseen.set(next)
  }
  const dismiss = (versions: readonly ThingVersion[]) => {
    if (versions.length === 0) return
    const names = new Set([...readNames(seen), ...versions.map(({ name }) => name)])
    // Expired versions never come back, so their names are forgotten.
    const known = state.read().overwritten.map(({ name }) => name)
    seen.write(JSON.stringify(known.filter((name) => names.has(name))))
    update()
  }
  update()
  const unwatchState = state.watch(update)
  // Another window dismisses as well.
  const unwatchSeen = seen.watch(update)
  return {
    unseen,
    dismiss,
    dismissItem: (id) => dismiss(unseen.read().filter((version) => version.id === id)),
    close: () => {
      unwatchState()
      unwatchSeen()
    },
  }
}

/**
 * The times of the last changes of items, as this browser has seen them: the API has no such time. An item without a
 * time counts as unchanged since its date.
 */
export interface ChangeTimes {
  /** Notes that items with these IDs have changed now. */
  readonly note: (ids: Iterable<string>) => void
  /** Replaces the ID of an item. */
  readonly rename: (id: string, next: string) => void
  /** Lists the IDs with their times, in seconds since 1970, the earliest first. */
  readonly list: () => Iterable<readonly [id: string, seconds: number]>
}

/** Older changes are far down in the list. */
const maxTimes = 300

const decodeTimes = (text: string): ReadonlyMap<string, number> => {
  const value: unknown = text === '' ? [] : JSON.parse(text)
  return new Map(value as readonly (readonly [string, number])[])
}

/** Opens the times that a draft of the account stores; `now` returns milliseconds since 1970. */
export const openChangeTimes = (draft: Draft, now: () => number): ChangeTimes => {
  const times = new Map(decodeTimes(draft.read()))
  const put = (id: string, seconds: number) => {
    times.delete(id)
    times.set(id, seconds)
  }
  const save = () => {
    for (const id of times.keys()) {
      if (times.size <= maxTimes) break
      times.delete(id)
    }
    draft.write(JSON.stringify([...times]))
  }
  return {
    note: (ids) => {
      for (const id of ids) put(id, now() / 1000)
      save()
    },
    rename: (id, next) => {
      const seconds = times.get(id)
      if (seconds === undefined) return
      times.delete(id)
      put(next, seconds)
      save()
    },
    list: () => times,
  }
}
