import { connect, type Socket } from 'node:net'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

/** A response from the wire. */
export interface Response {
  readonly status: number
  /** The values by lower-case name. */
  readonly headers: ReadonlyMap<string, readonly string[]>
  /** The decompressed body. */
  readonly text: string
  /** False when the connection ended before the end of the body, or the body cannot be decompressed. */
  readonly isWhole: boolean
}

/** How to send a request. */
export interface Sending {
  /** The method of each request in the bytes: responses to HEAD have no body. */
  readonly methods: readonly string[]
  /** Timeout for all responses, in milliseconds. */
  readonly timeoutMs: number
  /** Uses a new connection. `end`: closes its writing side after the bytes; `abort`: destroys it at once. */
  readonly alone?: 'keep' | 'end' | 'abort'
}

/** The result of sending bytes. */
export interface Exchange {
  readonly responses: readonly Response[]
  /** `closed`, `late`: there are fewer responses than requests, or the last response is cut off. */
  readonly outcome: 'whole' | 'closed' | 'late' | 'aborted'
  readonly milliseconds: number
}

/** A connection that stays open as long as the server keeps it. */
export interface Connection {
  /** Sends bytes and reads the responses. @throws Error when the server accepts no connection */
  readonly exchange: (bytes: Buffer, sending: Sending) => Promise<Exchange>
  readonly close: () => void
}

const headEnd = '\r\n\r\n'

const readHead = (text: string): { status: number; headers: Map<string, string[]> } => {
  const [line = '', ...rest] = text.split('\r\n')
  const headers = new Map<string, string[]>()
  for (const header of rest) {
    const colon = header.indexOf(':')
    const name = header.slice(0, colon).toLowerCase()
    headers.set(name, [...(headers.get(name) ?? []), header.slice(colon + 1).trim()])
  }
  return { status: Number(line.split(' ')[1]), headers }
}

/** Joins the chunks of a body; `end` is undefined while the last chunk is missing. */
const readChunks = (data: Buffer, start: number): { body: Buffer; end: number | undefined } => {
  const parts: Buffer[] = []
  let at = start
  for (;;) {
    const lineEnd = data.indexOf('\r\n', at)
    if (lineEnd < 0) return { body: Buffer.concat(parts), end: undefined }
    const size = Number.parseInt(data.toString('latin1', at, lineEnd), 16)
    if (size === 0) {
      const end = data.indexOf('\r\n', lineEnd + 2)
      return { body: Buffer.concat(parts), end: end < 0 ? undefined : end + 2 }
    }
    parts.push(data.subarray(lineEnd + 2, lineEnd + 2 + size))
    if (data.length < lineEnd + 4 + size) return { body: Buffer.concat(parts), end: undefined }
    at = lineEnd + 4 + size
  }
}

/** Decompresses a body; undefined when the body does not match its coding. */
const decompress = (body: Buffer, coding: string | undefined): string | undefined => {
  const undo = { gzip: gunzipSync, br: brotliDecompressSync, deflate: inflateSync }[coding ?? '']
  if (undo === undefined || body.length === 0) return body.toString()
  try {
    return undo(body).toString()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return undefined
  }
}

/**
 * Reads the responses in `data`. The last one can be incomplete; after the end of the connection it counts as cut off.
 * `wanted`: number of bytes that the next call needs; infinite for chunked bodies, whose length is unknown.
 */
