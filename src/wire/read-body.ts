import type { IncomingMessage } from 'node:http'
import { Refused } from '../refused.ts'

/** Bytes from which on a body is long. */
export const longBytes = 64 * 1024

/** A body on its way. */
export interface BodyReading {
  /** All of it. */
  readonly whole: Promise<Buffer>
  /** Ends the reading, unless it has ended: what was read is forgotten, and `whole` fails with the error. */
  readonly refuse: (error: unknown) => void
}

/** Who is told how a body is read. */
export interface BodyWatch {
  /** Told when nothing in the head of the request stands against its body. */
  readonly onBegin?: (() => void) | undefined
  /** Told of each piece before it is kept; what it throws ends the reading. */
  readonly onChunk?: (chunk: Buffer) => void
  /** The sender is not known: nothing that it announces is believed. */
  readonly isStranger?: boolean
}

/** True for a request that has a body, which may be empty. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || announcedBytes(headers) > 0

/** True for a body that would have to be decompressed. */
export const isCompressed = ({ headers }: IncomingMessage): boolean => {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  return encoding !== '' && encoding !== 'identity'
}

const announcedBytes = (headers: IncomingMessage['headers']): number => Number(headers['content-length'] ?? 0)

/**
 * Reads the whole body of a request, at most `maxBytes` received bytes. Refuses a larger one (`bodyTooLarge`) as soon
 * as its length is announced or passed, a body that its sender cuts off (`bodyCutOff`), and one with a content encoding
 * (`unsupportedMediaType`). Nothing is kept of a body that is refused; what becomes of its rest is for the caller to say
 * (`dropBody`).
 */
export const readBody = (stream: IncomingMessage, maxBytes: number, watch: BodyWatch = {}): BodyReading => {
  let refuse: BodyReading['refuse'] = () => undefined
  const whole = new Promise<Buffer>((resolve, reject) => {
    if (isCompressed(stream))
      throw new Refused('unsupportedMediaType', {
        contentType: 'a compressed body',
        taken: 'it without Content-Encoding',
      })
    const announced = announcedBytes(stream.headers)
    const trusted = watch.isStranger === true ? 0 : announced
    if (announced > maxBytes) throw new Refused('bodyTooLarge', { maxBytes })
    // A stream that is closed already will not say so again.
    if (stream.destroyed && !stream.readableEnded) throw new Refused('bodyCutOff')

    // Chunks are put together as they arrive: at the end of a long body that would keep everybody waiting. What is
    // announced is believed only up to a few times what was received.
    let body: Buffer = empty
    let size = 0
    const add = (chunk: Buffer) => {
      if (size === 0) body = chunk
      else {
        if (size + chunk.length > body.length) body = growTo(body, size, size + chunk.length, trusted)
        body.set(chunk, size)
      }
      size += chunk.length
    }
    const stop = () => {
      stream.off('data', take).off('end', finish).off('close', cutOff).off('error', fail)
      body = empty
    }
    const take = (chunk: Buffer) => {
      try {
        if (size + chunk.length > maxBytes) throw new Refused('bodyTooLarge', { maxBytes })
        watch.onChunk?.(chunk)
      } catch (error) {
        return refuse(error)
      }
      add(chunk)
    }
    const finish = () => {
      const read = body.subarray(0, size)
      stop()
      resolve(read)
    }
    const cutOff = () => refuse(new Refused('bodyCutOff'))
    const fail = (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET') cutOff()
      else refuse(error)
    }
    refuse = (error) => {
      stop()
      reject(error)
    }
    stream.on('data', take).on('end', finish).on('close', cutOff).on('error', fail)
    watch.onBegin?.()
  })
  return { whole, refuse: (error) => refuse(error) }
}

const empty = Buffer.alloc(0)

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
