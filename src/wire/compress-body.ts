import { pipeline, Readable, type Transform } from 'node:stream'
import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import type { Chunks } from './render-body.ts'

/** A content encoding that bodies are compressed with. */
export type Compression = 'br' | 'gzip' | 'zstd'

/** Bodies below this many characters or bytes are not worth compressing. */
export const smallestCompressed = 1024

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

const br = promisify<Buffer, zlib.BrotliOptions, Buffer>(zlib.brotliCompress)
const gzip = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gzip)
const packZstd = zstd && promisify<Buffer, zlib.BrotliOptions, Buffer>(zstd.zstdCompress)

/** Pages are seldom asked for, and a person waits for them over a slow line: a quarter less for a millisecond more. */
export const compressPage = (html: string, encoding: Compression): Promise<Buffer> => {
  const bytes = Buffer.from(html)
  if (encoding === 'gzip') return gzip(bytes, { level: 6 })
  if (encoding === 'br') return br(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 5 } })
  return compressWhole(bytes, encoding)
}

/** A whole body compressed, by zlib's thread pool. */
export const compressWhole = (body: string | Buffer, encoding: Compression): Promise<Buffer> => {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  if (encoding === 'zstd' && packZstd !== undefined && zstdOptions !== undefined) return packZstd(bytes, zstdOptions)
  return encoding === 'gzip' ? gzip(bytes, gzipOptions) : br(bytes, brOptions)
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
