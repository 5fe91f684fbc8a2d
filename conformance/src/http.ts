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
}

/** One HTTP answer, read to its end and decompressed. */
export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Sends requests over kept connections; redirects are not followed, so that a token goes nowhere else. */
export interface HttpClient {
  /** Throws NoAnswer when no complete answer comes within `timeoutMs` of silence. */
  readonly send: (request: HttpRequest) => Promise<HttpAnswer>
  /** Ends what is under way (it throws NoAnswer) and closes the connections. */
  readonly close: () => void
}

const decompress = (body: Buffer, encoding: string | undefined): Buffer => {
  if (encoding === 'gzip' || encoding === 'x-gzip') return gunzipSync(body)
  if (encoding === 'br') return brotliDecompressSync(body)
  if (encoding === 'deflate') return inflateSync(body)
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

/** Makes a client; `timeoutMs` bounds the server's silence within one exchange, ten times that the whole exchange. */
export const openHttpClient = (timeoutMs: number): HttpClient => {
  const agents = { 'http:': new HttpAgent({ keepAlive: true }), 'https:': new HttpsAgent({ keepAlive: true }) }
  const closing = new AbortController()
  setMaxListeners(0, closing.signal)

  const sendOnce = (request: HttpRequest): Promise<HttpAnswer> =>
    new Promise((resolve, reject) => {
      const secure = request.url.protocol === 'https:'
      const outgoing = (secure ? requestHttps : requestHttp)(request.url, {
        method: request.method,
        headers: request.headers,
        agent: secure ? agents['https:'] : agents['http:'],
        signal: closing.signal,
        timeout: timeoutMs,
      })
      const giveUp = (why: string): void => {
        outgoing.destroy(new NoAnswer(why))
      }
      const whole = setTimeout(giveUp, timeoutMs * 10, `the answer was not complete after ${timeoutMs / 100} s`)
      const fail = (error: Error): void => {
        clearTimeout(whole)
        reject(Object.assign(error, { stale: outgoing.reusedSocket && codeOf(error) === 'ECONNRESET' }))
      }
      outgoing.on('timeout', () => giveUp(`the server said nothing for ${timeoutMs / 1000} s`))
      outgoing.on('error', fail)
      outgoing.on('response', (message) => {
        const chunks: Buffer[] = []
        message.on('data', (chunk: Buffer) => chunks.push(chunk))
        message.on('error', (error) => fail(new NoAnswer(`the answer broke off: ${error.message}`)))
        message.on('end', () => {
          clearTimeout(whole)
          try {
            const body = decompress(Buffer.concat(chunks), message.headers['content-encoding'])
            resolve({ status: message.statusCode ?? 0, headers: readHeaders(message), body })
          } catch (error) {
            fail(new NoAnswer(`the answer is not in its Content-Encoding: ${String(error)}`))
          }
        })
      })
      outgoing.end(request.body)
    })

  const explain = (error: unknown): Error => {
    if (error instanceof NoAnswer) return error
    const reason = error instanceof Error ? error.message || codeOf(error) : String(error)
    return new NoAnswer(`no answer: ${reason}`, { cause: error })
  }

  return {
    send: async (request) => {
      try {
        return await sendOnce(request)
      } catch (error) {
        // A kept connection that the server had just closed: nothing was taken in, so the request is sent again on a new one.
        if (!(error instanceof Error && 'stale' in error && error.stale === true)) throw explain(error)
      }
      try {
        return await sendOnce(request)
      } catch (error) {
        throw explain(error)
      }
    },
    close: () => {
      closing.abort()
      agents['http:'].destroy()
      agents['https:'].destroy()
    },
  }
}
