import { setMaxListeners } from 'node:events'
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { NoResponse } from './result.ts'

/** One HTTP request, complete. */
export interface HttpRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Longest silence within this exchange, in milliseconds, where it may be another one. */
  readonly timeoutMs?: number
}

/** One HTTP answer, read to its end and decompressed. */
interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** How requests are sent. */
interface HttpOptions {
  /** Longest silence of the server within one exchange, in milliseconds; ten times that bounds the whole exchange. */
  readonly timeoutMs: number
  /** Most connections at the same time; default: as many as there are requests. */
  readonly connections?: number
}

/** Sends requests over kept connections; redirects are not followed, so that a token goes nowhere else. */
interface HttpClient {
  /** Throws NoAnswer when no complete answer comes. */
  readonly send: (request: HttpRequest) => Promise<HttpResponse>
  /** Requests sent again because the kept connection had been closed without notice. */
  readonly resent: () => number
  /** Closes the kept connections; later requests open new ones. */
  readonly disconnect: () => void
  /** Ends what is under way (it throws NoAnswer); later requests are sent. */
  readonly interrupt: () => void
  /** Ends what is under way and closes the connections. */
  readonly close: () => void
}

/** Most bytes that an answer may have, packed or unpacked: more than any account's, less than the memory of a machine. */
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

/** Makes a client. */
export const openHttpClient = ({ timeoutMs, connections }: HttpOptions): HttpClient => {
  const kept = { keepAlive: true, ...(connections === undefined ? {} : { maxSockets: connections }) }
  const agents = { 'http:': new HttpAgent(kept), 'https:': new HttpsAgent(kept) }
  let underWay = new AbortController()
  setMaxListeners(0, underWay.signal)
  let resent = 0

  const sendOnce = (request: HttpRequest, isAgain: boolean): Promise<HttpResponse> =>
    new Promise((resolve, reject) => {
      const silenceMs = request.timeoutMs ?? timeoutMs
      const secure = request.url.protocol === 'https:'
      const outgoing = (secure ? requestHttps : requestHttp)(request.url, {
        method: request.method,
        headers: request.headers,
        // The second time on a new connection: other kept ones may be closed as well.
        agent: isAgain ? false : agents[secure ? 'https:' : 'http:'],
        signal: underWay.signal,
      })
      const giveUp = (why: string): void => {
        outgoing.destroy(new NoResponse(why, { isSilence: true }))
      }
      const whole = setTimeout(giveUp, silenceMs * 10, `the answer was not complete after ${silenceMs / 100} s`)
      // Counted from the socket on: with one connection a request may wait for its turn.
      outgoing.on('socket', (socket) => {
        socket.setTimeout(silenceMs)
        const onSilence = (): void => giveUp(`the server said nothing for ${silenceMs / 1000} s`)
        socket.on('timeout', onSilence)
        outgoing.on('close', () => {
          socket.off('timeout', onSilence)
          socket.setTimeout(0)
        })
      })
      const fail = (error: Error): void => {
        clearTimeout(whole)
        const isGone = ['ECONNRESET', 'EPIPE', 'ECONNABORTED'].includes(codeOf(error) ?? '')
        reject(Object.assign(error, { stale: outgoing.reusedSocket && isGone }))
      }
      outgoing.on('error', fail)
      outgoing.on('response', (message) => {
        const chunks: Buffer[] = []
        let length = 0
        message.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          length += chunk.length
          if (length > maxBytes) giveUp(`the answer is longer than ${maxBytes} bytes`)
        })
        message.on('error', (error) =>
          fail(error instanceof NoResponse ? error : new NoResponse(`the answer broke off: ${error.message}`)),
        )
        message.on('end', () => {
          clearTimeout(whole)
          try {
            const body = decompress(Buffer.concat(chunks), message.headers['content-encoding'])
            resolve({ status: message.statusCode ?? 0, headers: readHeaders(message), body })
          } catch (error) {
            const isBomb = codeOf(error) === 'ERR_BUFFER_TOO_LARGE'
            const why = isBomb ? `unpacks to more than ${maxBytes} bytes` : `is not in its Content-Encoding: ${error}`
            fail(new NoResponse(`the answer ${why}`))
          }
        })
      })
      if (request.headers['transfer-encoding'] === 'chunked') {
        for (const piece of request.body?.match(/.{1,150}/gsu) ?? []) outgoing.write(piece)
        outgoing.end()
      } else outgoing.end(request.body)
    })

  const explain = (error: unknown): Error => {
    if (error instanceof NoResponse) return error
    const reason = error instanceof Error ? error.message || codeOf(error) : String(error)
    return new NoResponse(`no answer: ${reason}`, { cause: error })
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
        // A kept connection that the server had just closed: nothing was taken in, so the request is sent again on a new one.
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
      const ended = underWay
      underWay = new AbortController()
      setMaxListeners(0, underWay.signal)
      ended.abort()
    },
    disconnect,
    close: () => {
      underWay.abort()
      disconnect()
    },
  }
}

