import { createHashTable } from './hash-table.ts'

/**
 * The slots of the living things by the hash of their url. The urls themselves stand in the things: two urls may share
 * a hash, so whoever asks has to look at what is found.
 */
export interface UrlTable {
  readonly add: (urlHash: number, slot: number) => void
  readonly remove: (urlHash: number, slot: number) => void
  readonly find: (urlHash: number) => Iterable<number>
}

/** A table without things. */
export const createUrlTable = (): UrlTable => {
  // A slot, or for things that share a hash -2 and below for a group of slots: thousands may have one and the same url.
  const table = createHashTable()
  const groups = new Map<number, Set<number>>()
  let groupCount = 0

  const add = (urlHash: number, slot: number): void => {
    const place = table.first(urlHash)
    if (place < 0) {
      table.add(urlHash, slot)
      return
    }
    const found = table.valueAt(place)
    if (groups.get(found)?.add(slot) !== undefined) return
    groupCount += 1
    groups.set(-1 - groupCount, new Set([found, slot]))
    table.setValueAt(place, -1 - groupCount)
  }

  const remove = (urlHash: number, slot: number): void => {
    const place = table.first(urlHash)
    if (place < 0) return
    const found = table.valueAt(place)
    const group = groups.get(found) ?? new Set([found])
    group.delete(slot)
    if (group.size > 0) return
    groups.delete(found)
    table.removeAt(place)
  }

  const find = (urlHash: number): Iterable<number> => {
    const place = table.first(urlHash)
    if (place < 0) return []
    const found = table.valueAt(place)
    return groups.get(found) ?? [found]
  }

  return { add, remove, find }
}
