import type { Readable } from 'node:stream'
import { compressBody } from './compress-body.ts'
import { createGzip } from './gzip-chunks.ts'
import type { Chunks } from './render-body.ts'

/** A body as it is sent: in chunks, or whole or as a stream. */
export interface EncodedBody {
  readonly encoding: 'br' | 'gzip' | undefined
  readonly chunks?: Chunks
  readonly body?: string | Buffer | Readable
}

/** Encodes bodies as clients accept them, `accepted` being the content encoding that was agreed on. */
export type EncodeBody = (body: string | Buffer | Chunks, accepted: string | false) => EncodedBody

/** An encoder that remembers what it made of bytes that come again. */
export const createBodyEncoder = (): EncodeBody => {
  const gzip = createGzip()

  return (body, accepted) => {
    const encoding = accepted === 'br' || accepted === 'gzip' ? accepted : undefined
    if (encoding === 'gzip' && !isWhole(body)) return { encoding, chunks: gzip.compress(body) }
    const compressed = encoding && compressBody(body, encoding)
    if (compressed !== undefined) return { encoding, body: compressed }
    return { encoding: undefined, ...(isWhole(body) ? { body } : { chunks: body }) }
  }
}

const isWhole = (body: string | Buffer | Chunks): body is string | Buffer =>
  typeof body === 'string' || Buffer.isBuffer(body)
