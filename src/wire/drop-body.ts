import type { IncomingMessage } from 'node:http'
import type { BytePace } from './byte-pace.ts'
import { hasBody } from './read-body.ts'

/**
 * Receives the rest of a body that is refused and keeps nothing of it, because many clients look for an answer only when
 * they have sent everything. One whose rest is longer than `maxBytes` loses its connection.
 */
export const dropBody = (message: IncomingMessage, maxBytes: number, pace: BytePace): void => {
  if (message.complete || message.destroyed || !hasBody(message)) return
  let dropped = 0
  message.on('data', (chunk: Buffer) => {
    dropped += chunk.length
    if (dropped > maxBytes) message.destroy()
    else pace.count(message, chunk.length)
  })
}
