import { randomBytes } from 'node:crypto'

// Another one in each process, so that no client can choose texts that fall together.
const seed = randomBytes(4).readInt32LE()

const byteAt = (bytes: Uint8Array, index: number): number => bytes[index] as number

/** The hash of some bytes, a number of 32 bits: FNV-1a of four at a time, its bits mixed in the end. */
export const hashBytes = (bytes: Uint8Array, start: number, end: number): number => {
  let hash = seed ^ (end - start)
  let index = start
  for (; index + 4 <= end; index += 4) {
    const high = (byteAt(bytes, index + 2) << 16) | (byteAt(bytes, index + 3) << 24)
    const word = byteAt(bytes, index) | (byteAt(bytes, index + 1) << 8) | high
    hash = Math.imul(hash ^ word, 0x01000193)
    // What FNV does byte by byte: high bits of the word must reach low bits of the hash.
    hash ^= hash >>> 15
  }
  for (; index < end; index += 1) hash = Math.imul(hash ^ byteAt(bytes, index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

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
const maxCapacity = 4096
/** Hashes that share so many bits are not parted any more. */
const maxBits = 20

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
    if (capacity < maxCapacity || full.bits === maxBits) {
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

/**
 * Up to 1024 ids as JSON text: no two have the same, whatever characters they are of. Large arrays are never copied as
 * a whole, and blocks that are full have no room to spare.
 */
interface IdBlock {
  bytes: Buffer
  /** Where each id ends. */
  ends: Uint32Array
  newest: Float64Array
}

const blockBits = 10
const blockIds = 1 << blockBits
const firstIds = 4
const firstBytes = 128

const createBlock = (ids: number, bytes: number): IdBlock => ({
  bytes: Buffer.allocUnsafeSlow(bytes),
  ends: new Uint32Array(ids),
  newest: new Float64Array(ids),
})

const growIds = (block: IdBlock): void => {
  const { ends, newest } = block
  block.ends = new Uint32Array(ends.length * 2)
  block.ends.set(ends)
  block.newest = new Float64Array(newest.length * 2)
  block.newest.set(newest)
}

const resizeBytes = (block: IdBlock, used: number, size: number): void => {
  const { bytes } = block
  block.bytes = Buffer.allocUnsafeSlow(size)
  bytes.copy(block.bytes, 0, 0, used)
}

const indexOf = (slot: number): number => slot & (blockIds - 1)
const startIn = ({ ends }: IdBlock, slot: number): number =>
  indexOf(slot) === 0 ? 0 : (ends[indexOf(slot) - 1] as number)
const endIn = ({ ends }: IdBlock, slot: number): number => ends[indexOf(slot)] as number

/** An index without ids. */
export const createIdIndex = (): IdIndex => {
  const blocks: IdBlock[] = []
  const slots = createHashTable()
  let size = 0
  let room = Buffer.alloc(64)

  const blockOf = (slot: number): IdBlock => blocks[slot >>> blockBits] as IdBlock

  /** One that follows another is taken to become as large. */
  const openBlock = (): IdBlock => {
    const last = blocks.at(-1)
    return last === undefined ? createBlock(firstIds, firstBytes) : createBlock(blockIds, last.bytes.length)
  }

  const add = (bytes: Buffer, start: number, end: number): number => {
    const slot = size
    const index = indexOf(slot)
    if (index === 0) blocks.push(openBlock())
    const block = blockOf(slot)
    if (index === block.ends.length) growIds(block)
    let used = startIn(block, slot)
    const needed = used + end - start
    if (needed > block.bytes.length) resizeBytes(block, used, Math.max(needed, used + (used >> 1)))
    for (let from = start; from < end; from += 1, used += 1) block.bytes[used] = bytes[from] as number
    block.ends[index] = used
    size += 1
    if (index === blockIds - 1 && used < block.bytes.length) resizeBytes(block, used, used)
    return slot
  }

  const isAt = (slot: number, bytes: Buffer, start: number, end: number): boolean => {
    const block = blockOf(slot)
    const at = startIn(block, slot)
    if (endIn(block, slot) - at !== end - start) return false
    for (let index = 0; start + index < end; index += 1)
      if (block.bytes[at + index] !== bytes[start + index]) return false
    return true
  }

  const findJson = (hash: number, bytes: Buffer, start: number, end: number): number => {
    let place = slots.first(hash)
    while (place >= 0 && !isAt(slots.valueAt(place), bytes, start, end)) place = slots.next(place)
    return place < 0 ? -1 : slots.valueAt(place)
  }

  const takeJson = (bytes: Buffer, start: number, end: number): number => {
    const hash = hashBytes(bytes, start, end)
    const found = findJson(hash, bytes, start, end)
    if (found >= 0) return found
    slots.add(hash, size)
    return add(bytes, start, end)
  }

  /** Writes an id to the beginning of `room`, which may become a larger one. */
  const writeJson = (id: string): number => {
    const json = JSON.stringify(id)
    if (json.length * 3 > room.length) room = Buffer.alloc(json.length * 3)
    return room.write(json)
  }

  return {
    find: (id) => {
      const end = writeJson(id)
      const slot = findJson(hashBytes(room, 0, end), room, 0, end)
      return slot < 0 ? undefined : slot
    },
    take: (id) => {
      const end = writeJson(id)
      return takeJson(room, 0, end)
    },
    takeJson,
    idOf: (slot) => {
      const block = blockOf(slot)
      return JSON.parse(block.bytes.toString('utf8', startIn(block, slot), endIn(block, slot)))
    },
    newestOf: (slot) => blockOf(slot).newest[indexOf(slot)] as number,
    setNewest: (slot, newest) => {
      blockOf(slot).newest[indexOf(slot)] = newest
    },
    size: () => size,
  }
}

/**
 * The slots of the living things by the hash of their url. The urls themselves stand in the things: two urls may share
 * a hash, so whoever asks has to look at what is found.
 */
interface UrlTable {
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
