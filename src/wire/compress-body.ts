import { pipeline, Readable } from 'node:stream'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import type { Chunk } from './render-json.ts'

/** The content encodings that answers are offered in; of those that a client likes equally the one it names first. */
export const encodings = ['br', 'gzip', 'identity'] as const

/** Bodies below this many characters or bytes are not worth compressing. */
export const smallestCompressed = 1024

/**
 * The body compressed by zlib's thread pool, or undefined when it is too small for that. An error of the body ends the
 * compressed stream too, so that the connection breaks visibly (contract, sync 13).
 */
export const compressBody = (
  body: string | Buffer | AsyncIterable<Chunk>,
  encoding: 'br' | 'gzip',
): Readable | undefined => {
  if (isWhole(body) && body.length < smallestCompressed) return undefined
  // The fastest qualities: a fifth of the bytes for the least time (docs/architecture.md).
  const compressor =
    encoding === 'br'
      ? createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })
      : createGzip({ level: 1 })
  // The error reaches the reader through the compressor, which pipeline destroys with it.
  pipeline(Readable.from(isWhole(body) ? [body] : body, { objectMode: false }), compressor, () => undefined)
  return compressor
}

const isWhole = (body: string | Buffer | AsyncIterable<Chunk>): body is string | Buffer =>
  typeof body === 'string' || Buffer.isBuffer(body)
