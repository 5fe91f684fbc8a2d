import { createRunLimited } from '../run-limited.ts'
import { type Compression, compressChunks, compressWhole, encodings, smallestCompressed } from './compress-body.ts'
import { createGzip } from './gzip-chunks.ts'
import type { Chunks } from './render-body.ts'

/** A body as it is sent: whole, or in chunks. */
export interface EncodedBody {
  readonly encoding: Compression | undefined
  readonly body: string | Buffer | Chunks
}

/** Encodes bodies as clients accept them. */
export interface BodyEncoder {
  /** The content encodings that a body may have now; they are fewer while many large ones are being compressed. */
  readonly offer: (body: string | Buffer | Chunks) => readonly (Compression | 'identity')[]
  /** Encodes a body in the one that was agreed on; false stands for none. */
  readonly encode: (body: string | Buffer | Chunks, accepted: string | false) => Promise<EncodedBody>
}

/** Whole bodies that are compressed at once. */
const wholeAtOnce = 4

/** Large bodies that are on their way through a compressor of their own: each takes a megabyte for as long as that. */
const compressorsAtOnce = 16

/** An encoder that remembers what it made of bytes that come again. */
export const createBodyEncoder = (): BodyEncoder => {
  const gzip = createGzip()
  const runLimited = createRunLimited(wholeAtOnce)
  let compressorCount = 0

  const compress = (chunks: Chunks, encoding: 'br' | 'zstd'): Chunks => {
    compressorCount += 1
    return whenEnded(compressChunks(chunks, encoding), () => {
      compressorCount -= 1
    })
  }

  return {
    offer: (body) => (isWhole(body) || compressorCount < compressorsAtOnce ? encodings : cheapEncodings),
    encode: async (body, accepted) => {
      const encoding = encodings.find((known) => known !== 'identity' && known === accepted) as Compression | undefined
      if (encoding === undefined) return { encoding, body }
      if (!isWhole(body))
        return { encoding, body: encoding === 'gzip' ? gzip.compress(body) : compress(body, encoding) }
      if (body.length < smallestCompressed) return { encoding: undefined, body }
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
const whenEnded = (chunks: Chunks, end: () => void): Chunks => {
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
