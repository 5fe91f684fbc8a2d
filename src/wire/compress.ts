import { pipeline, Readable, type Transform } from 'node:stream'
import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import { constants, crc32, deflateRaw } from 'node:zlib'
import { createConcurrencyLimiter } from '../scheduling.ts'
import type { Chunk, Chunks } from './render-json.ts'

/** A content encoding that bodies are compressed with. */
export type Compression = 'br' | 'gzip' | 'zstd'

/** Bodies below this many characters or bytes are not worth compressing. */
export const minCompressedBytes = 1024

/** What Node has from 22.15 on (RFC 8878), as far as it is used here. */
interface Zstd {
  readonly zstdCompress: typeof zlib.brotliCompress
  readonly createZstdCompress: (options: { params: Record<number, number> }) => Transform
  readonly constants: { readonly ZSTD_c_compressionLevel: number }
}

const zstd = 'createZstdCompress' in zlib ? (zlib as unknown as Zstd) : undefined

/**
 * The content encodings that answers are offered in; of those that a client likes equally the one it names first. zstd
 * only where this Node has it.
 */
export const encodings: readonly (Compression | 'identity')[] =
  zstd === undefined ? ['br', 'gzip', 'identity'] : ['br', 'gzip', 'zstd', 'identity']

// The fastest qualities: a fifth of the bytes for the least time (docs/architecture.md).
const brOptions = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1, [zlib.constants.BROTLI_PARAM_LGWIN]: 18 } }
const gzipOptions = { level: 1 }
const zstdOptions = zstd && { params: { [zstd.constants.ZSTD_c_compressionLevel]: 1 } }

const compressBrotli = promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliCompress)
const compressGzip = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gzip)
const compressZstd = zstd && promisify<Buffer, zlib.BrotliOptions, Buffer>(zstd.zstdCompress)

/** Pages are seldom asked for, and a person waits for them over a slow line: a quarter less for a millisecond more. */
export const compressPage = (html: string, encoding: Compression): Promise<Buffer> => {
  const bytes = Buffer.from(html)
  if (encoding === 'gzip') return compressGzip(bytes, { level: 6 })
  if (encoding === 'br') return compressBrotli(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5 } })
  return compressWhole(bytes, encoding)
}

/** A whole body compressed, by zlib's thread pool. */
export const compressWhole = (body: string | Buffer, encoding: Compression): Promise<Buffer> => {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  if (encoding === 'zstd' && compressZstd !== undefined && zstdOptions !== undefined)
    return compressZstd(bytes, zstdOptions)
  return encoding === 'gzip' ? compressGzip(bytes, gzipOptions) : compressBrotli(bytes, brOptions)
}

/**
 * Chunks compressed on their way, with a compressor of their own that takes about a megabyte until they end or are
 * returned. Fail as the chunks do, so that the connection breaks visibly (contract, sync 13).
 */
export const compressChunks = (chunks: Chunks, encoding: 'br' | 'zstd'): Chunks => {
  const compressor = createCompressor(encoding)
  // The error reaches the reader through the compressor, which pipeline destroys with it.
  pipeline(Readable.from(chunks, { objectMode: false }), compressor, () => undefined)
  const compressed = compressor[Symbol.asyncIterator]() as AsyncIterableIterator<Buffer>
  return {
    next: () => compressed.next(),
    // The iterator alone would leave what was not begun open.
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
 * Why not `crc32(bytes, before)` of Node: it reads all bytes again, which takes longer than sending the kept pieces of a
 * large listing, so that gzip would hardly be faster than no compression.
 */

/** CRC-32 (RFC 1952, 8) as a polynomial over GF(2), the highest bit for x to the power of 0. */
const polynomial = 0xedb88320
const unitPolynomial = 0x80000000

/** The product of two polynomials, modulo the one of CRC-32. */
const multiply = (a: number, b: number): number => {
  let product = 0
  let shifted = b
  for (let bit = unitPolynomial; bit !== 0; bit >>>= 1) {
    if ((a & bit) !== 0) product ^= shifted
    shifted = (shifted & 1) === 0 ? shifted >>> 1 : (shifted >>> 1) ^ polynomial
  }
  return product >>> 0
}

/** x to the powers of 8, 16, 32 …: what one, two, four … bytes of zeros behind it make of a checksum. */
const zeroBytes: number[] = [unitPolynomial >>> 8]
for (let power = 1; power < 32; power += 1) {
  const half = zeroBytes[power - 1] as number
  zeroBytes.push(multiply(half, half))
}

/** The CRC-32 of bytes with others behind them, of which there are `size`, from the CRC-32 of each. */
export const joinChecksums = (before: number, behind: number, size: number): number => {
  let shifted = before
  for (let power = 0, left = size; left > 0; power += 1, left = Math.floor(left / 2))
    if (left % 2 === 1) shifted = multiply(zeroBytes[power] as number, shifted)
  return (shifted ^ behind) >>> 0
}

/*
 * Why pieces are kept: through `zlib.createGzip`, each download of a large listing takes at least 10 times as long as without
 * compression; with kept pieces, each one after the second takes a third (row `gzip-listing` of the benchmarks).
 */

/** Compresses answers in chunks, remembering what it did to bytes that come again. */
interface Gzip {
  /** The chunks as one gzip file (RFC 1952). Fails as they do. */
  readonly compress: (chunks: Chunks) => Chunks
}

const deflate = promisify(deflateRaw)

/** Below this many bytes a chunk is not worth a trip to the thread pool. */
const minDeflatedBytes = 256

/** From this many bytes on it is worth remembering what became of a chunk. */
const minCachedBytes = 32 * 1024

const fastLevel = 1
const thoroughLevel = 6

/** Chunks that are compressed at once: each takes a quarter of a megabyte meanwhile, and there are few threads. */
const maxConcurrentChunks = 4

const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
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
  const runLimited = createConcurrencyLimiter(maxConcurrentChunks)

  const learn = (bytes: Buffer): Piece => {
    const piece = { checksum: crc32(bytes) }
    if (bytes.length >= minCachedBytes) known.set(bytes, piece)
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

  return { compress: (chunks) => closeBoth(compress(chunks), chunks) }
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

/** A body as it is sent: whole, or in chunks. */
interface EncodedBody {
  readonly encoding: Compression | undefined
  readonly body: string | Buffer | Chunks
}

/** Encodes bodies as clients accept them. */
interface BodyEncoder {
  /** The content encodings that a body may have now; they are fewer while many large ones are being compressed. */
  readonly offer: (body: string | Buffer | Chunks) => readonly (Compression | 'identity')[]
  /** Encodes a body in the one that was agreed on; false stands for none. */
  readonly encode: (body: string | Buffer | Chunks, accepted: string | false) => Promise<EncodedBody>
}

/** Whole bodies that are compressed at once. */
const maxConcurrentBodies = 4

/** Large bodies that are on their way through a compressor of their own: each takes a megabyte for as long as that. */
const maxCompressors = 16

/** An encoder that remembers what it made of bytes that come again. */
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

/** What costs an answer little memory: pieces of gzip are kept with the bytes that they were made of. */
const cheapEncodings = ['gzip', 'identity'] as const

/** True for a body that is not in chunks. */
export const isWhole = (body: string | Buffer | Chunks): body is string | Buffer =>
  typeof body === 'string' || Buffer.isBuffer(body)

/** The same chunks; `end` is called once, when they have ended, failed or were returned. */
const callWhenEnded = (chunks: Chunks, end: () => void): Chunks => {
  let isEnded = false
  const noteEnd = (): void => {
    if (!isEnded) end()
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
