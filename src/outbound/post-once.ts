import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import type { Socket } from 'node:net'

/** What is posted, and by which connection. */
export interface Post {
  readonly url: URL
  readonly headers: OutgoingHttpHeaders
  readonly body: string | Uint8Array
  /** Is used for this alone, and closed. */
  readonly socket: Socket
  readonly signal: AbortSignal
}

const mostAnswerBytes = 4096

/** Resolves once a little of the body was read. How it goes on or ends says nothing any more. */
const skipBody = (answer: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    let left = mostAnswerBytes
    answer.on('data', ({ length }: Buffer) => {
      left -= length
      if (left <= 0) resolve()
    })
    answer.on('error', () => {})
    answer.once('end', resolve)
    answer.once('close', resolve)
  })

/**
 * Posts by a connection, once, and gives the head of the answer; undefined when there was none, or it was given up. Plain
 * `node:http` and no client above it: a pool would be made anew for each message, and cost more than the message.
 * @throws TypeError for headers that cannot be sent
 */
export const postOnce = async ({ url, headers, body, socket, signal }: Post): Promise<IncomingMessage | undefined> => {
  const giveUp = () => void socket.destroy()
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    const posting = request({
      method: 'POST',
      path: `${url.pathname}${url.search}`,
      headers: { host: url.host, connection: 'close', ...headers },
      // Also for https: the connection is what it is, and its name stands in the head.
      createConnection: () => socket,
    })
    const answer = await new Promise<IncomingMessage | undefined>((resolve) => {
      posting.once('response', resolve)
      posting.on('error', () => resolve(undefined))
      // What asks for another protocol ends without a word of the request.
      socket.once('close', () => resolve(undefined))
      posting.end(body)
    })
    if (answer !== undefined) await skipBody(answer)
    return answer
  } finally {
    signal.removeEventListener('abort', giveUp)
    socket.destroy()
  }
}
