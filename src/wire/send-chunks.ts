import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { countSent } from './count-sent.ts'
import type { Chunks } from './render-body.ts'

/** Sends answers that are too large to be put together. */
export interface Sender {
  /**
   * Sends the chunks (not to a HEAD) and ends the answer, no faster than the client reads, and lets other events have
   * their turn. When the connection is closed, by the client or by a time-out, the chunks are returned.
   * @throws what the chunks throw, and when they are not as many bytes as the answer's Content-Length or do not all
   * reach the connection, after it was broken off (contract, sync 13)
   */
  readonly send: (answer: ServerResponse, chunks: Chunks) => Promise<void>
}

/** How much is written at once, at first and to a client that keeps up: each waiting for it costs. */
const firstBytes = 1024 * 1024
const mostBytes = 4 * 1024 * 1024

/** How much may wait for the clients of all answers together, and the least for each of them. */
const togetherBytes = 32 * 1024 * 1024
const leastBytes = 64 * 1024

/** Work of all answers together between two turns of the event loop, and the least for each. */
const sliceMilliseconds = 4
const leastSliceMilliseconds = 0.5

/** Nothing is being sent. */
export const createSender = (): Sender => {
  let sendingCount = 0

  const pump = async (answer: ServerResponse, chunks: Chunks): Promise<void> => {
    let sliceStart = performance.now()
    const count = countSent(answer)
    let [written, atOnce] = [0, firstBytes]
    for await (const chunk of chunks) {
      if (answer.destroyed) return
      count.add(chunk)
      answer.write(chunk)
      written += chunk.length
      if (written < Math.min(atOnce, Math.max(leastBytes, togetherBytes / sendingCount))) continue
      await drain(answer)
      written = 0
      atOnce = Math.min(mostBytes, atOnce * 2)
      // A drain of a client that keeps up lets no other event in.
      if (performance.now() - sliceStart > Math.max(leastSliceMilliseconds, sliceMilliseconds / sendingCount)) {
        await nextTurn()
        sliceStart = performance.now()
      }
    }
    // Node 26 hands over what was written in a turn at its end.
    await nextTurn()
    count.settle()
  }

  const send = async (answer: ServerResponse, chunks: Chunks): Promise<void> => {
    if (answer.closed) return void (await chunks.return?.())
    sendingCount += 1
    // Not when all is written: what the client has not read yet is still held.
    answer.once('close', () => {
      sendingCount -= 1
    })
    try {
      if (answer.req.method === 'HEAD') await chunks.return?.()
      else await pump(answer, chunks)
      if (!answer.destroyed) answer.end()
    } catch (error) {
      // What was written goes out first, so that it is an answer that breaks off.
      await nextTurn()
      await drain(answer)
      answer.destroy()
      throw error
    }
  }

  return { send }
}

/** Resolves when the client has taken what was written, or is gone. */
const drain = (answer: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    if (answer.destroyed || !answer.writableNeedDrain) return resolve()
    const finish = (): void => {
      answer.off('drain', finish).off('close', finish)
      resolve()
    }
    answer.on('drain', finish).on('close', finish)
  })
