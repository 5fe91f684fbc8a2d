import { get, type IncomingHttpHeaders } from 'node:http'
import { onTestFinished } from 'vitest'

/** What a stream of events gave, one after the other. */
export interface EventReader {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The next event or comment, without its empty line; undefined when the stream has ended as it should. */
  readonly next: () => Promise<string | undefined>
  readonly leave: () => void
}

/** Reads `sync/events` as a client does that shows every line; left when the test is finished. */
export const openEventReader = (
  baseUrl: string,
  token: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventReader> =>
  new Promise((resolve, reject) => {
    const options = { agent: false as const, headers: { authorization: `Bearer ${token}`, ...headers } }
    const request = get(`${baseUrl}sync/events`, options, (response) => {
      const chunks = response.setEncoding('utf8')[Symbol.asyncIterator]() as AsyncIterator<string>
      let text = ''
      const next = async (): Promise<string | undefined> => {
        for (;;) {
          const end = text.indexOf('\n\n')
          if (end >= 0) {
            const block = text.slice(0, end)
            text = text.slice(end + 2)
            return block
          }
          const { value, done } = await chunks.next()
          if (done === true) return undefined
          text += value
        }
      }
      resolve({ status: response.statusCode ?? 0, headers: response.headers, next, leave: () => request.destroy() })
    })
    // A request that the test leaves is reset; the test itself finds one without a response.
    request.on('error', reject)
    onTestFinished(() => void request.destroy())
  })

/** An event that says a position. */
export const eventOf = (position: unknown): string => `id: ${position}\ndata: {"pos": ${position}}`
