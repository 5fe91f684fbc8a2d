import { ClientError, refusalOf, throwAsNetwork } from './client-error.ts'
import type { Send } from './create-api.ts'
import { readEventStream } from './event-stream.ts'

/** Something that came from `sync/events`: where the account stands, or only a sign of life. */
export type LiveEvent = { readonly kind: 'position'; readonly position: number } | { readonly kind: 'alive' }

/** What `GET sync?wait` is asked. */
export interface WaitOptions {
  /** The position that was kept last. */
  readonly from: number
  /** How long the server may hold its answer, 1 to 60. */
  readonly seconds: number
  readonly signal?: AbortSignal | undefined
}

/** The two ways in which a server says that something changed (contract, Delivery: Live). */
export interface Listener {
  /**
   * Where the account stands, at once and after each change by another session, until the server ends the stream, as it
   * does when the access token ends. Asks for nothing but news: the changes themselves come with `sync`.
   * @throws ClientError `not_offered` by a server that has no such stream, and those of every call
   */
  readonly streamEvents: (options?: { readonly signal?: AbortSignal | undefined }) => AsyncGenerator<LiveEvent, void>
  /**
   * The position as soon as another session has changed something after `from`, or after so many seconds. A server that
   * does not know how to wait answers at once.
   * @throws ClientError `not_offered` by a server that refuses the parameter, and those of every call
   */
  readonly waitForChange: (options: WaitOptions) => Promise<number>
}

/** Whether a status says that the server does not know this way of asking. */
const isNotOffered = (status: number) => [400, 404, 405, 406, 410, 415, 501].includes(status)

const notOffered = (response: Response, what: string) =>
  new ClientError('not_offered', `the server has no ${what}`, { status: response.status })

/** A listener at a base address; `send` adds the token. */
export const createListener = (baseUrl: string, send: Send): Listener => {
  const base = baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`
  const ask = async (path: string, accept: string, signal: AbortSignal | undefined, what: string) => {
    const abort = signal === undefined ? {} : { signal }
    const request = new Request(`${base}${path}`, { headers: { accept }, cache: 'no-store', ...abort })
    const response = await send(request, abort).catch(throwAsNetwork)
    if (response.ok) return response
    const text = await response.text().catch(throwAsNetwork)
    if (isNotOffered(response.status)) throw notOffered(response, what)
    throw refusalOf(response, parse(text))
  }
  return {
    async *streamEvents({ signal } = {}) {
      const response = await ask('sync/events', 'text/event-stream', signal, 'stream of events')
      const type = response.headers.get('content-type') ?? ''
      if (!type.toLowerCase().startsWith('text/event-stream') || response.body === null) {
        await response.body?.cancel()
        throw notOffered(response, 'stream of events')
      }
      for await (const event of readEventStream(response.body, signal)) {
        const position = event.kind === 'event' ? positionOf(parse(event.data)) : undefined
        yield position === undefined ? { kind: 'alive' } : { kind: 'position', position }
      }
    },
    waitForChange: async ({ from, seconds, signal }) => {
      // Only whether there is something: what it is comes with the sync that follows.
      const query = `sync?from=${from}&wait=${seconds}&limit=0`
      const response = await ask(query, 'application/json', signal, 'answer that waits')
      const position = positionOf(parse(await response.text().catch(throwAsNetwork)))
      if (position === undefined) throw new ClientError('unexpected_answer', 'the answer has no pos')
      return position
    },
  }
}

const positionOf = (value: unknown): number | undefined =>
  typeof value === 'object' && value !== null && 'pos' in value && Number.isFinite(value.pos)
    ? (value.pos as number)
    : undefined

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
