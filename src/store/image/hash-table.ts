/**
 * An open addressing hash table (linear probing) of small numbers, several of which may share a hash. It takes 8 bytes
 * an entry, and room to be at most three quarters full; a Map with texts as keys takes ten times that. It stands in
 * parts, told apart by the first bits of a hash (extendible hashing): a part that is full becomes two, so that no `add`
 * ever moves more than one part, however large the table is.
 */
export interface HashTable {
  /** The place of the first number with a hash, or -1. It is valid until the next `first`, `add` or `removeAt`. */
  readonly first: (hash: number) => number
  /** The place of the next number with the same hash, or -1. */
  readonly next: (place: number) => number
  readonly valueAt: (place: number) => number
  readonly setValueAt: (place: number, value: number) => void
  /** `value` is a whole number of 31 bits, any but -1. */
  readonly add: (hash: number, value: number) => void
  readonly removeAt: (place: number) => void
}

/** Hash and value side by side, so that a look-up touches one stretch of memory. */
interface Part {
  /** A value is one more than it is given as: 0 is an empty place. */
  entries: Int32Array
  mask: number
  count: number
  /** How many of the first bits all hashes in it share. */
  readonly bits: number
}

const firstCapacity = 16
/** What a part has before it becomes two: some microseconds of work. */
const mostCapacity = 4096
/** Hashes that share so many bits are not parted any more. */
const mostBits = 20

const createPart = (capacity: number, bits: number): Part => ({
  entries: new Int32Array(capacity * 2),
  mask: capacity - 1,
  count: 0,
  bits,
})

const put = (part: Part, hash: number, stored: number): void => {
  const { entries, mask } = part
  let place = hash & mask
  while (entries[place * 2 + 1] !== 0) place = (place + 1) & mask
  entries[place * 2] = hash
  entries[place * 2 + 1] = stored
  part.count += 1
}

const moveAll = ({ entries }: Part, partOf: (hash: number) => Part): void => {
  for (let index = 0; index < entries.length; index += 2)
    if (entries[index + 1] !== 0)
      put(partOf(entries[index] as number), entries[index] as number, entries[index + 1] as number)
}

/** A table without numbers. */
export const createHashTable = (): HashTable => {
  // By the first `bits` bits of a hash; a part stands at all places whose bits begin with its own.
  let parts = [createPart(firstCapacity, 0)]
  let bits = 0
  // That of the last hash.
  let part = parts[0] as Part

  // A number is shifted by 32 as if by 0.
  const partOf = (hash: number): Part => parts[bits === 0 ? 0 : hash >>> (32 - bits)] as Part

  const seek = (from: number, hash: number): number => {
    const { entries, mask } = part
    let place = from
    while (entries[place * 2 + 1] !== 0) {
      if (entries[place * 2] === hash) return place
      place = (place + 1) & mask
    }
    return -1
  }

  const replacePart = (old: Part, next: (index: number) => Part): void => {
    for (const [index, found] of parts.entries()) if (found === old) parts[index] = next(index)
  }

  const makeRoom = (full: Part): void => {
    const capacity = full.mask + 1
    if (capacity < mostCapacity || full.bits === mostBits) {
      const larger = createPart(capacity * 2, full.bits)
      replacePart(full, () => larger)
      moveAll(full, () => larger)
      return
    }
    if (full.bits === bits) {
      parts = parts.flatMap((one) => [one, one])
      bits += 1
    }
    const halves = [createPart(capacity, full.bits + 1), createPart(capacity, full.bits + 1)] as const
    replacePart(full, (index) => ((index >>> (bits - full.bits - 1)) & 1 ? halves[1] : halves[0]))
    moveAll(full, partOf)
  }

  const add = (hash: number, value: number): void => {
    for (let found = partOf(hash); (found.count + 1) * 4 > (found.mask + 1) * 3; found = partOf(hash)) makeRoom(found)
    put(partOf(hash), hash | 0, value + 1)
  }

  // What stands behind the gap moves up, or it would no longer be found (backward shift deletion).
  const removeAt = (removed: number): void => {
    const { entries, mask } = part
    let gap = removed
    for (let place = (gap + 1) & mask; entries[place * 2 + 1] !== 0; place = (place + 1) & mask) {
      const home = (entries[place * 2] as number) & mask
      if (((place - home) & mask) < ((place - gap) & mask)) continue
      entries[gap * 2] = entries[place * 2] as number
      entries[gap * 2 + 1] = entries[place * 2 + 1] as number
      gap = place
    }
    entries[gap * 2 + 1] = 0
    part.count -= 1
  }

  return {
    first: (hash) => {
      part = partOf(hash)
      return seek(hash & part.mask, hash | 0)
    },
    next: (place) => seek((place + 1) & part.mask, part.entries[place * 2] as number),
    valueAt: (place) => (part.entries[place * 2 + 1] as number) - 1,
    setValueAt: (place, value) => {
      part.entries[place * 2 + 1] = value + 1
    },
    add,
    removeAt,
  }
}
