import { throwAsNetwork } from './client-error.ts'

/**
 * Reads a body until it ends; an abort ends the connection, and so does breaking off the iteration.
 * @throws ClientError `network` when the connection breaks, and the reason of the signal
 */
export async function* readChunks(
  body: ReadableStream<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader()
  // Node's fetch does not hear the signal of a Request any more that the garbage collector took. Where the cancel fails
  // the read that is under way fails with the same.
  const cancel = () => void reader.cancel().catch(() => undefined)
  signal?.addEventListener('abort', cancel)
  try {
    while (true) {
      signal?.throwIfAborted()
      const { done, value } = await reader.read().catch(throwAsNetwork)
      signal?.throwIfAborted()
      if (done) return
      yield value
    }
  } finally {
    signal?.removeEventListener('abort', cancel)
    // Does nothing when the body is at its end.
    await reader.cancel().catch(throwAsNetwork)
  }
}
