import { hashBytes } from './hash-bytes.ts'
import { createHashTable } from './hash-table.ts'
import { createTextPages } from './text-pages.ts'

/** Where a version is: the position of a thing, the negative position of a tombstone, 0 for none. */
export type Reference = number

/** Every id that an account has ever had, each with a small number that stays, its slot, and its newest version. */
export interface IdIndex {
  readonly find: (id: string) => number | undefined
  /** The slot of an id, a new one if it has none. */
  readonly take: (id: string) => number
  /** The same for an id as JSON text, quotes included. A new slot is what `size` was before. */
  readonly takeJson: (bytes: Buffer, start: number, end: number) => number
  readonly idOf: (slot: number) => string
  readonly newestOf: (slot: number) => Reference
  readonly setNewest: (slot: number, newest: Reference) => void
  /** Number of ids. */
  readonly size: () => number
}

/** An index without ids. */
export const createIdIndex = (): IdIndex => {
  // Kept as JSON text: no two ids have the same, whatever characters they are of.
  const ids = createTextPages()
  const slots = createHashTable()
  let room = Buffer.alloc(64)

  const findJson = (hash: number, bytes: Buffer, start: number, end: number): number => {
    let place = slots.first(hash)
    while (place >= 0 && !ids.isEqual(slots.valueAt(place), bytes, start, end)) place = slots.next(place)
    return place < 0 ? -1 : slots.valueAt(place)
  }

  const takeJson = (bytes: Buffer, start: number, end: number): number => {
    const hash = hashBytes(bytes, start, end)
    const found = findJson(hash, bytes, start, end)
    if (found >= 0) return found
    slots.add(hash, ids.size())
    return ids.add(bytes, start, end)
  }

  const writeJson = (id: string): number => {
    const json = JSON.stringify(id)
    if (json.length * 3 > room.length) room = Buffer.alloc(json.length * 3)
    return room.write(json)
  }

  return {
    find: (id) => {
      const size = writeJson(id)
      const slot = findJson(hashBytes(room, 0, size), room, 0, size)
      return slot < 0 ? undefined : slot
    },
    take: (id) => {
      // Before `room` is looked at: it may become a larger one.
      const size = writeJson(id)
      return takeJson(room, 0, size)
    },
    takeJson,
    idOf: (slot) => JSON.parse(ids.read(slot)),
    newestOf: ids.numberOf,
    setNewest: ids.setNumber,
    size: ids.size,
  }
}