export const readResponses = (
  data: Buffer,
  methods: readonly string[],
  isEnded: boolean,
): { responses: Response[]; wanted: number } => {
  const responses: Response[] = []
  let wanted = 0
  for (let at = 0; at < data.length; ) {
    const end = data.indexOf(headEnd, at)
    if (end < 0) break
    const { status, headers } = readHead(data.toString('latin1', at, end))
    const start = end + headEnd.length
    if (status >= 100 && status < 200) {
      at = start
      continue
    }
    const length = headers.get('content-length')?.[0]
    const hasNone = methods[responses.length] === 'HEAD' || status === 204 || status === 304
    let [body, bodyEnd]: [Buffer, number | undefined] = [Buffer.alloc(0), start]
    if (!hasNone && headers.get('transfer-encoding')?.[0] === 'chunked') {
      const chunks = readChunks(data, start)
      ;[body, bodyEnd] = [chunks.body, chunks.end]
      wanted = Number.POSITIVE_INFINITY
    } else if (!hasNone && length !== undefined) {
      wanted = start + Number(length)
      ;[body, bodyEnd] = [data.subarray(start, wanted), data.length >= wanted ? wanted : undefined]
    } else if (!hasNone) {
      ;[body, bodyEnd] = [data.subarray(start), isEnded ? data.length : undefined]
    }
    const isWhole = bodyEnd !== undefined
    if (isWhole || isEnded) {
      const text = isWhole ? decompress(body, headers.get('content-encoding')?.[0]) : body.toString()
      responses.push({ status, headers, text: text ?? '', isWhole: isWhole && text !== undefined })
    }
    if (bodyEnd === undefined) break
    at = bodyEnd
    wanted = 0
  }
  return { responses, wanted }
}

const dial = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
    socket.once('connect', () => resolve(socket)).once('error', reject)
  })

/** Sends bytes on a socket and reads until all responses are complete, the server closes, or the timeout. */
const exchangeOn = (socket: Socket, bytes: Buffer, { methods, timeoutMs, alone }: Sending): Promise<Exchange> =>
  new Promise((resolve) => {
    const begin = performance.now()
    let data: Buffer = Buffer.alloc(0)
    let [pieces, length, wanted]: [Buffer[], number, number] = [[], 0, 0]
    const join = (): Buffer => {
      data = Buffer.concat([data, ...pieces])
      pieces = []
      return data
    }
    const finish = (outcome: Exchange['outcome']): void => {
      clearTimeout(timer)
      socket.removeAllListeners('data').removeAllListeners('end').removeAllListeners('close')
      const { responses } = readResponses(join(), methods, outcome !== 'whole')
      const isComplete = responses.length >= methods.length && responses.every(({ isWhole }) => isWhole)
      const isClosing = responses.some(({ headers }) => headers.get('connection')?.includes('close') === true)
      if (alone !== undefined || outcome !== 'whole' || isClosing) socket.destroy()
      // A server closes an idle connection; a request that is written to it afterwards gets no response.
      else socket.once('end', () => socket.destroy()).resume()
      resolve({ responses, outcome: isComplete ? 'whole' : outcome, milliseconds: performance.now() - begin })
    }
    const timer = setTimeout(() => finish('late'), timeoutMs)
    socket.removeAllListeners('end')
    socket.on('data', (piece) => {
      pieces.push(piece)
      length += piece.length
      // The last chunk ends with a line end: only then the response can be complete.
      if (length < wanted && !(wanted === Number.POSITIVE_INFINITY && piece.at(-1) === 10)) return
      const read = readResponses(join(), methods, false)
      wanted = read.wanted
      if (read.responses.length >= methods.length) finish('whole')
    })
    socket.on('end', () => finish('closed')).on('close', () => finish('closed'))
    socket.write(bytes)
    if (alone === 'end') socket.end()
    if (alone === 'abort') setImmediate(() => finish('aborted'))
  })

/** Creates a connection to a server on 127.0.0.1, which opens at the first request. */
export const openConnection = (port: number): Connection => {
  let kept: Socket | undefined
  const exchange = async (bytes: Buffer, sending: Sending): Promise<Exchange> => {
    const isReused = sending.alone === undefined && kept !== undefined && !kept.destroyed
    const socket = isReused && kept !== undefined ? kept : await dial(port)
    // Later errors show as the end of the connection.
    if (!isReused) socket.on('error', () => undefined)
    if (sending.alone === undefined) kept = socket
    const result = await exchangeOn(socket, bytes, sending)
    if (socket.destroyed && kept === socket) kept = undefined
    // A server may close a kept connection while the next request is sent (RFC 9112, 9.3.1), and has not processed it.
    if (isReused && result.outcome === 'closed' && result.responses.length === 0) return exchange(bytes, sending)
    return result
  }
  return { exchange, close: () => kept?.destroy() }
}
