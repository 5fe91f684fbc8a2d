import { randomBytes } from 'node:crypto'

// Different in each process, so that no client can choose texts with colliding hashes.
const seed = randomBytes(4).readInt32LE()

const byteAt = (bytes: Uint8Array, index: number): number => bytes[index] as number

/** Hashes bytes to a number of 32 bits: FNV-1a with four bytes at a time, and a final mix of the bits. */
export const hashBytes = (bytes: Uint8Array, start: number, end: number): number => {
  let hash = seed ^ (end - start)
  let index = start
  for (; index + 4 <= end; index += 4) {
    const high = (byteAt(bytes, index + 2) << 16) | (byteAt(bytes, index + 3) << 24)
    const word = byteAt(bytes, index) | (byteAt(bytes, index + 1) << 8) | high
    hash = Math.imul(hash ^ word, 0x01000193)
    // FNV does this byte by byte: high bits of the word must reach low bits of the hash.
    hash ^= hash >>> 15
  }
  for (; index < end; index += 1) hash = Math.imul(hash ^ byteAt(bytes, index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

/**
 * An open addressing hash table (linear probing) of small numbers; several numbers may share a hash. An entry takes 8
 * bytes, and the table is at most three quarters full; a Map with string keys takes ten times as much. The table has
 * parts, selected by the first bits of a hash (extendible hashing). A full part is split into two, so no `add` ever
 * moves more than one part, however large the table is.
 */
export interface HashTable {
  /**
   * Finds the bucket of the first number with a hash, or -1. It is valid until the next `first`, `add` or `removeAt`.
   */
  readonly first: (hash: number) => number
  /** Finds the bucket of the next number with the same hash, or -1. */
  readonly next: (bucket: number) => number
  readonly valueAt: (bucket: number) => number
  readonly setValueAt: (bucket: number, value: number) => void
  /** Adds a value, a whole number of 31 bits other than -1. */
  readonly add: (hash: number, value: number) => void
  readonly removeAt: (bucket: number) => void
}

/** Hash and value are side by side, so that a lookup touches one stretch of memory. */
interface Part {
  /** A stored value is one more than the given value: 0 is an empty bucket. */
  entries: Int32Array
  mask: number
  count: number
  /** Number of the first bits that all hashes in the part share. */
  readonly bits: number
}

const firstCapacity = 16
/** Capacity of a part before it is split; a split takes some microseconds. */
const maxCapacity = 4096
/** Parts whose hashes share so many bits are not split any more. */
const maxBits = 20

const createPart = (capacity: number, bits: number): Part => ({
  entries: new Int32Array(capacity * 2),
  mask: capacity - 1,
  count: 0,
  bits,
})

const put = (part: Part, hash: number, stored: number): void => {
  const { entries, mask } = part
  let bucket = hash & mask
  while (entries[bucket * 2 + 1] !== 0) bucket = (bucket + 1) & mask
  entries[bucket * 2] = hash
  entries[bucket * 2 + 1] = stored
  part.count += 1
}

const moveAll = ({ entries }: Part, partOf: (hash: number) => Part): void => {
  for (let index = 0; index < entries.length; index += 2)
    if (entries[index + 1] !== 0)
      put(partOf(entries[index] as number), entries[index] as number, entries[index + 1] as number)
}

/** Creates an empty table. */
export const createHashTable = (): HashTable => {
  // Indexed by the first `bits` bits of a hash; a part is at all indexes whose bits begin with its own bits.
  let parts = [createPart(firstCapacity, 0)]
  let bits = 0
  // The part of the last hash.
  let part = parts[0] as Part

  // A shift by 32 is a shift by 0 in JavaScript.
  const partOf = (hash: number): Part => parts[bits === 0 ? 0 : hash >>> (32 - bits)] as Part

  const seek = (from: number, hash: number): number => {
    const { entries, mask } = part
    let bucket = from
    while (entries[bucket * 2 + 1] !== 0) {
      if (entries[bucket * 2] === hash) return bucket
      bucket = (bucket + 1) & mask
    }
    return -1
  }

  const replacePart = (old: Part, next: (index: number) => Part): void => {
    for (const [index, found] of parts.entries()) if (found === old) parts[index] = next(index)
  }

  const growTable = (full: Part): void => {
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
    for (let found = partOf(hash); (found.count + 1) * 4 > (found.mask + 1) * 3; found = partOf(hash)) growTable(found)
    put(partOf(hash), hash | 0, value + 1)
  }

  // Later entries move up into the gap; otherwise a lookup would not find them (backward shift deletion).
  const removeAt = (removed: number): void => {
    const { entries, mask } = part
    let gap = removed
    for (let bucket = (gap + 1) & mask; entries[bucket * 2 + 1] !== 0; bucket = (bucket + 1) & mask) {
      const home = (entries[bucket * 2] as number) & mask
      if (((bucket - home) & mask) < ((bucket - gap) & mask)) continue
      entries[gap * 2] = entries[bucket * 2] as number
      entries[gap * 2 + 1] = entries[bucket * 2 + 1] as number
      gap = bucket
    }
    entries[gap * 2 + 1] = 0
    part.count -= 1
  }

  return {
    first: (hash) => {
      part = partOf(hash)
      return seek(hash & part.mask, hash | 0)
    },
    next: (bucket) => seek((bucket + 1) & part.mask, part.entries[bucket * 2] as number),
    valueAt: (bucket) => (part.entries[bucket * 2 + 1] as number) - 1,
    setValueAt: (bucket, value) => {
      part.entries[bucket * 2 + 1] = value + 1
    },
    add,
    removeAt,
  }
}

/** A reference to a version: the position of a thing, the negative position of a tombstone, 0 for none. */
export type Reference = number

/** All ids that an account ever had. Each has a small permanent number, its slot, and its newest version. */
export interface IdIndex {
  readonly find: (id: string) => number | undefined
  /** Returns the slot of an id; a new id gets a new slot. */
  readonly take: (id: string) => number
  /** Does the same for an id as JSON text, with quotes. A new slot equals the previous `size`. */
  readonly takeJson: (bytes: Buffer, start: number, end: number) => number
  readonly idOf: (slot: number) => string
  readonly newestOf: (slot: number) => Reference
  readonly setNewest: (slot: number, newest: Reference) => void
  /** Number of ids. */
  readonly size: () => number
}

/**
 * Up to 1024 ids as JSON text: different ids have different texts, whatever characters they contain. Large arrays are
 * never copied as a whole, and full blocks have no unused capacity.
 */
interface IdBlock {
  bytes: Buffer
  /** The end offset of each id. */
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

/** Creates an empty index. */
export const createIdIndex = (): IdIndex => {
  const blocks: IdBlock[] = []
  const slots = createHashTable()
  let size = 0
  let buffer = Buffer.alloc(64)

  const blockOf = (slot: number): IdBlock => blocks[slot >>> blockBits] as IdBlock

  /** A block after another one is expected to become equally large. */
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
    let bucket = slots.first(hash)
    while (bucket >= 0 && !isAt(slots.valueAt(bucket), bytes, start, end)) bucket = slots.next(bucket)
    return bucket < 0 ? -1 : slots.valueAt(bucket)
  }

  const takeJson = (bytes: Buffer, start: number, end: number): number => {
    const hash = hashBytes(bytes, start, end)
    const found = findJson(hash, bytes, start, end)
    if (found >= 0) return found
    slots.add(hash, size)
    return add(bytes, start, end)
  }

  /** Writes an id to the beginning of `buffer`, and enlarges `buffer` if necessary. */
  const writeJson = (id: string): number => {
    const json = JSON.stringify(id)
    if (json.length * 3 > buffer.length) buffer = Buffer.alloc(json.length * 3)
    return buffer.write(json)
  }

  return {
    find: (id) => {
      const end = writeJson(id)
      const slot = findJson(hashBytes(buffer, 0, end), buffer, 0, end)
      return slot < 0 ? undefined : slot
    },
    take: (id) => {
      const end = writeJson(id)
      return takeJson(buffer, 0, end)
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
 * The slots of the living things by the hash of their URL. The table does not contain the URLs, and two URLs may share
 * a hash. So the caller must compare the URLs of the things that it finds.
 */
interface UrlTable {
  readonly add: (urlHash: number, slot: number) => void
  readonly remove: (urlHash: number, slot: number) => void
  readonly find: (urlHash: number) => Iterable<number>
}

/** Creates an empty table. */
export const createUrlTable = (): UrlTable => {
  // A slot, or a number from -2 downward for a group of slots that share a hash: thousands may have the same URL.
  const table = createHashTable()
  const groups = new Map<number, Set<number>>()
  let groupCount = 0

  const add = (urlHash: number, slot: number): void => {
    const bucket = table.first(urlHash)
    if (bucket < 0) {
      table.add(urlHash, slot)
      return
    }
    const found = table.valueAt(bucket)
    if (groups.get(found)?.add(slot) !== undefined) return
    groupCount += 1
    groups.set(-1 - groupCount, new Set([found, slot]))
    table.setValueAt(bucket, -1 - groupCount)
  }

  const remove = (urlHash: number, slot: number): void => {
    const bucket = table.first(urlHash)
    if (bucket < 0) return
    const found = table.valueAt(bucket)
    const group = groups.get(found) ?? new Set([found])
    group.delete(slot)
    if (group.size > 0) return
    groups.delete(found)
    table.removeAt(bucket)
  }

  const find = (urlHash: number): Iterable<number> => {
    const bucket = table.first(urlHash)
    if (bucket < 0) return []
    const found = table.valueAt(bucket)
    return groups.get(found) ?? [found]
  }

  return { add, remove, find }
}
