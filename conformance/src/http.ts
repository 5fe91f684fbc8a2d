import { setMaxListeners } from 'node:events'
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { NoAnswer } from './finding.ts'

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
export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** How requests are sent. */
export interface HttpOptions {
  /** Longest silence of the server within one exchange, in milliseconds; ten times that bounds the whole exchange. */
  readonly timeoutMs: number
  /** Most connections at the same time; default: as many as there are requests. */
  readonly connections?: number
}

/** Sends requests over kept connections; redirects are not followed, so that a token goes nowhere else. */
export interface HttpClient {
  /** Throws NoAnswer when no complete answer comes. */
  readonly send: (request: HttpRequest) => Promise<HttpAnswer>
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
const mostBytes = 256 * 1024 * 1024

const decompress = (body: Buffer, encoding: string | undefined): Buffer => {
  const bounded = { maxOutputLength: mostBytes }
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

  const sendOnce = (request: HttpRequest, isAgain: boolean): Promise<HttpAnswer> =>
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
        outgoing.destroy(new NoAnswer(why, { isSilence: true }))
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
          if (length > mostBytes) giveUp(`the answer is longer than ${mostBytes} bytes`)
        })
        message.on('error', (error) =>
          fail(error instanceof NoAnswer ? error : new NoAnswer(`the answer broke off: ${error.message}`)),
        )
        message.on('end', () => {
          clearTimeout(whole)
          try {
            const body = decompress(Buffer.concat(chunks), message.headers['content-encoding'])
            resolve({ status: message.statusCode ?? 0, headers: readHeaders(message), body })
          } catch (error) {
            const isBomb = codeOf(error) === 'ERR_BUFFER_TOO_LARGE'
            const why = isBomb ? `unpacks to more than ${mostBytes} bytes` : `is not in its Content-Encoding: ${error}`
            fail(new NoAnswer(`the answer ${why}`))
          }
        })
      })
      if (request.headers['transfer-encoding'] === 'chunked') {
        for (const piece of request.body?.match(/.{1,150}/gsu) ?? []) outgoing.write(piece)
        outgoing.end()
      } else outgoing.end(request.body)
    })

  const explain = (error: unknown): Error => {
    if (error instanceof NoAnswer) return error
    const reason = error instanceof Error ? error.message || codeOf(error) : String(error)
    return new NoAnswer(`no answer: ${reason}`, { cause: error })
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
