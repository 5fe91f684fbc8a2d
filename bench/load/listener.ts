import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { findPercentile } from '../report/results.ts'
import type { HoldJob, LatencyJob, LatencyResult, ListeningJob, ListeningReply } from './load.ts'

/** Number of connections to open at a time. */
const connectionsAtOnce = 100
const betweenChangesMs = 20

/** A client that listens for events: a separate process, so that its work does not count as work of the server. */
process.on('message', async (job: ListeningJob) => {
  let reply: ListeningReply
  try {
    reply = { result: job.kind === 'hold' ? await hold(job) : await measureLatency(job) }
  } catch (error) {
    reply = { failure: error instanceof Error ? error.message || error.name : String(error) }
  }
  process.send?.(reply)
})
process.on('disconnect', () => process.exit())

const held: Socket[] = []

/** Opens a stream and waits for its first event. Calls `onEvent` with the position of each later event. */
const openStream = (port: number, token: string, onEvent: (position: number) => void): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }).setEncoding('latin1')
    let [isOpen, received] = [false, '']
    socket.on('data', (data) => {
      received += data
      if (!isOpen && !received.startsWith('HTTP/1.1 200 ')) {
        reject(new Error(`the response to a stream has status ${received.slice(9, 12)}`))
      }
      const end = received.lastIndexOf('\n\n')
      const found = [...received.slice(0, Math.max(0, end)).matchAll(/^id: (\d+)$/gm)].at(-1)?.[1]
      if (end >= 0) received = received.slice(end + 2)
      if (found === undefined) return
      if (isOpen) onEvent(Number(found))
      isOpen = true
      resolve(socket)
    })
    socket.on('error', reject).on('close', () => {
      if (!isOpen) reject(new Error('a stream was closed'))
    })
    socket.write(`GET /v1/sync/events HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\n\r\n`)
  })

const hold = async ({ port, tokens, streamsEach }: HoldJob): Promise<undefined> => {
  const wanted = tokens.flatMap((token) => Array.from({ length: streamsEach }, () => token))
  for (let first = 0; first < wanted.length; first += connectionsAtOnce) {
    const batch = wanted.slice(first, first + connectionsAtOnce)
    held.push(...(await Promise.all(batch.map((token) => openStream(port, token, () => undefined)))))
  }
}

const agent = new Agent({ keepAlive: true })

const upload = (port: number, token: string, title: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ limit: 0, new_thing: [{ local_id: 'n', title }] })
    const sent = request({ port, host: '127.0.0.1', method: 'POST', path: '/v1/sync', headers, agent }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => {
        if (response.statusCode === 200) resolve(Number(/"pos":(\d+)/.exec(text)?.[1]))
        else reject(new Error(`the response to an upload has status ${response.statusCode}`))
      })
    })
    sent.on('error', reject).end(body)
  })

const measureLatency = async (job: LatencyJob): Promise<LatencyResult> => {
  const { port, reading, writing, others, uploadsPerSecond, count } = job
  let notified = 0
  let onNotified: () => void = () => undefined
  const stream = await openStream(port, reading, (position) => {
    notified = position
    onNotified()
  })
  let [isDone, uploads] = [false, 0]
  const start = performance.now()
  const uploadBeside = async (): Promise<void> => {
    const running = new Set<Promise<unknown>>()
    while (!isDone) {
      const token = others[uploads % others.length] as string
      uploads += 1
      const one = upload(port, token, `beside ${uploads}`).finally(() => running.delete(one))
      running.add(one)
      await sleep(start + (uploads * 1000) / uploadsPerSecond - performance.now())
    }
    await Promise.all(running)
  }
  const beside = uploadBeside()

  const times: number[] = []
  const afterResponse: number[] = []
  for (let index = 0; index < count; index += 1) {
    const sent = performance.now()
    const changed = upload(port, writing, `change ${index}`).then((position) => ({ position, at: performance.now() }))
    const arrived = new Promise<number>((resolve) => {
      const before = notified
      onNotified = () => {
        if (notified > before) resolve(performance.now())
      }
    })
    const [response, at] = await Promise.all([changed, arrived])
    if (notified !== response.position)
      throw new Error(`the event has position ${notified}, but the change has position ${response.position}`)
    times.push(at - sent)
    afterResponse.push(at - response.at)
    await sleep(betweenChangesMs)
  }
  isDone = true
  const seconds = (performance.now() - start) / 1000
  await beside
  stream.destroy()
  return {
    medianMs: findPercentile(times, 0.5),
    p99Ms: findPercentile(times, 0.99),
    afterResponseMs: findPercentile(afterResponse, 0.5),
    uploadsPerSecond: uploads / seconds,
  }
}
