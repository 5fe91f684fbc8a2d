import { hashBytes } from './hash-bytes.ts'
import { createHashTable } from './hash-table.ts'

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
