import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Chunks } from './render-json.ts'

/** Counts the bytes of a response's body. */
interface SentByteCount {
  /** Counts a chunk before it is written. @throws Error when the chunks exceed the response's Content-Length */
  readonly add: (chunk: string | Buffer) => void
  /**
   * Checks the count. Call it a turn of the event loop after the last write, before the response ends.
   * @throws Error when the bytes are fewer than the Content-Length, or did not all reach the open connection
   */
  readonly settle: () => void
}

/**
 * Compares the written bytes of a response with its Content-Length and with the bytes that Node passes to the
 * connection: a truncated listing must not look complete (contract, sync 13). Node itself may lose bytes and still end
 * the body properly: 22.23 and 24.21 lose bytes that are corked when a response ends, and 22.23 drops `drain` events of
 * corked responses. Therefore this module corks nothing.
 */
const countSentBytes = (response: ServerResponse): SentByteCount => {
  const promised = Number(response.getHeader('content-length') ?? Number.NaN)
  // A response that waits behind others has no socket yet, so its bytes cannot be compared.
  const { socket } = response
  const before = socket?.bytesWritten ?? 0
  let bytes = 0

  return {
    add: (chunk) => {
      bytes += Buffer.byteLength(chunk)
      if (bytes > promised) throw new Error(`a response has more bytes than the ${promised} that were promised`)
    },
    settle: () => {
      // A connection ends before its responses notice, for example when the bytes behind a request are no HTTP.
      if (response.destroyed || socket?.writable === false) return
      if (bytes < promised) throw new Error(`a response has ${bytes} bytes and not the ${promised} that were promised`)
      const given = socket === null ? bytes : socket.bytesWritten - before
      if (given < bytes) throw new Error(`of ${bytes} bytes of a response only ${given} reached its connection`)
    },
  }
}

/** The slots of each owner, so that many responses of one owner do not delay the few of another. */
interface OwnerSlots {
  /** Resolves when the owner has a free slot; undefined when it has one now. */
  readonly acquire: (owner: string) => Promise<void> | undefined
  /** Frees a slot; the owner's next response in the queue takes it. */
  readonly release: (owner: string) => void
}

/** How many responses of one owner run between two turns of the event loop; others wait in the owner's queue. */
const maxSlotsPerOwner = 2

interface OwnerQueue {
  running: number
  readonly waiting: (() => void)[]
}

/** Creates slots, `max` for each owner. All are free. */
export const createOwnerSlots = (max: number = maxSlotsPerOwner): OwnerSlots => {
  const queues = new Map<string, OwnerQueue>()

  return {
    acquire: (owner) => {
      const queue = queues.get(owner) ?? { running: 0, waiting: [] }
      queues.set(owner, queue)
      if (queue.running >= max) return new Promise((start) => queue.waiting.push(start))
      queue.running += 1
      return undefined
    },
    release: (owner) => {
      const queue = queues.get(owner)
      if (queue === undefined) throw new Error('a slot was released that was not acquired')
      // The slot passes to the first in the queue, so that no new response can take it.
      const next = queue.waiting.shift()
      if (next !== undefined) return next()
      queue.running -= 1
      if (queue.running === 0) queues.delete(owner)
    },
  }
}

/** Sends responses that are too large to be joined. */
interface Sender {
  /**
   * Sends the chunks (not for a HEAD) and ends the response, no faster than the client reads. Other events run in
   * between. The responses of an owner, a user's id, share that owner's slots. When the client or a timeout closes the
   * connection, the chunks are returned.
   * @throws the error of the chunks, or Error when their bytes differ from the Content-Length or did not all reach the
   * connection; in both cases after the connection was closed (contract, sync 13)
   */
  readonly send: (response: ServerResponse, chunks: Chunks, owner?: string) => Promise<void>
}

/** Bytes that are written at once, at first and to a fast client: each wait for the client has a cost. */
const firstWriteBytes = 1024 * 1024
const maxWriteBytes = 4 * 1024 * 1024

/** Maximum bytes that wait for the clients of all responses together, and the minimum for each response. */
const maxBufferedBytes = 32 * 1024 * 1024
const minWriteBytes = 64 * 1024

/** Maximum work on all responses together between two turns of the event loop, and the minimum for each response. */
const sliceMilliseconds = 4
const minSliceMilliseconds = 0.5

/** Creates a sender. */
export const createSender = (): Sender => {
  let sendingCount = 0
  const slots = createOwnerSlots()

  /**
   * Lets other events run, then other responses of the owner, until the client has read the written bytes. The slot is
   * kept for the first turn: otherwise all responses of the owner would run before those of other owners.
   */
  const pause = async (response: ServerResponse, owner: string): Promise<void> => {
    await nextTurn()
    slots.release(owner)
    await drain(response)
    await slots.acquire(owner)
  }

  const pump = async (response: ServerResponse, chunks: Chunks, owner: string): Promise<void> => {
    let sliceStart = performance.now()
    const count = countSentBytes(response)
    let [written, bytesAtOnce] = [0, firstWriteBytes]
    for await (const chunk of chunks) {
      if (response.destroyed) return
      count.add(chunk)
      response.write(chunk)
      written += chunk.length
      if (written < Math.min(bytesAtOnce, Math.max(minWriteBytes, maxBufferedBytes / sendingCount))) continue
      written = 0
      bytesAtOnce = Math.min(maxWriteBytes, bytesAtOnce * 2)
      const slice = Math.max(minSliceMilliseconds, sliceMilliseconds / sendingCount)
      if (response.writableNeedDrain || performance.now() - sliceStart > slice) {
        await pause(response, owner)
        sliceStart = performance.now()
      }
    }
    // Node 26 passes the bytes of a turn to the connection at the turn's end.
    await nextTurn()
    count.settle()
  }

  /** Does the same in a slot of the owner. */
  const pumpInSlot = async (response: ServerResponse, chunks: Chunks, owner: string): Promise<void> => {
    await slots.acquire(owner)
    try {
      await pump(response, chunks, owner)
    } finally {
      slots.release(owner)
    }
  }

  const send: Sender['send'] = async (response, chunks, owner = '') => {
    if (response.closed) return void (await chunks.return?.())
    sendingCount += 1
    // Not after the last write: bytes that the client has not read are still in memory.
    response.once('close', () => {
      sendingCount -= 1
    })
    try {
      if (response.req.method === 'HEAD') await chunks.return?.()
      else await pumpInSlot(response, chunks, owner)
      if (!response.destroyed) response.end()
    } catch (error) {
      // The written bytes are sent first, so that the client sees a response that breaks off.
      await nextTurn()
      await drain(response)
      response.destroy()
      throw error
    }
  }

  return { send }
}

/** Resolves when the client has read the written bytes, or has closed the connection. */
const drain = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    if (response.destroyed || !response.writableNeedDrain) return resolve()
    const finish = (): void => {
      response.off('drain', finish).off('close', finish)
      resolve()
    }
    response.on('drain', finish).on('close', finish)
  })