/** One server-sent event, by its fields; lines that are none, such as comments, are left out. */
interface StreamEvent {
  readonly id: string | undefined
  readonly event: string | undefined
  readonly data: string
}

/** An answer that is read while it comes. */
export interface EventStream {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The next event that was not taken yet; undefined when none came within the time or before the end. */
  readonly take: (timeoutMs: number) => Promise<StreamEvent | undefined>
  /** Whether the answer has ended, or ends within the time. */
  readonly hasEnded: (timeoutMs: number) => Promise<boolean>
  /** What came so far. */
  readonly text: () => string
  readonly close: () => void
}

const maxTextLength = 1_000_000

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
  const report = (): void => void news.dispatchEvent(new Event('news'))
  const end = (): void => {
    isOver = true
    report()
  }
  message.setEncoding('utf8')
  message.on('data', (chunk: string) => {
    if (whole.length < maxTextLength) whole += chunk
    const text = rest + chunk
    // A line end may be cut in two.
    const cut = text.endsWith('\r') ? '\r' : ''
    const read = readEvents(text.slice(0, text.length - cut.length))
    rest = read.rest + cut
    events.push(...read.events)
    report()
  })
  message.on('end', end)
  message.on('close', end)
  // A broken connection ends the stream like any other.
  message.on('error', end)

  const until = async (isThere: () => boolean, timeoutMs: number): Promise<boolean> => {
    const last = performance.now() + timeoutMs
    while (!isThere()) {
      const left = last - performance.now()
      if (left <= 0) return false
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left)
        const notified = (): void => {
          clearTimeout(timer)
          resolve()
        }
        news.addEventListener('news', notified, { once: true })
      })
    }
    return true
  }

  return {
    status: message.statusCode ?? 0,
    headers: Object.fromEntries(Object.entries(message.headers).map(([name, to]) => [name, [to].flat().join(', ')])),
    take: async (timeoutMs) => {
      await until(() => events.length > 0 || isOver, timeoutMs)
      return events.shift()
    },
    hasEnded: (timeoutMs) => until(() => isOver, timeoutMs),
    text: () => whole,
    close,
  }
}

/**
 * Sends a request on a connection of its own and resolves when its answer begins; an answer that is no success is read
 * to its end. Throws NoAnswer when none begins within the time.
 */
export const openEventStream = (request: HttpRequest, timeoutMs: number): Promise<EventStream> =>
  new Promise((resolve, reject) => {
    const send = request.url.protocol === 'https:' ? requestHttps : requestHttp
    const { method, headers, url } = request
    const outgoing = send(url, { method, headers, agent: false })
    const late = setTimeout(() => {
      outgoing.destroy(new NoResponse(`no answer began within ${timeoutMs / 1000} s`, { isSilence: true }))
    }, timeoutMs)
    outgoing.on('error', (error) => {
      clearTimeout(late)
      reject(error instanceof NoResponse ? error : new NoResponse(`no answer: ${error.message}`, { cause: error }))
    })
    outgoing.on('response', async (message) => {
      clearTimeout(late)
      const stream = follow(message, () => outgoing.destroy())
      if (stream.status !== 200) await stream.hasEnded(timeoutMs)
      resolve(stream)
    })
    outgoing.end(request.body)
  })
