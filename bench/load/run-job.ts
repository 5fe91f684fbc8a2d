import { writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { findPercentile } from '../report/results.ts'
import type { LoadJob, LoadResult } from './load.ts'

/** A complete response. `body` is empty unless the reader keeps bodies; `bytes` always counts them. */
export interface Exchanged {
  readonly status: number
  readonly bytes: number
  readonly body: Buffer
  /** Whether the server takes no further request on this connection. */
  readonly isLast: boolean
}

const headEnd = Buffer.from('\r\n\r\n')
const lineEnd = Buffer.from('\r\n')

/**
 * Creates a reader of the responses on one HTTP/1.1 connection, which takes the received bytes. It does only the work
 * of the framing: a load generator must cost less than what it loads. It knows Content-Length and chunked bodies only.
 * `mustKeep`: keep the bodies.
 */
export const createResponseReader = (onResponse: (response: Exchanged) => void, mustKeep: boolean) => {
  let head: Buffer = Buffer.alloc(0)
  let status = 0
  let bytes = 0
  let kept: Buffer[] = []
  // Bytes of the body, or of the chunk, that are missing; -1 while the head is read.
  let left = -1
  let isChunked = false
  let isLastChunk = false
  let isLast = false

  const finish = () => {
    const response = { status, bytes, body: Buffer.concat(kept), isLast }
    head = Buffer.alloc(0)
    bytes = 0
    kept = []
    left = -1
    isChunked = false
    isLastChunk = false
    onResponse(response)
  }

  const readHead = (data: Buffer): Buffer => {
    head = head.length === 0 ? data : Buffer.concat([head, data])
    const end = head.indexOf(headEnd)
    if (end < 0) return Buffer.alloc(0)
    const text = head.toString('latin1', 0, end).toLowerCase()
    const rest = head.subarray(end + 4)
    head = Buffer.alloc(0)
    status = Number(text.slice(9, 12))
    isLast = text.startsWith('http/1.0') || text.includes('\r\nconnection: close')
    isChunked = text.includes('transfer-encoding: chunked')
    left = isChunked ? 0 : Number(/content-length: (\d+)/.exec(text)?.[1] ?? 0)
    if (!isChunked && left === 0) finish()
    return rest
  }

  const readBody = (data: Buffer): Buffer => {
    const part = data.subarray(0, left)
    left -= part.length
    bytes += part.length
    if (mustKeep) kept.push(part)
    if (left === 0 && !isChunked) finish()
    return data.subarray(part.length)
  }

  /** Reads `\r\n<size>\r\n` between chunks. The first chunk has no line end before it. */
  const readChunkSize = (data: Buffer): Buffer => {
    head = head.length === 0 ? data : Buffer.concat([head, data])
    if (isLastChunk) {
      if (head.length < 2) return Buffer.alloc(0)
      const behind = head.subarray(2)
      finish()
      return behind
    }
    const start = head[0] === 13 ? 2 : 0
    const end = head.indexOf(lineEnd, start)
    if (end < 0) return Buffer.alloc(0)
    left = Number.parseInt(head.toString('latin1', start, end), 16)
    isLastChunk = left === 0
    const rest = head.subarray(end + 2)
    head = Buffer.alloc(0)
    return rest
  }

  return (data: Buffer): void => {
    for (let rest = data; rest.length > 0; ) {
      if (left < 0) rest = readHead(rest)
      else if (left > 0) rest = readBody(rest)
      else rest = readChunkSize(rest)
    }
  }
}

/**
 * Runs a job: every connection sends its next request after the response to the previous one.
 * @throws Error when a response has another status than expected, or a connection breaks; then there is no result
 */
export const runJob = async (job: LoadJob): Promise<LoadResult> => {
  const { connections, seconds = Number.POSITIVE_INFINITY, count = Number.POSITIVE_INFINITY } = job
  const times: number[] = []
  let bytes = 0
  let sent = 0
  let last: Buffer = Buffer.alloc(0)
  const mustKeep = job.saveTo !== undefined || isFilled(job, '{pos}')
  const start = performance.now()
  // The numbers must differ from those of earlier jobs: each added thing must be new.
  const firstNumber = Math.round(start * 1000)

  const useConnection = async (index: number): Promise<void> => {
    const connection = await openConnection(job, mustKeep)
    const headers = job.headersByConnection?.[index] ?? job.headers
    let position = '0'
    try {
      while (sent < count && performance.now() - start < seconds * 1000) {
        sent += 1
        const request = writeRequest(job, headers, String(firstNumber + sent), position)
        const begin = performance.now()
        const response = await connection.exchange(request)
        times.push(performance.now() - begin)
        bytes += response.bytes
        if (!isExpected(job, response.status)) {
          throw new Error(`the response to ${job.method} ${job.path.split('?')[0]} has status ${response.status}`)
        }
        last = response.body
        if (mustKeep) position = /"pos": ?(\d+)/.exec(response.body.toString('latin1', 0, 200))?.[1] ?? position
      }
    } finally {
      connection.close()
    }
  }

  const letSleep = job.seconds === undefined || job.sleepsWhileWaiting ? () => undefined : stayAwake()
  try {
    await Promise.all(Array.from({ length: connections }, (_, index) => useConnection(index)))
  } finally {
    letSleep()
  }
  const elapsed = (performance.now() - start) / 1000
  if (job.saveTo !== undefined) await writeFile(job.saveTo, last)
  return {
    count: times.length,
    seconds: elapsed,
    bytes,
    medianMs: findPercentile(times, 0.5),
    p99Ms: findPercentile(times, 0.99),
    maxMs: findPercentile(times, 1),
  }
}

/**
 * Keeps the process awake until the returned function is called. A sleeping process costs the server CPU time at each
 * wake-up, and a slow server would pay it more often.
 */
const stayAwake = (): (() => void) => {
  let isDone = false
  const turn = (): void => {
    if (!isDone) setImmediate(turn)
  }
  turn()
  return () => {
    isDone = true
  }
}

const isExpected = (job: LoadJob, status: number): boolean =>
  job.status === undefined ? status >= 200 && status <= 299 : status === job.status

const isFilled = ({ path, body = '' }: LoadJob, mark: string): boolean => path.includes(mark) || body.includes(mark)

const writeRequest = (job: LoadJob, headers: LoadJob['headers'], n: string, position: string): Buffer => {
  const fill = (text: string) => text.replaceAll('{n}', n).replaceAll('{pos}', position)
  const body = Buffer.from(job.body === undefined ? '' : job.body.length > 100_000 ? job.body : fill(job.body))
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const length = job.body === undefined ? '' : `content-length: ${body.length}\r\n`
  const head = `${job.method} ${fill(job.path)} HTTP/1.1\r\nhost: 127.0.0.1:${job.port}\r\n${lines.join('')}${length}\r\n`
  return body.length === 0 ? Buffer.from(head) : Buffer.concat([Buffer.from(head), body])
}

const openConnection = async (job: LoadJob, mustKeep: boolean) => {
  let socket: Socket | undefined
  let settle: { resolve: (response: Exchanged) => void; reject: (error: Error) => void } | undefined

  const dial = async (): Promise<Socket> => {
    const dialed = connect({ port: job.port, host: '127.0.0.1', noDelay: true })
    const read = createResponseReader((response) => settle?.resolve(response), mustKeep)
    dialed.on('data', (data) => {
      read(data)
      if (job.bytesPerSecond !== undefined) slowDown(dialed, data.length / job.bytesPerSecond)
    })
    await new Promise<void>((resolve, reject) => {
      dialed.once('connect', resolve)
      dialed.once('error', reject)
    })
    dialed.on('error', (error) => settle?.reject(error))
    dialed.on('close', () => {
      // A server may close a connection after a response; the next request opens a new one.
      if (socket === dialed) socket = undefined
      settle?.reject(new Error('the connection was closed before the response was complete'))
    })
    return dialed
  }

  const exchange = async (request: Buffer): Promise<Exchanged> => {
    socket ??= await dial()
    const used = socket
    try {
      const response = await new Promise<Exchanged>((resolve, reject) => {
        settle = { resolve, reject }
        used.write(request)
      })
      if (response.isLast) {
        socket = undefined
        used.destroy()
      }
      return response
    } finally {
      settle = undefined
    }
  }

  socket = await dial()
  return { exchange, close: () => socket?.destroy() }
}

const slowDown = (socket: Socket, seconds: number): void => {
  socket.pause()
  setTimeout(() => socket.resume(), seconds * 1000)
}
