import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'
import { joinChecksums } from './join-checksums.ts'
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

/** What is known of a chunk. */
interface Piece {
  readonly checksum: number
  /** The chunk compressed thoroughly, once that is done. */
  packed?: Buffer
}

/**
 * Remembers compressed chunks for as long as somebody keeps the bytes that they were made of. Bytes that come for the
 * first time are compressed fast; when they come again, thoroughly, and from then on not looked at at all.
 */
export const createGzip = (): Gzip => {
  const known = new WeakMap<Buffer, Piece>()

  const pack = async (chunk: Buffer, piece: Piece | undefined): Promise<Buffer> => {
    if (chunk.length < smallest) return storeBytes(chunk)
    if (piece === undefined) return deflatePiece(chunk, fast)
    piece.packed = await deflatePiece(chunk, thorough)
    return piece.packed
  }

  async function* compress(chunks: AsyncIterable<Chunk>): AsyncGenerator<Chunk, void, undefined> {
    let [checksum, size] = [0, 0]
    yield header
    for await (const chunk of chunks) {
      if (chunk.length === 0) continue
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      const piece = known.get(bytes)
      const own = piece?.checksum ?? crc32(bytes)
      checksum = joinChecksums(checksum, own, bytes.length)
      size += bytes.length
      yield piece?.packed ?? (await pack(bytes, piece))
      if (piece === undefined && bytes.length >= smallestRemembered) known.set(bytes, { checksum: own })
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
