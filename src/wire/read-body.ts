import type { IncomingMessage } from 'node:http'
import { Refused } from '../refused.ts'

/** Bytes from which on a body is long. */
export const longBytes = 64 * 1024

/**
 * Reads the whole body of a request, at most `maxBytes` received bytes. Refuses a larger one (`bodyTooLarge`) as soon
 * as its length is announced or passed; the rest is received and dropped, because many clients look for an answer only
 * when they have sent everything. Refuses a body that its sender cuts off (`bodyCutOff`) and one with a content encoding (`unsupportedMediaType`).
 */
export const readBody = (stream: IncomingMessage, maxBytes: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const encoding = stream.headers['content-encoding']?.trim().toLowerCase() ?? ''
    if (encoding !== '' && encoding !== 'identity') {
      throw new Refused('unsupportedMediaType', { contentType: 'a compressed body' })
    }
    const announced = Number(stream.headers['content-length'] ?? 0)
    if (announced > maxBytes) throw new Refused('bodyTooLarge', { maxBytes })
    // A stream that is closed already will not say so again.
    if (stream.destroyed && !stream.readableEnded) throw new Refused('bodyCutOff')

    // Chunks are put together as they arrive: at the end of a long body that would keep everybody waiting. What is
    // announced is believed only up to a few times what was received.
    let body: Buffer = Buffer.alloc(0)
    let size = 0
    const add = (chunk: Buffer) => {
      if (size === 0) body = chunk
      else {
        if (size + chunk.length > body.length) body = growTo(body, size, size + chunk.length, announced)
        body.set(chunk, size)
      }
      size += chunk.length
    }
    const stopListening = () => {
      stream.off('data', take).off('end', finish).off('close', cutOff).off('error', fail)
    }
    const take = (chunk: Buffer) => {
      if (size + chunk.length <= maxBytes) return add(chunk)
      stopListening()
      stream.resume()
      reject(new Refused('bodyTooLarge', { maxBytes }))
    }
    const finish = () => {
      stopListening()
      resolve(body.subarray(0, size))
    }
    const cutOff = () => {
      stopListening()
      reject(new Refused('bodyCutOff'))
    }
    const fail = (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET') return cutOff()
      stopListening()
      reject(error)
    }
    stream.on('data', take).on('end', finish).on('close', cutOff).on('error', fail)
  })

/** How many times what was received is taken for what was announced. */
const trust = 8

/** A larger buffer with the same first bytes. */
const growTo = (body: Buffer, size: number, needed: number, announced: number): Buffer => {
  const isAnnounced = announced >= needed
  const wanted = Math.max(needed, body.length * (isAnnounced ? trust : 2))
  const grown = Buffer.allocUnsafeSlow(isAnnounced ? Math.min(announced, wanted) : wanted)
  body.copy(grown, 0, 0, size)
  return grown
}
