/**
 * An open addressing hash table (linear probing) of small numbers, several of which may share a hash. It takes 8 bytes
 * an entry, and room to be at most three quarters full; a Map with texts as keys takes ten times that.
 */
export interface HashTable {
  /** The place of the first number with a hash, or -1. Places are valid until the next `add` or `removeAt`. */
  readonly first: (hash: number) => number
  /** The place of the next number with the same hash, or -1. */
  readonly next: (place: number) => number
  readonly valueAt: (place: number) => number
  readonly setValueAt: (place: number, value: number) => void
  /** `value` is a whole number of 31 bits, any but -1. */
  readonly add: (hash: number, value: number) => void
  readonly removeAt: (place: number) => void
}

const firstCapacity = 16

/** A table without numbers. */
export const createHashTable = (): HashTable => {
  // Hash and value side by side, so that a look-up touches one stretch of memory. A value is one more than it is given
  // as: 0 is an empty place.
  let entries = new Int32Array(firstCapacity * 2)
  let mask = firstCapacity - 1
  let count = 0

  const seek = (from: number, hash: number): number => {
    let place = from
    while (entries[place * 2 + 1] !== 0) {
      if (entries[place * 2] === hash) return place
      place = (place + 1) & mask
    }
    return -1
  }

  const put = (hash: number, stored: number): void => {
    let place = hash & mask
    while (entries[place * 2 + 1] !== 0) place = (place + 1) & mask
    entries[place * 2] = hash
    entries[place * 2 + 1] = stored
  }

  const grow = (): void => {
    const old = entries
    entries = new Int32Array(old.length * 2)
    mask = entries.length / 2 - 1
    for (let index = 0; index < old.length; index += 2)
      if (old[index + 1] !== 0) put(old[index] as number, old[index + 1] as number)
  }

  const add = (hash: number, value: number): void => {
    if ((count + 1) * 4 > (mask + 1) * 3) grow()
    put(hash | 0, value + 1)
    count += 1
  }

  // What stands behind the gap moves up, or it would no longer be found (backward shift deletion).
  const removeAt = (removed: number): void => {
    let gap = removed
    for (let place = (gap + 1) & mask; entries[place * 2 + 1] !== 0; place = (place + 1) & mask) {
      const home = (entries[place * 2] as number) & mask
      if (((place - home) & mask) < ((place - gap) & mask)) continue
      entries[gap * 2] = entries[place * 2] as number
      entries[gap * 2 + 1] = entries[place * 2 + 1] as number
      gap = place
    }
    entries[gap * 2 + 1] = 0
    count -= 1
  }

  return {
    first: (hash) => seek(hash & mask, hash | 0),
    next: (place) => seek((place + 1) & mask, entries[place * 2] as number),
    valueAt: (place) => (entries[place * 2 + 1] as number) - 1,
    setValueAt: (place, value) => {
      entries[place * 2 + 1] = value + 1
    },
    add,
    removeAt,
  }
}
