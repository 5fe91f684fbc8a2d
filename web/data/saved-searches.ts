import type { SharedText } from './drafts.ts'
import { createObservable, type Observable } from './observable.ts'

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

const decode = (written: string): readonly SavedSearch[] => {
  const value: unknown = written === '' ? [] : JSON.parse(written)
  return Array.isArray(value) ? value.filter(isSavedSearch) : []
}

/** Removes spaces that do not change the meaning of a query. */
const toKey = (query: string): string => query.trim().replace(/\s+/gu, ' ')

/** Opens the saved searches of this text, which leaves the device with the other data of the account. */
export const openSavedSearches = (text: SharedText): SavedSearches => {
  const all = createObservable(decode(text.read()))
  const unwatch = text.watch(() => all.set(decode(text.read())))
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
