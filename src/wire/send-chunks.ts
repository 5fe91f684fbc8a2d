import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { countSent } from './count-sent.ts'
import { createOwnerTurns } from './owner-turns.ts'
import type { Chunks } from './render-body.ts'

/** Sends answers that are too large to be put together. */
export interface Sender {
  /**
   * Sends the chunks (not to a HEAD) and ends the answer, no faster than the client reads, and lets other events have
   * their turn; answers of one owner, a user's id, share the turns of that owner. When the connection is closed, by the
   * client or by a time-out, the chunks are returned.
   * @throws what the chunks throw, and when they are not as many bytes as the answer's Content-Length or do not all
   * reach the connection, after it was broken off (contract, sync 13)
   */
  readonly send: (answer: ServerResponse, chunks: Chunks, owner?: string) => Promise<void>
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
  const turns = createOwnerTurns()

  /**
   * Lets everybody else have a turn, then others of the owner, until the client has taken what was written. The owner's
   * turn is kept in between: else all of the owner's answers would be worked on before anybody else's.
   */
  const rest = async (answer: ServerResponse, owner: string): Promise<void> => {
    await nextTurn()
    turns.give(owner)
    await drain(answer)
    await turns.take(owner)
  }

  const pump = async (answer: ServerResponse, chunks: Chunks, owner: string): Promise<void> => {
    let sliceStart = performance.now()
    const count = countSent(answer)
    let [written, atOnce] = [0, firstBytes]
    for await (const chunk of chunks) {
      if (answer.destroyed) return
      count.add(chunk)
      answer.write(chunk)
      written += chunk.length
      if (written < Math.min(atOnce, Math.max(leastBytes, togetherBytes / sendingCount))) continue
      written = 0
      atOnce = Math.min(mostBytes, atOnce * 2)
      const slice = Math.max(leastSliceMilliseconds, sliceMilliseconds / sendingCount)
      if (answer.writableNeedDrain || performance.now() - sliceStart > slice) {
        await rest(answer, owner)
        sliceStart = performance.now()
      }
    }
    // Node 26 hands over what was written in a turn at its end.
    await nextTurn()
    count.settle()
  }

  /** The same in turns of the owner. */
  const pumpInTurn = async (answer: ServerResponse, chunks: Chunks, owner: string): Promise<void> => {
    await turns.take(owner)
    try {
      await pump(answer, chunks, owner)
    } finally {
      turns.give(owner)
    }
  }

  const send: Sender['send'] = async (answer, chunks, owner = '') => {
    if (answer.closed) return void (await chunks.return?.())
    sendingCount += 1
    // Not when all is written: what the client has not read yet is still held.
    answer.once('close', () => {
      sendingCount -= 1
    })
    try {
      if (answer.req.method === 'HEAD') await chunks.return?.()
      else await pumpInTurn(answer, chunks, owner)
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
