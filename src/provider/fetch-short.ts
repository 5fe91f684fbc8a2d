import type { CustomFetch } from 'openid-client'

/** What a provider says has some kilobytes. */
const mostBytes = 1024 * 1024

/** As `fetch`; what an answer has beyond a mebibyte is not received, and reading it fails. */
export const fetchShort: CustomFetch = async (url, options) => {
  const answer = await fetch(url, options as RequestInit)
  let bytes = 0
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength
      if (bytes > mostBytes) controller.error(new RangeError(`the answer of ${url} is longer than ${mostBytes} bytes`))
      else controller.enqueue(chunk)
    },
  })
  return new Response(answer.body?.pipeThrough(counted) ?? null, answer)
}
