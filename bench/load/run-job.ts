import { writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { findPercentile } from '../report/median.ts'
import { createAnswerReader, type Exchanged } from './exchange.ts'
import type { LoadJob, LoadResult } from './job.ts'

/**
 * Runs a job: every connection sends its next request when the answer before it has arrived.
 * @throws when an answer has another status than expected or a connection breaks; then nothing was measured
 */
export const runJob = async (job: LoadJob): Promise<LoadResult> => {
  const { connections, seconds = Number.POSITIVE_INFINITY, count = Number.POSITIVE_INFINITY } = job
  const times: number[] = []
  let bytes = 0
  let sent = 0
  let last: Buffer = Buffer.alloc(0)
  const mustKeep = job.saveTo !== undefined || isFilled(job, '{pos}')
  const start = performance.now()
  // Numbers of this job are not those of an earlier one: what is added must be new.
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
        const answer = await connection.exchange(request)
        times.push(performance.now() - begin)
        bytes += answer.bytes
        if (!isExpected(job, answer.status)) {
          throw new Error(`${job.method} ${job.path.split('?')[0]} was answered with ${answer.status}`)
        }
        last = answer.body
        if (mustKeep) position = /"pos": ?(\d+)/.exec(answer.body.toString('latin1', 0, 200))?.[1] ?? position
      }
    } finally {
      connection.close()
    }
  }

  const mayRest = job.seconds === undefined || job.rests ? () => undefined : stayAwake()
  try {
    await Promise.all(Array.from({ length: connections }, (_, index) => useConnection(index)))
  } finally {
    mayRest()
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

/** Waking a process that sleeps costs the one that writes to it, and a slow server would have to do it more often. */
const stayAwake = (): (() => void) => {
  let isOver = false
  const turn = (): void => {
    if (!isOver) setImmediate(turn)
  }
  turn()
  return () => {
    isOver = true
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
  let settle: { resolve: (answer: Exchanged) => void; reject: (error: Error) => void } | undefined

  const dial = async (): Promise<Socket> => {
    const dialled = connect({ port: job.port, host: '127.0.0.1', noDelay: true })
    const read = createAnswerReader((answer) => settle?.resolve(answer), mustKeep)
    dialled.on('data', (data) => {
      read(data)
      if (job.bytesPerSecond !== undefined) slowDown(dialled, data.length / job.bytesPerSecond)
    })
    await new Promise<void>((resolve, reject) => {
      dialled.once('connect', resolve)
      dialled.once('error', reject)
    })
    dialled.on('error', (error) => settle?.reject(error))
    dialled.on('close', () => {
      // A server may close a connection after an answer; the next request takes a new one.
      if (socket === dialled) socket = undefined
      settle?.reject(new Error('the connection was closed before the answer was whole'))
    })
    return dialled
  }

  const exchange = async (request: Buffer): Promise<Exchanged> => {
    socket ??= await dial()
    const used = socket
    try {
      const answer = await new Promise<Exchanged>((resolve, reject) => {
        settle = { resolve, reject }
        used.write(request)
      })
      if (answer.isLast) {
        socket = undefined
        used.destroy()
      }
      return answer
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
