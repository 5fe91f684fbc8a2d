import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { NoAnswer } from './finding.ts'
import type { HttpRequest } from './http.ts'

/** One server-sent event, by its fields; lines that are none, such as comments, are left out. */
export interface StreamEvent {
  readonly id: string | undefined
  readonly event: string | undefined
  readonly data: string
}

/** An answer that is read while it comes. */
export interface EventStream {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The next event that was not taken yet; undefined when none came within the time or before the end. */
  readonly take: (patienceMs: number) => Promise<StreamEvent | undefined>
  /** Whether the answer has ended, or ends within the time. */
  readonly hasEnded: (patienceMs: number) => Promise<boolean>
  /** What came so far. */
  readonly text: () => string
  readonly close: () => void
}

const longestText = 1_000_000

/** The events in a text, and what of it is not complete yet (HTML Living Standard, 9.2.6). */
const readEvents = (text: string): { events: StreamEvent[]; rest: string } => {
  const blocks = text.replaceAll(/\r\n?/g, '\n').split('\n\n')
  const rest = blocks.pop() ?? ''
  const events = blocks.flatMap((block): StreamEvent[] => {
    const fields = block.split('\n').map((line) => /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [])
    const valuesOf = (name: string): string[] => fields.filter(([, each]) => each === name).map(([, , to = '']) => to)
    const data = valuesOf('data')
    // Without data an event is none.
    return data.length === 0
      ? []
      : [{ id: valuesOf('id').at(-1), event: valuesOf('event').at(-1), data: data.join('\n') }]
  })
  return { events, rest }
}

/** Follows an answer that has begun. */
const follow = (message: IncomingMessage, close: () => void): EventStream => {
  const events: StreamEvent[] = []
  const news = new EventTarget()
  let whole = ''
  let rest = ''
  let isOver = false
  const tell = (): void => void news.dispatchEvent(new Event('news'))
  const end = (): void => {
    isOver = true
    tell()
  }
  message.setEncoding('utf8')
  message.on('data', (chunk: string) => {
    if (whole.length < longestText) whole += chunk
    const text = rest + chunk
    // A line end may be cut in two.
    const cut = text.endsWith('\r') ? '\r' : ''
    const read = readEvents(text.slice(0, text.length - cut.length))
    rest = read.rest + cut
    events.push(...read.events)
    tell()
  })
  message.on('end', end)
  message.on('close', end)
  // A broken connection ends the stream like any other.
  message.on('error', end)

  const until = async (isThere: () => boolean, patienceMs: number): Promise<boolean> => {
    const last = performance.now() + patienceMs
    while (!isThere()) {
      const left = last - performance.now()
      if (left <= 0) return false
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left)
        const told = (): void => {
          clearTimeout(timer)
          resolve()
        }
        news.addEventListener('news', told, { once: true })
      })
    }
    return true
  }

  return {
    status: message.statusCode ?? 0,
    headers: Object.fromEntries(Object.entries(message.headers).map(([name, to]) => [name, [to].flat().join(', ')])),
    take: async (patienceMs) => {
      await until(() => events.length > 0 || isOver, patienceMs)
      return events.shift()
    },
    hasEnded: (patienceMs) => until(() => isOver, patienceMs),
    text: () => whole,
    close,
  }
}

/**
 * Sends a request on a connection of its own and resolves when its answer begins; an answer that is no success is read
 * to its end. Throws NoAnswer when none begins within the time.
 */
export const openEventStream = (request: HttpRequest, patienceMs: number): Promise<EventStream> =>
  new Promise((resolve, reject) => {
    const send = request.url.protocol === 'https:' ? requestHttps : requestHttp
    const { method, headers, url } = request
    const outgoing = send(url, { method, headers, agent: false })
    const late = setTimeout(() => {
      outgoing.destroy(new NoAnswer(`no answer began within ${patienceMs / 1000} s`, { isSilence: true }))
    }, patienceMs)
    outgoing.on('error', (error) => {
      clearTimeout(late)
      reject(error instanceof NoAnswer ? error : new NoAnswer(`no answer: ${error.message}`, { cause: error }))
    })
    outgoing.on('response', async (message) => {
      clearTimeout(late)
      const stream = follow(message, () => outgoing.destroy())
      if (stream.status !== 200) await stream.hasEnded(patienceMs)
      resolve(stream)
    })
    outgoing.end(request.body)
  })
