import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { ApiError } from '../api-error.ts'

/** The minimum size of a long body, in bytes. */
export const longBytes = 64 * 1024

/** A body that is being read. */
interface BodyReading {
  /** The whole body. */
  readonly body: Promise<Buffer>
  /** Stops the reading unless it has ended: the bytes are dropped, and `body` rejects with the error. */
  readonly fail: (error: unknown) => void
}

/** The options of `readBody`. */
interface ReadBodyOptions {
  /** Called when the head of the request is accepted and its body may follow. */
  readonly onAccepted?: (() => void) | undefined
  /** Called with each chunk before it is stored. An error that it throws stops the reading. */
  readonly onChunk?: (chunk: Buffer) => void
  /** True for an unauthenticated sender, whose Content-Length is not trusted. */
  readonly isUnauthenticated?: boolean
}

/** True for a request that has a body, which may be empty. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || declaredBytes(headers) > 0

/** True for a compressed body. */
export const isCompressed = ({ headers }: IncomingMessage): boolean => {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  return encoding !== '' && encoding !== 'identity'
}

const declaredBytes = (headers: IncomingMessage['headers']): number => Number(headers['content-length'] ?? 0)

/**
 * Reads the whole body of a request, at most `maxBytes` bytes. It keeps no bytes of a rejected body; the caller decides
 * about its rest (`discardBody`).
 * @throws ApiError, as the rejection of `body`: `bodyTooLarge` as soon as the announced or received length is too
 * large, `bodyCutOff` when the client ends the body too early, `unsupportedMediaType` for a content encoding
 */
export const readBody = (stream: IncomingMessage, maxBytes: number, options: ReadBodyOptions = {}): BodyReading => {
  let fail: BodyReading['fail'] = () => undefined
  const whole = new Promise<Buffer>((resolve, reject) => {
    if (isCompressed(stream))
      throw new ApiError('unsupportedMediaType', {
        contentType: 'a compressed body',
        taken: 'it without Content-Encoding',
      })
    const announced = declaredBytes(stream.headers)
    const trusted = options.isUnauthenticated === true ? 0 : announced
    if (announced > maxBytes) throw new ApiError('bodyTooLarge', { maxBytes })
    // A closed stream emits no further `close`.
    if (stream.destroyed && !stream.readableEnded) throw new ApiError('bodyCutOff')

    // Chunks are joined as they arrive: joining a long body at its end would block all other requests. The announced
    // length is trusted only up to a few times the received length.
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
      stream.off('data', take).off('end', finish).off('close', cutOff).off('error', handleError)
      body = empty
    }
    const take = (chunk: Buffer) => {
      try {
        if (size + chunk.length > maxBytes) throw new ApiError('bodyTooLarge', { maxBytes })
        options.onChunk?.(chunk)
      } catch (error) {
        return fail(error)
      }
      add(chunk)
    }
    const finish = () => {
      const read = body.subarray(0, size)
      stop()
      resolve(read)
    }
    const cutOff = () => fail(new ApiError('bodyCutOff'))
    const handleError = (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET') cutOff()
      else fail(error)
    }
    fail = (error) => {
      stop()
      reject(error)
    }
    stream.on('data', take).on('end', finish).on('close', cutOff).on('error', handleError)
    options.onAccepted?.()
  })
  return { body: whole, fail: (error) => fail(error) }
}

const empty = Buffer.alloc(0)

/** The maximum ratio of allocated to received bytes for an announced length. */
const maxGrowth = 8

/** Copies a body into a larger buffer. */
const growTo = (body: Buffer, size: number, needed: number, announced: number): Buffer => {
  const isAnnounced = announced >= needed
  const wanted = Math.max(needed, body.length * (isAnnounced ? maxGrowth : 2))
  const grown = Buffer.allocUnsafeSlow(isAnnounced ? Math.min(announced, wanted) : wanted)
  body.copy(grown, 0, 0, size)
  return grown
}

/**
 * Receives the rest of a rejected body and drops it, because many clients read the response only after they have sent
 * the whole request. It closes the connection when the rest is longer than `maxBytes`.
 */
export const discardBody = (message: IncomingMessage, maxBytes: number, throttle: ByteThrottle): void => {
  if (message.complete || message.destroyed || !hasBody(message)) return
  let dropped = 0
  message.on('data', (chunk: Buffer) => {
    dropped += chunk.length
    if (dropped > maxBytes) message.destroy()
    else throttle.count(message, chunk.length)
  })
}

/** Limits the rate of unauthenticated and rejected bodies, so that the server can do its other work. */
export interface ByteThrottle {
  /** Counts a chunk of a body, and pauses the body while all bodies together exceed the rate. */
  readonly count: (body: Readable, bytes: number) => void
}

const sliceMilliseconds = 20

/** The usual size of a chunk; a resumed body delivers at least one. */
const chunkBytes = 64 * 1024

/** Creates a throttle of so many bytes a second for all bodies together. Paused bodies resume in their order. */
export const createByteThrottle = (bytesPerSecond: number): ByteThrottle => {
  const sliceBytes = (bytesPerSecond * sliceMilliseconds) / 1000
  const paused = new Set<Readable>()
  // A long body is paused hundreds of times, and needs only one listener.
  const known = new WeakSet<Readable>()
  let left = sliceBytes
  let timer: NodeJS.Timeout | undefined

  const beginSlice = (): void => {
    timer = undefined
    left = sliceBytes
    let chunks = Math.max(1, Math.floor(sliceBytes / chunkBytes))
    for (const body of paused) {
      if (chunks-- === 0) break
      paused.delete(body)
      body.resume()
    }
    if (paused.size > 0) wait()
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
      if (!known.has(body)) body.once('close', () => paused.delete(body))
      known.add(body)
      paused.add(body)
    },
  }
}
