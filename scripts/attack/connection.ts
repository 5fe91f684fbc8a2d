import { connect, type Socket } from 'node:net'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

/** A response as it came over the wire. */
export interface Response {
  readonly status: number
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, readonly string[]>
  /** Decompressed. */
  readonly text: string
  /** False when the connection ended before the end of the body, or the body cannot be decompressed. */
  readonly isWhole: boolean
}

/** How a request is sent. */
export interface Sending {
  /** The method of each request in the bytes: responses to HEAD have no body. */
  readonly methods: readonly string[]
  /** Milliseconds until the responses that came so far are all that there are. */
  readonly timeoutMs: number
  /** A connection of its own. `end`: its writing side is closed behind the bytes; `abort`: it is destroyed at once. */
  readonly alone?: 'keep' | 'end' | 'abort'
}

/** What came of the bytes that were sent. */
export interface Exchange {
  readonly responses: readonly Response[]
  /** `closed`, `late`: fewer responses came than there were requests, or the last one was cut off. */
  readonly outcome: 'whole' | 'closed' | 'late' | 'aborted'
  readonly milliseconds: number
}

/** Sends bytes on a connection that is kept while the server keeps it. */
export interface Connection {
  /** @throws when the server takes no connection at all */
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

/** Joins the chunks of a body; `end` is undefined while the last one has not arrived. */
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

/** Undefined when the body is not what its coding says. */
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
 * Reads the responses that stand in `data`; the last one may be cut off, which only the end of the connection makes final.
 * `wanted`: how many bytes there must be before reading again is worth it; infinite for chunks, whose number nobody knows.
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

/** Sends on one socket and gathers what comes back until all responses are there, the other side ends, or it takes too long. */
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
      // A server ends a connection on which nothing is asked for a while; what is written to it then has no response.
      else socket.once('end', () => socket.destroy()).resume()
      resolve({ responses, outcome: isComplete ? 'whole' : outcome, milliseconds: performance.now() - begin })
    }
    const timer = setTimeout(() => finish('late'), timeoutMs)
    socket.removeAllListeners('end')
    socket.on('data', (piece) => {
      pieces.push(piece)
      length += piece.length
      // Chunks end with a line: only then they may be whole.
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

/** Opens a way to a server on 127.0.0.1; it connects when something is sent. */
export const openConnection = (port: number): Connection => {
  let kept: Socket | undefined
  const exchange = async (bytes: Buffer, sending: Sending): Promise<Exchange> => {
    const isReused = sending.alone === undefined && kept !== undefined && !kept.destroyed
    const socket = isReused && kept !== undefined ? kept : await dial(port)
    // What breaks afterwards is seen as the end of the connection.
    if (!isReused) socket.on('error', () => undefined)
    if (sending.alone === undefined) kept = socket
    const result = await exchangeOn(socket, bytes, sending)
    if (socket.destroyed && kept === socket) kept = undefined
    // A server may close a kept connection just when the next request is sent (RFC 9112, 9.3.1): then it never saw it.
    if (isReused && result.outcome === 'closed' && result.responses.length === 0) return exchange(bytes, sending)
    return result
  }
  return { exchange, close: () => kept?.destroy() }
}
