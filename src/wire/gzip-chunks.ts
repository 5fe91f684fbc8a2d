import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'
import type { Chunks } from './render-body.ts'
import type { Chunk } from './render-json.ts'

/** Compresses answers in chunks, remembering what it did to bytes that come again. */
export interface Gzip {
  /** The chunks as one gzip file (RFC 1952). Fails as they do. */
  readonly compress: (chunks: Chunks) => Chunks
}

const deflate = promisify(deflateRaw)

/** Below this many bytes a chunk is not worth a trip to the thread pool. */
const smallest = 256

/** From this many bytes on it is worth remembering what became of a chunk. */
const smallestRemembered = 32 * 1024

const fast = 1
const thorough = 6

const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
const lastBlock = [0x03, 0x00]

/**
 * Remembers compressed chunks for as long as somebody keeps the bytes that they were made of. Bytes that come for the
 * first time are compressed fast; when they come again, thoroughly, and from then on not at all.
 */
export const createGzip = (): Gzip => {
  const known = new WeakMap<Buffer, { packed: Buffer | undefined }>()

  const pack = async (chunk: Buffer): Promise<Buffer> => {
    if (chunk.length < smallest) return storeBytes(chunk)
    const memory = known.get(chunk)
    if (memory?.packed !== undefined) return memory.packed
    const packed = await deflatePiece(chunk, memory === undefined ? fast : thorough)
    if (memory !== undefined) memory.packed = packed
    else if (chunk.length >= smallestRemembered) known.set(chunk, { packed: undefined })
    return packed
  }

  async function* compress(chunks: AsyncIterable<Chunk>): AsyncGenerator<Chunk, void, undefined> {
    let [checksum, size] = [0, 0]
    yield header
    for await (const chunk of chunks) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      checksum = crc32(bytes, checksum)
      size += bytes.length
      if (bytes.length > 0) yield await pack(bytes)
    }
    const trailer = Buffer.from([...lastBlock, 0, 0, 0, 0, 0, 0, 0, 0])
    trailer.writeUInt32LE(checksum, lastBlock.length)
    trailer.writeUInt32LE(size % 2 ** 32, lastBlock.length + 4)
    yield trailer
  }

  return { compress: (chunks) => returnBoth(compress(chunks), chunks) }
}

/** Ends on a byte, so that pieces that were compressed apart can stand behind each other. */
const deflatePiece = (bytes: Buffer, level: number): Promise<Buffer> =>
  deflate(bytes, { level, finishFlush: constants.Z_SYNC_FLUSH })

/** A block that is not compressed (RFC 1951, 3.2.4). */
const storeBytes = (bytes: Buffer): Buffer => {
  const head = Buffer.alloc(5)
  head.writeUInt16LE(bytes.length, 1)
  head.writeUInt16LE(0xffff - bytes.length, 3)
  return Buffer.concat([head, bytes])
}

/** A generator that was not begun would not give back what it reads from. */
const returnBoth = (compressed: AsyncGenerator<Chunk, void, undefined>, chunks: Chunks): Chunks => ({
  next: () => compressed.next(),
  return: async () => {
    await chunks.return?.()
    return compressed.return()
  },
  [Symbol.asyncIterator]() {
    return this
  },
})
