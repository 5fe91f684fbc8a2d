import { randomBytes } from 'node:crypto'

// Another one in each process, so that no client can choose texts that fall together.
const seed = randomBytes(4).readInt32LE()

/** The hash of some bytes, a number of 32 bits: FNV-1a, its bits mixed in the end. The same only within one process. */
export const hashBytes = (bytes: Uint8Array, start: number, end: number): number => {
  let hash = seed
  for (let index = start; index < end; index += 1) hash = Math.imul(hash ^ (bytes[index] as number), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}
