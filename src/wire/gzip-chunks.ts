/*
 * Why pieces are kept: through `zlib.createGzip`, each download of a large listing takes at least 10 times as long as without
 * compression; with kept pieces, each one after the second takes a third (row `gzip-listing` of the benchmarks).
 */
import { promisify } from 'node:util'
import { constants, crc32, deflateRaw } from 'node:zlib'
import { createRunLimited } from '../run-limited.ts'
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

/** Chunks that are compressed at once: each takes a quarter of a megabyte meanwhile, and there are few threads. */
const atOnce = 4

const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
const lastBlock = [0x03, 0x00]

/** What is known of a chunk. */
interface Piece {
  readonly checksum: number
  /** The chunk compressed thoroughly, once that is done. */
  packed?: Buffer
  /** It is just being compressed, for all who ask for it meanwhile: many readers hold one copy. */
  underWay?: Promise<Buffer> | undefined
}

/**
 * Remembers compressed chunks for as long as somebody keeps the bytes that they were made of. Bytes that come for the
 * first time are compressed fast; when they come again, thoroughly, and from then on not looked at at all.
 */
export const createGzip = (): Gzip => {
  const known = new WeakMap<Buffer, Piece>()
  const runLimited = createRunLimited(atOnce)

  const learn = (bytes: Buffer): Piece => {
    const piece = { checksum: crc32(bytes) }
    if (bytes.length >= smallestRemembered) known.set(bytes, piece)
    return piece
  }

  const packThoroughly = async (bytes: Buffer, piece: Piece): Promise<Buffer> => {
    piece.packed = await deflatePiece(bytes, thorough)
    return piece.packed
  }

  const pack = (bytes: Buffer, piece: Piece, isNew: boolean): Buffer | Promise<Buffer> => {
    if (piece.packed !== undefined) return piece.packed
    if (bytes.length < smallest) return storeBytes(bytes)
    piece.underWay ??= runLimited(() => (isNew ? deflatePiece(bytes, fast) : packThoroughly(bytes, piece))).finally(
      () => {
        piece.underWay = undefined
      },
    )
    return piece.underWay
  }

  async function* compress(chunks: AsyncIterable<Chunk>): AsyncGenerator<Chunk, void, undefined> {
    let [checksum, size] = [0, 0]
    yield header
    for await (const chunk of chunks) {
      if (chunk.length === 0) continue
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      const remembered = known.get(bytes)
      const piece = remembered ?? learn(bytes)
      checksum = joinChecksums(checksum, piece.checksum, bytes.length)
      size += bytes.length
      yield await pack(bytes, piece, remembered === undefined)
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
