import { pipeline, Readable, type Transform } from 'node:stream'
import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import { constants, crc32, deflateRaw } from 'node:zlib'
import { createConcurrencyLimiter } from '../scheduling.ts'
import type { Chunk, Chunks } from './render-json.ts'

/** A content encoding of compressed bodies. */
export type Compression = 'br' | 'gzip' | 'zstd'

/** Smaller bodies, in characters or bytes, are not worth compressing. */
export const minCompressedBytes = 1024

/** The part of Node's Zstandard support (RFC 8878) that is used here. Node has it since 22.15. */
interface Zstd {
  readonly zstdCompress: typeof zlib.brotliCompress
  readonly createZstdCompress: (options: { params: Record<number, number> }) => Transform
  readonly constants: { readonly ZSTD_c_compressionLevel: number }
}

const zstd = 'createZstdCompress' in zlib ? (zlib as unknown as Zstd) : undefined

/**
 * The content encodings that responses are offered in, zstd only where this Node has it. If a client prefers several
 * equally, the one that it names first is used.
 */
export const encodings: readonly (Compression | 'identity')[] =
  zstd === undefined ? ['br', 'gzip', 'identity'] : ['br', 'gzip', 'zstd', 'identity']

// The fastest qualities (contributing/decisions/014-compress-listings-in-cached-pieces.md).
const brOptions = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1, [zlib.constants.BROTLI_PARAM_LGWIN]: 18 } }
const gzipOptions = { level: 1 }
const zstdOptions = zstd && { params: { [zstd.constants.ZSTD_c_compressionLevel]: 1 } }

const compressBrotli = promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliCompress)
const compressGzip = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gzip)
const compressZstd = zstd && promisify<Buffer, zlib.BrotliOptions, Buffer>(zstd.zstdCompress)

/** Compresses a page better than other bodies: pages are rarely requested, and a user waits for them. */
export const compressPage = (html: string, encoding: Compression): Promise<Buffer> => {
  const bytes = Buffer.from(html)
  if (encoding === 'gzip') return compressGzip(bytes, { level: 6 })
  if (encoding === 'br') return compressBrotli(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5 } })
  return compressWhole(bytes, encoding)
}

/** Compresses a whole body in zlib's thread pool. */
export const compressWhole = (body: string | Buffer, encoding: Compression): Promise<Buffer> => {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  if (encoding === 'zstd' && compressZstd !== undefined && zstdOptions !== undefined)
    return compressZstd(bytes, zstdOptions)
  return encoding === 'gzip' ? compressGzip(bytes, gzipOptions) : compressBrotli(bytes, brOptions)
}

/**
 * Compresses chunks as a stream, with a compressor of about a megabyte that lives until the chunks end or are returned.
 * The result fails when the chunks fail, so that the connection breaks visibly (contract, sync 13).
 */
