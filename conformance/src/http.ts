import { setMaxListeners } from 'node:events'
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { NoResponse } from './result.ts'

/** One complete HTTP request. */
export interface HttpRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Number of bytes of each piece of a chunked body; default 150 characters. */
  readonly pieceBytes?: number
  /** Longest silence within this exchange, in milliseconds; overrides the client's. */
  readonly timeoutMs?: number
}

/** One HTTP response, read to its end and decompressed. */
interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Options of an HTTP client. */
interface HttpOptions {
  /** Longest silence of the server within one exchange, in milliseconds; ten times that bounds the whole exchange. */
  readonly timeoutMs: number
  /** Maximum number of concurrent connections; default: no limit. */
  readonly connections?: number
}

/** Sends requests over persistent connections. It does not follow redirects, so that a token goes nowhere else. */
interface HttpClient {
  /** Sends a request. @throws NoResponse when no complete response comes. */
  readonly send: (request: HttpRequest) => Promise<HttpResponse>
  /** Number of requests sent again because the server had closed the persistent connection without notice. */
  readonly resent: () => number
  /** Closes the idle connections; later requests open new ones. */
  readonly disconnect: () => void
  /** Ends the requests in flight (they throw NoResponse); later requests are sent. */
  readonly interrupt: () => void
  /** Ends the requests in flight and closes the connections. */
  readonly close: () => void
}

/** Maximum size of a response, compressed or not: more than any account's, less than the memory of a machine. */
const maxBytes = 256 * 1024 * 1024

const decompress = (body: Buffer, encoding: string | undefined): Buffer => {
  const bounded = { maxOutputLength: maxBytes }
  if (encoding === 'gzip' || encoding === 'x-gzip') return gunzipSync(body, bounded)
  if (encoding === 'br') return brotliDecompressSync(body, bounded)
  if (encoding === 'deflate') return inflateSync(body, bounded)
  return body
}

const readHeaders = (message: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(message.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : `${value}`,
    ]),
  )

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/** Returns the pieces of a chunked body. */
const cutBody = ({ body = '', pieceBytes }: HttpRequest): readonly (string | Buffer)[] => {
  if (pieceBytes === undefined) return body.match(/.{1,150}/gsu) ?? []
  const bytes = Buffer.from(body)
  const count = Math.ceil(bytes.length / pieceBytes)
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes))
}

/** Opens a client; the caller closes it. */
export const openHttpClient = ({ timeoutMs, connections }: HttpOptions): HttpClient => {
  const agentOptions = { keepAlive: true, ...(connections === undefined ? {} : { maxSockets: connections }) }
  const agents = { 'http:': new HttpAgent(agentOptions), 'https:': new HttpsAgent(agentOptions) }
  let interruption = new AbortController()
  setMaxListeners(0, interruption.signal)
  let resent = 0

  const sendOnce = (request: HttpRequest, isRetry: boolean): Promise<HttpResponse> =>
    new Promise((resolve, reject) => {
      const silenceMs = request.timeoutMs ?? timeoutMs
      const secure = request.url.protocol === 'https:'
      const outgoing = (secure ? requestHttps : requestHttp)(request.url, {
        method: request.method,
        headers: request.headers,
        // A retry uses a new connection: other idle ones may be closed as well.
        agent: isRetry ? false : agents[secure ? 'https:' : 'http:'],
        signal: interruption.signal,
      })
      const abort = (why: string): void => {
        outgoing.destroy(new NoResponse(why, { isSilence: true }))
      }
      const totalTimer = setTimeout(abort, silenceMs * 10, `the response was not complete after ${silenceMs / 100} s`)
      // The silence is measured from the socket on: with a limited number of connections a request may wait for one.
      outgoing.on('socket', (socket) => {
        socket.setTimeout(silenceMs)
        const onSilence = (): void => abort(`the server sent nothing for ${silenceMs / 1000} s`)
        socket.on('timeout', onSilence)
        outgoing.on('close', () => {
          socket.off('timeout', onSilence)
          socket.setTimeout(0)
        })
      })
      const fail = (error: Error): void => {
        clearTimeout(totalTimer)
        const isClosed = ['ECONNRESET', 'EPIPE', 'ECONNABORTED'].includes(codeOf(error) ?? '')
        reject(Object.assign(error, { stale: outgoing.reusedSocket && isClosed }))
      }
      outgoing.on('error', fail)
      outgoing.on('response', (message) => {
        const chunks: Buffer[] = []
        let length = 0
        message.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          length += chunk.length
          if (length > maxBytes) abort(`the response is longer than ${maxBytes} bytes`)
        })
        message.on('error', (error) =>
          fail(error instanceof NoResponse ? error : new NoResponse(`the response broke off: ${error.message}`)),
        )
        message.on('end', () => {
          clearTimeout(totalTimer)
          try {
            const body = decompress(Buffer.concat(chunks), message.headers['content-encoding'])
            resolve({ status: message.statusCode ?? 0, headers: readHeaders(message), body })
          } catch (error) {
            const isTooLarge = codeOf(error) === 'ERR_BUFFER_TOO_LARGE'
            const why = isTooLarge
              ? `unpacks to more than ${maxBytes} bytes`
              : `is not in its Content-Encoding: ${error}`
            fail(new NoResponse(`the response ${why}`))
          }
        })
      })
      if (request.headers['transfer-encoding'] === 'chunked') {
        for (const piece of cutBody(request)) outgoing.write(piece)
        outgoing.end()
      } else outgoing.end(request.body)
    })

  const explain = (error: unknown): Error => {
    if (error instanceof NoResponse) return error
    const reason = error instanceof Error ? error.message || codeOf(error) : String(error)
    return new NoResponse(`no response: ${reason}`, { cause: error })
  }

  const disconnect = (): void => {
    agents['http:'].destroy()
    agents['https:'].destroy()
  }

  return {
    send: async (request) => {
      try {
        return await sendOnce(request, false)
      } catch (error) {
        // The server had just closed the persistent connection: it took nothing in, so a new connection is safe.
        if (!(error instanceof Error && 'stale' in error && error.stale === true)) throw explain(error)
      }
      resent += 1
      try {
        return await sendOnce(request, true)
      } catch (error) {
        throw explain(error)
      }
    },
    resent: () => resent,
    interrupt: () => {
      const ended = interruption
      interruption = new AbortController()
      setMaxListeners(0, interruption.signal)
      ended.abort()
    },
    disconnect,
    close: () => {
      interruption.abort()
      disconnect()
    },
  }
}

