import type { IncomingMessage } from 'node:http'
import { Refused } from '../refused.ts'

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
    if (Number(stream.headers['content-length'] ?? 0) > maxBytes) throw new Refused('bodyTooLarge', { maxBytes })
    // A stream that is closed already will not say so again.
    if (stream.destroyed && !stream.readableEnded) throw new Refused('bodyCutOff')

    const chunks: Buffer[] = []
    let size = 0
    const stopListening = () => {
      stream.off('data', take).off('end', finish).off('close', cutOff).off('error', fail)
    }
    const take = (chunk: Buffer) => {
      size += chunk.length
      chunks.push(chunk)
      if (size <= maxBytes) return
      stopListening()
      stream.resume()
      reject(new Refused('bodyTooLarge', { maxBytes }))
    }
    const finish = () => {
      stopListening()
      resolve(Buffer.concat(chunks, size))
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