export const compressChunks = (chunks: Chunks, encoding: 'br' | 'zstd'): Chunks => {
  const compressor = createCompressor(encoding)
  // The error reaches the reader through the compressor, which pipeline destroys with it.
  pipeline(Readable.from(chunks, { objectMode: false }), compressor, () => undefined)
  const compressed = compressor[Symbol.asyncIterator]() as AsyncIterableIterator<Buffer>
  return {
    next: () => compressed.next(),
    // The iterator's own `return` would leave a stream open that was never read.
    return: async () => {
      compressor.destroy()
      return { value: undefined, done: true }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

const createCompressor = (encoding: 'br' | 'zstd'): Transform =>
  encoding === 'zstd' && zstd !== undefined && zstdOptions !== undefined
    ? zstd.createZstdCompress(zstdOptions)
    : zlib.createBrotliCompress(brOptions)

/*
 * Checksums are joined, because Node's `crc32(bytes, before)` reads all bytes again. That takes longer than sending the
 * cached pieces of a large listing.
 */

/** The polynomial of CRC-32 (RFC 1952, 8) over GF(2). The highest bit stands for x to the power of 0. */
const polynomial = 0xedb88320
const unitPolynomial = 0x80000000

/** Multiplies two polynomials modulo the polynomial of CRC-32. */
const multiply = (a: number, b: number): number => {
  let product = 0
  let shifted = b
  for (let bit = unitPolynomial; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= shifted
    shifted = (shifted & 1) === 0 ? shifted >>> 1 : (shifted >>> 1) ^ polynomial
  }
  return product >>> 0
}

/** x to the powers of 8, 16, 32 …: the factors for one, two, four … zero bytes that follow the bytes of a checksum. */
const zeroByteFactors: number[] = [unitPolynomial >>> 8]
for (let power = 1; power < 32; power += 1) {
  const half = zeroByteFactors[power - 1] as number
  zeroByteFactors.push(multiply(half, half))
}

/** Returns the CRC-32 of two joined byte sequences from the CRC-32 of each; `size` is the length of the second. */
export const joinChecksums = (before: number, behind: number, size: number): number => {
  let shifted = before
  for (let power = 0, left = size; left > 0; power += 1, left = Math.floor(left / 2))
    if (left % 2 === 1) shifted = multiply(zeroByteFactors[power] as number, shifted)
  return (shifted ^ behind) >>> 0
}

/*
 * Compressed pieces are cached, because `zlib.createGzip` makes each download of a large listing many times slower than no
 * compression. With cached pieces, downloads after the second are faster (row `gzip-listing` of the benchmarks).
 */

/** Compresses responses in chunks, and caches the result for bytes that are sent again. */
interface Gzip {
  /** Compresses the chunks to one gzip file (RFC 1952). The result fails when the chunks fail. */
  readonly compress: (chunks: Chunks) => Chunks
}

const deflate = promisify(deflateRaw)

/** Smaller chunks, in bytes, are not worth a call of the thread pool. */
const minDeflatedBytes = 256

/** Smaller chunks, in bytes, are not worth caching. */
const minCachedBytes = 32 * 1024

const fastLevel = 1
const thoroughLevel = 6

/** Chunks that are compressed at once: each needs a quarter of a megabyte, and the thread pool is small. */
const maxConcurrentChunks = 4

const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
const lastBlock = [0x03, 0x00]

/** The cached results for a chunk. */
interface Piece {
  readonly checksum: number
  /** The chunk in thorough compression, once that is done. */
  packed?: Buffer
  /** The compression under way. Concurrent readers share it, so that they hold one copy. */
  underWay?: Promise<Buffer> | undefined
}

/**
 * Creates a gzip compressor that caches compressed chunks as long as their source bytes are referenced. It compresses
 * bytes fast the first time and thoroughly the second time. After that it reads them no more.
 */
export const createGzip = (): Gzip => {
  const cache = new WeakMap<Buffer, Piece>()
  const runLimited = createConcurrencyLimiter(maxConcurrentChunks)

  const addPiece = (bytes: Buffer): Piece => {
    const piece = { checksum: crc32(bytes) }
    if (bytes.length >= minCachedBytes) cache.set(bytes, piece)
    return piece
  }

  const packThoroughly = async (bytes: Buffer, piece: Piece): Promise<Buffer> => {
    piece.packed = await deflatePiece(bytes, thoroughLevel)
    return piece.packed
  }

  const pack = (bytes: Buffer, piece: Piece, isNew: boolean): Buffer | Promise<Buffer> => {
    if (piece.packed !== undefined) return piece.packed
    if (bytes.length < minDeflatedBytes) return storeBytes(bytes)
    piece.underWay ??= runLimited(() =>
      isNew ? deflatePiece(bytes, fastLevel) : packThoroughly(bytes, piece),
    ).finally(() => {
      piece.underWay = undefined
    })
    return piece.underWay
  }

  async function* compress(chunks: AsyncIterable<Chunk>): AsyncGenerator<Chunk, void, undefined> {
    let [checksum, size] = [0, 0]
    yield gzipHeader
    for await (const chunk of chunks) {
      if (chunk.length === 0) continue
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      const cached = cache.get(bytes)
      const piece = cached ?? addPiece(bytes)
      checksum = joinChecksums(checksum, piece.checksum, bytes.length)
      size += bytes.length
      yield await pack(bytes, piece, cached === undefined)
    }
    const trailer = Buffer.from([...lastBlock, 0, 0, 0, 0, 0, 0, 0, 0])
    trailer.writeUInt32LE(checksum, lastBlock.length)
    trailer.writeUInt32LE(size % 2 ** 32, lastBlock.length + 4)
    yield trailer
  }

  return { compress: (chunks) => closeBoth(compress(chunks), chunks) }
}

/** Compresses a piece that ends on a byte boundary, so that separate pieces can be concatenated. */
const deflatePiece = (bytes: Buffer, level: number): Promise<Buffer> =>
  deflate(bytes, { level, finishFlush: constants.Z_SYNC_FLUSH })

/** Creates a block without compression (RFC 1951, 3.2.4). */
const storeBytes = (bytes: Buffer): Buffer => {
  const head = Buffer.alloc(5)
  head.writeUInt16LE(bytes.length, 1)
  head.writeUInt16LE(0xffff - bytes.length, 3)
  return Buffer.concat([head, bytes])
}

/** Returns both iterators: a generator that was never read does not return its source. */
const closeBoth = (compressed: AsyncGenerator<Chunk, void, undefined>, chunks: Chunks): Chunks => ({
  next: () => compressed.next(),
  return: async () => {
    await chunks.return?.()
    return compressed.return()
  },
  [Symbol.asyncIterator]() {
    return this
  },
})

/** A body in the form in which it is sent: whole, or in chunks. */
interface EncodedBody {
  readonly encoding: Compression | undefined
  readonly body: string | Buffer | Chunks
}

/** Encodes bodies in the content encodings that clients accept. */
interface BodyEncoder {
  /** Lists the content encodings for a body; there are fewer while many large bodies are being compressed. */
  readonly offer: (body: string | Buffer | Chunks) => readonly (Compression | 'identity')[]
  /** Encodes a body in the negotiated encoding; false stands for none. */
  readonly encode: (body: string | Buffer | Chunks, accepted: string | false) => Promise<EncodedBody>
}

/** Whole bodies that are compressed at once. */
const maxConcurrentBodies = 4

/** Large bodies that have a compressor of their own at once: each needs about a megabyte until its end. */
const maxCompressors = 16

/** Creates an encoder that caches compressed chunks of bytes that are sent again. */
export const createBodyEncoder = (): BodyEncoder => {
  const gzip = createGzip()
  const runLimited = createConcurrencyLimiter(maxConcurrentBodies)
  let compressorCount = 0

  const compress = (chunks: Chunks, encoding: 'br' | 'zstd'): Chunks => {
    compressorCount += 1
    return callWhenEnded(compressChunks(chunks, encoding), () => {
      compressorCount -= 1
    })
  }

  return {
    offer: (body) => (isWhole(body) || compressorCount < maxCompressors ? encodings : cheapEncodings),
    encode: async (body, accepted) => {
      const encoding = encodings.find((known) => known !== 'identity' && known === accepted) as Compression | undefined
      if (encoding === undefined) return { encoding, body }
      if (!isWhole(body))
        return { encoding, body: encoding === 'gzip' ? gzip.compress(body) : compress(body, encoding) }
      if (body.length < minCompressedBytes) return { encoding: undefined, body }
      return { encoding, body: await runLimited(() => compressWhole(body, encoding)) }
    },
  }
}

/** The encodings that need little memory for a response: gzip's pieces are cached with their source bytes. */
const cheapEncodings = ['gzip', 'identity'] as const

/** True for a body that is not in chunks. */
export const isWhole = (body: string | Buffer | Chunks): body is string | Buffer =>
  typeof body === 'string' || Buffer.isBuffer(body)

/** Passes the chunks on and calls `onEnd` once, when they have ended, failed or were returned. */
const callWhenEnded = (chunks: Chunks, onEnd: () => void): Chunks => {
  let isEnded = false
  const noteEnd = (): void => {
    if (!isEnded) onEnd()
    isEnded = true
  }
  return {
    next: async () => {
      try {
        const result = await chunks.next()
        if (result.done === true) noteEnd()
        return result
      } catch (error) {
        noteEnd()
        throw error
      }
    },
    return: async () => {
      noteEnd()
      return (await chunks.return?.()) ?? { value: undefined, done: true }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