/** One server-sent event, by its fields; lines without a field, such as comments, are left out. */
interface StreamEvent {
  readonly id: string | undefined
  readonly event: string | undefined
  readonly data: string
}

/** A response that is read while it arrives. */
export interface EventStream {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Takes the next event; resolves to undefined when none comes within the time or before the end. */
  readonly take: (timeoutMs: number) => Promise<StreamEvent | undefined>
  /** Whether the response has ended, or ends within the time. */
  readonly hasEnded: (timeoutMs: number) => Promise<boolean>
  /** Returns the text received so far. */
  readonly text: () => string
  readonly close: () => void
}

const maxTextLength = 1_000_000

/** Parses the events of a text; `rest` is its incomplete end (HTML Living Standard, 9.2.6). */
const readEvents = (text: string): { events: StreamEvent[]; rest: string } => {
  const blocks = text.replaceAll(/\r\n?/g, '\n').split('\n\n')
  const rest = blocks.pop() ?? ''
  const events = blocks.flatMap((block): StreamEvent[] => {
    const fields = block.split('\n').map((line) => /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [])
    const valuesOf = (name: string): string[] => fields.filter(([, each]) => each === name).map(([, , to = '']) => to)
    const data = valuesOf('data')
    // A block without data is no event.
    return data.length === 0
      ? []
      : [{ id: valuesOf('id').at(-1), event: valuesOf('event').at(-1), data: data.join('\n') }]
  })
  return { events, rest }
}

/** Reads the events of a response that has begun. */
const follow = (message: IncomingMessage, close: () => void): EventStream => {
  const events: StreamEvent[] = []
  const updates = new EventTarget()
  let received = ''
  let rest = ''
  let hasEnded = false
  const notify = (): void => void updates.dispatchEvent(new Event('update'))
  const end = (): void => {
    hasEnded = true
    notify()
  }
  message.setEncoding('utf8')
  message.on('data', (chunk: string) => {
    if (received.length < maxTextLength) received += chunk
    const text = rest + chunk
    // A chunk may end in the middle of a CRLF.
    const cut = text.endsWith('\r') ? '\r' : ''
    const read = readEvents(text.slice(0, text.length - cut.length))
    rest = read.rest + cut
    events.push(...read.events)
    notify()
  })
  message.on('end', end)
  message.on('close', end)
  // A broken connection ends the stream like any other.
  message.on('error', end)

  const waitUntil = async (isThere: () => boolean, timeoutMs: number): Promise<boolean> => {
    const deadline = performance.now() + timeoutMs
    while (!isThere()) {
      const left = deadline - performance.now()
      if (left <= 0) return false
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left)
        const onUpdate = (): void => {
          clearTimeout(timer)
          resolve()
        }
        updates.addEventListener('update', onUpdate, { once: true })
      })
    }
    return true
  }

  return {
    status: message.statusCode ?? 0,
    headers: Object.fromEntries(Object.entries(message.headers).map(([name, to]) => [name, [to].flat().join(', ')])),
    take: async (timeoutMs) => {
      await waitUntil(() => events.length > 0 || hasEnded, timeoutMs)
      return events.shift()
    },
    hasEnded: (timeoutMs) => waitUntil(() => hasEnded, timeoutMs),
    text: () => received,
    close,
  }
}

/**
 * Sends a request on a connection of its own and resolves when its response begins. A response that is no success is
 * read to its end.
 * @throws NoResponse when none begins within the time.
 */
export const openEventStream = (request: HttpRequest, timeoutMs: number): Promise<EventStream> =>
  new Promise((resolve, reject) => {
    const send = request.url.protocol === 'https:' ? requestHttps : requestHttp
    const { method, headers, url } = request
    const outgoing = send(url, { method, headers, agent: false })
    const timer = setTimeout(() => {
      outgoing.destroy(new NoResponse(`no response began within ${timeoutMs / 1000} s`, { isSilence: true }))
    }, timeoutMs)
    outgoing.on('error', (error) => {
      clearTimeout(timer)
      reject(error instanceof NoResponse ? error : new NoResponse(`no response: ${error.message}`, { cause: error }))
    })
    outgoing.on('response', async (message) => {
      clearTimeout(timer)
      const stream = follow(message, () => outgoing.destroy())
      if (stream.status !== 200) await stream.hasEnded(timeoutMs)
      resolve(stream)
    })
    outgoing.end(request.body)
  })
