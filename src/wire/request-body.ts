import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { ApiError } from '../api-error.ts'

/** Bytes from which on a body is long. */
export const longBytes = 64 * 1024

/** A body on its way. */
interface BodyReading {
  /** All of it. */
  readonly body: Promise<Buffer>
  /** Ends the reading, unless it has ended: what was read is forgotten, and `whole` fails with the error. */
  readonly fail: (error: unknown) => void
}

/** Who is told how a body is read. */
interface BodyObserver {
  /** Told when nothing in the head of the request stands against its body. */
  readonly onAccepted?: (() => void) | undefined
  /** Told of each piece before it is kept; what it throws ends the reading. */
  readonly onChunk?: (chunk: Buffer) => void
  /** The sender is not known: nothing that it announces is believed. */
  readonly isUnauthenticated?: boolean
}

/** True for a request that has a body, which may be empty. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || declaredBytes(headers) > 0

/** True for a body that would have to be decompressed. */
export const isCompressed = ({ headers }: IncomingMessage): boolean => {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  return encoding !== '' && encoding !== 'identity'
}

const declaredBytes = (headers: IncomingMessage['headers']): number => Number(headers['content-length'] ?? 0)

/**
 * Reads the whole body of a request, at most `maxBytes` received bytes. Refuses a larger one (`bodyTooLarge`) as soon
 * as its length is announced or passed, a body that its sender cuts off (`bodyCutOff`), and one with a content encoding
 * (`unsupportedMediaType`). Nothing is kept of a body that is refused; what becomes of its rest is for the caller to say
 * (`discardBody`).
 */
export const readBody = (stream: IncomingMessage, maxBytes: number, watch: BodyObserver = {}): BodyReading => {
  let refuse: BodyReading['fail'] = () => undefined
  const whole = new Promise<Buffer>((resolve, reject) => {
    if (isCompressed(stream))
      throw new ApiError('unsupportedMediaType', {
        contentType: 'a compressed body',
        taken: 'it without Content-Encoding',
      })
    const announced = declaredBytes(stream.headers)
    const trusted = watch.isUnauthenticated === true ? 0 : announced
    if (announced > maxBytes) throw new ApiError('bodyTooLarge', { maxBytes })
    // A stream that is closed already will not say so again.
    if (stream.destroyed && !stream.readableEnded) throw new ApiError('bodyCutOff')

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
        if (size + chunk.length > maxBytes) throw new ApiError('bodyTooLarge', { maxBytes })
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
    const cutOff = () => refuse(new ApiError('bodyCutOff'))
    const fail = (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET') cutOff()
      else refuse(error)
    }
    refuse = (error) => {
      stop()
      reject(error)
    }
    stream.on('data', take).on('end', finish).on('close', cutOff).on('error', fail)
    watch.onAccepted?.()
  })
  return { body: whole, fail: (error) => refuse(error) }
}

const empty = Buffer.alloc(0)

/** How many times what was received is taken for what was announced. */
const maxGrowth = 8

/** A larger buffer with the same first bytes. */
const growTo = (body: Buffer, size: number, needed: number, announced: number): Buffer => {
  const isAnnounced = announced >= needed
  const wanted = Math.max(needed, body.length * (isAnnounced ? maxGrowth : 2))
  const grown = Buffer.allocUnsafeSlow(isAnnounced ? Math.min(announced, wanted) : wanted)
  body.copy(grown, 0, 0, size)
  return grown
}

/**
 * Receives the rest of a body that is refused and keeps nothing of it, because many clients look for an answer only when
 * they have sent everything. One whose rest is longer than `maxBytes` loses its connection.
 */
export const discardBody = (message: IncomingMessage, maxBytes: number, pace: ByteThrottle): void => {
  if (message.complete || message.destroyed || !hasBody(message)) return
  let dropped = 0
  message.on('data', (chunk: Buffer) => {
    dropped += chunk.length
    if (dropped > maxBytes) message.destroy()
    else pace.count(message, chunk.length)
  })
}

/** Lets in bytes that may be for nothing no faster than a server can bear beside its other work. */
export interface ByteThrottle {
  /** To be told of each piece of a body: it rests for as long as too much has come of all of them lately. */
  readonly count: (body: Readable, bytes: number) => void
}

const sliceMilliseconds = 20

/** A piece of a body is about so large; a body that goes on brings one at least. */
const pieceBytes = 64 * 1024

/** A pace of so many bytes a second for all bodies together. Those that rest go on in the order in which they came. */
export const createByteThrottle = (bytesPerSecond: number): ByteThrottle => {
  const sliceBytes = (bytesPerSecond * sliceMilliseconds) / 1000
  const resting = new Set<Readable>()
  // A long body rests hundreds of times, and ends once.
  const known = new WeakSet<Readable>()
  let left = sliceBytes
  let timer: NodeJS.Timeout | undefined

  const beginSlice = (): void => {
    timer = undefined
    left = sliceBytes
    let pieces = Math.max(1, Math.floor(sliceBytes / pieceBytes))
    for (const body of resting) {
      if (pieces-- === 0) break
      resting.delete(body)
      body.resume()
    }
    if (resting.size > 0) wait()
  }
  const wait = (): void => {
    if (timer === undefined) timer = setTimeout(beginSlice, sliceMilliseconds)
  }

  return {
    count: (body, bytes) => {
      left -= bytes
      wait()
      if (left > 0 || body.destroyed) return
      body.pause()
      if (!known.has(body)) body.once('close', () => resting.delete(body))
      known.add(body)
      resting.add(body)
    },
  }
}
