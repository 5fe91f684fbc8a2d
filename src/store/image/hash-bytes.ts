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
