import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Chunks } from './render-json.ts'

/** Counts the bytes of an answer's body. */
interface SentByteCount {
  /** To be told of each chunk before it is written. @throws when they are more than the answer's Content-Length */
  readonly add: (chunk: string | Buffer) => void
  /**
   * To be called a turn of the event loop after everything was written, before the answer is ended.
   * @throws when it was less than the answer's Content-Length, or more than the connection was given while it was open
   */
  readonly settle: () => void
}

/**
 * Holds what is written of an answer against what its head promises and against what Node hands to the connection: a
 * listing that ends early must not look whole (contract, sync 13). Node itself may lose a part and end the body properly:
 * 22.23 and 24.21 do so with what is corked when an answer ends, and 22.23 forgets `drain` events of corked answers, so
 * nothing here is corked.
 */
const countSentBytes = (response: ServerResponse): SentByteCount => {
  const promised = Number(response.getHeader('content-length') ?? Number.NaN)
  // An answer behind others on its connection has none yet; nothing can be said of it then.
  const { socket } = response
  const before = socket?.bytesWritten ?? 0
  let bytes = 0

  return {
    add: (chunk) => {
      bytes += Buffer.byteLength(chunk)
      if (bytes > promised) throw new Error(`an answer has more bytes than the ${promised} that were promised`)
    },
    settle: () => {
      // A connection ends before its responses notice, for example when the bytes behind a request are no HTTP.
      if (response.destroyed || socket?.writable === false) return
      if (bytes < promised) throw new Error(`an answer has ${bytes} bytes and not the ${promised} that were promised`)
      const given = socket === null ? bytes : socket.bytesWritten - before
      if (given < bytes) throw new Error(`of ${bytes} bytes of an answer only ${given} reached its connection`)
    },
  }
}

/** Turns of everybody for whom answers are being sent, so that many of one do not keep the few of another waiting. */
interface OwnerSlots {
  /** Resolves when the owner may work on one more answer. */
  readonly acquire: (owner: string) => Promise<void> | undefined
  /** Ends a turn; the owner's next answer in line has it. */
  readonly release: (owner: string) => void
}

/** How many answers of one owner are worked on between two turns of the event loop; the others stand in line. */
const maxSlotsPerOwner = 2

interface Line {
  atWork: number
  readonly waiting: (() => void)[]
}

/** Nobody is at work. */
export const createOwnerSlots = (max: number = maxSlotsPerOwner): OwnerSlots => {
  const lines = new Map<string, Line>()

  return {
    acquire: (owner) => {
      const line = lines.get(owner) ?? { atWork: 0, waiting: [] }
      lines.set(owner, line)
      if (line.atWork >= max) return new Promise((start) => line.waiting.push(start))
      line.atWork += 1
      return undefined
    },
    release: (owner) => {
      const line = lines.get(owner)
      if (line === undefined) throw new Error('a turn was ended that nobody had')
      // The place goes to the next in line, so that nobody who comes now can take it.
      const next = line.waiting.shift()
      if (next !== undefined) return next()
      line.atWork -= 1
      if (line.atWork === 0) lines.delete(owner)
    },
  }
}

/** Sends answers that are too large to be put together. */
interface Sender {
  /**
   * Sends the chunks (not to a HEAD) and ends the answer, no faster than the client reads, and lets other events have
   * their turn; answers of one owner, a user's id, share the turns of that owner. When the connection is closed, by the
   * client or by a time-out, the chunks are returned.
   * @throws what the chunks throw, and when they are not as many bytes as the answer's Content-Length or do not all
   * reach the connection, after it was broken off (contract, sync 13)
   */
  readonly send: (response: ServerResponse, chunks: Chunks, owner?: string) => Promise<void>
}

/** How much is written at once, at first and to a client that keeps up: each waiting for it costs. */
const firstWriteBytes = 1024 * 1024
const maxWriteBytes = 4 * 1024 * 1024

/** How much may wait for the clients of all answers together, and the least for each of them. */
const maxBufferedBytes = 32 * 1024 * 1024
const minWriteBytes = 64 * 1024

/** Work of all answers together between two turns of the event loop, and the least for each. */
const sliceMilliseconds = 4
const minSliceMilliseconds = 0.5

/** Nothing is being sent. */
export const createSender = (): Sender => {
  let sendingCount = 0
  const turns = createOwnerSlots()

  /**
   * Lets everybody else have a turn, then others of the owner, until the client has taken what was written. The owner's
   * turn is kept in between: else all of the owner's answers would be worked on before anybody else's.
   */
  const rest = async (response: ServerResponse, owner: string): Promise<void> => {
    await nextTurn()
    turns.release(owner)
    await drain(response)
    await turns.acquire(owner)
  }

  const pump = async (response: ServerResponse, chunks: Chunks, owner: string): Promise<void> => {
    let sliceStart = performance.now()
    const count = countSentBytes(response)
    let [written, atOnce] = [0, firstWriteBytes]
    for await (const chunk of chunks) {
      if (response.destroyed) return
      count.add(chunk)
      response.write(chunk)
      written += chunk.length
      if (written < Math.min(atOnce, Math.max(minWriteBytes, maxBufferedBytes / sendingCount))) continue
      written = 0
      atOnce = Math.min(maxWriteBytes, atOnce * 2)
      const slice = Math.max(minSliceMilliseconds, sliceMilliseconds / sendingCount)
      if (response.writableNeedDrain || performance.now() - sliceStart > slice) {
        await rest(response, owner)
        sliceStart = performance.now()
      }
    }
    // Node 26 hands over what was written in a turn at its end.
    await nextTurn()
    count.settle()
  }

  /** The same in turns of the owner. */
  const pumpInTurn = async (response: ServerResponse, chunks: Chunks, owner: string): Promise<void> => {
    await turns.acquire(owner)
    try {
      await pump(response, chunks, owner)
    } finally {
      turns.release(owner)
    }
  }

  const send: Sender['send'] = async (response, chunks, owner = '') => {
    if (response.closed) return void (await chunks.return?.())
    sendingCount += 1
    // Not when all is written: what the client has not read yet is still held.
    response.once('close', () => {
      sendingCount -= 1
    })
    try {
      if (response.req.method === 'HEAD') await chunks.return?.()
      else await pumpInTurn(response, chunks, owner)
      if (!response.destroyed) response.end()
    } catch (error) {
      // What was written goes out first, so that it is an answer that breaks off.
      await nextTurn()
      await drain(response)
      response.destroy()
      throw error
    }
  }

  return { send }
}

/** Resolves when the client has taken what was written, or is gone. */
const drain = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    if (response.destroyed || !response.writableNeedDrain) return resolve()
    const finish = (): void => {
      response.off('drain', finish).off('close', finish)
      resolve()
    }
    response.on('drain', finish).on('close', finish)
  })
