import type { ServerResponse } from 'node:http'

/** Counts the bytes of an answer's body. */
export interface SentCount {
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
export const countSent = (answer: ServerResponse): SentCount => {
  const promised = Number(answer.getHeader('content-length') ?? Number.NaN)
  // An answer behind others on its connection has none yet; nothing can be said of it then.
  const { socket } = answer
  const before = socket?.bytesWritten ?? 0
  let bytes = 0

  return {
    add: (chunk) => {
      bytes += Buffer.byteLength(chunk)
      if (bytes > promised) throw new Error(`an answer has more bytes than the ${promised} that were promised`)
    },
    settle: () => {
      // A connection ends before its responses notice, for example when the bytes behind a request are no HTTP.
      if (answer.destroyed || socket?.writable === false) return
      if (bytes < promised) throw new Error(`an answer has ${bytes} bytes and not the ${promised} that were promised`)
      const given = socket === null ? bytes : socket.bytesWritten - before
      if (given < bytes) throw new Error(`of ${bytes} bytes of an answer only ${given} reached its connection`)
    },
  }
}
