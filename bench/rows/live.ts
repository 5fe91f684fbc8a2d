import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench } from '../bench.ts'
import { enrolTokens } from '../candidate/accounts.ts'
import { getJob } from '../candidate/measure.ts'
import type { LatencyResult, ListeningJob, ListeningReply } from '../load/load.ts'
import { nextMessage, readCpuSeconds, readMemory } from '../machine/processes.ts'
import { type Row, RowUnavailable } from '../row.ts'

/** Runs a job in a client that listens. @throws Error when a stream or an upload fails */
type Listen = (job: ListeningJob) => Promise<LatencyResult | undefined>

/** Starts a client that listens, on the core for load. `end` kills it with all of its streams. */
const openListener = (bench: Bench): { readonly listen: Listen; readonly end: () => Promise<void> } => {
  const child = bench.startScript('load/listener.ts', [], 'load')
  return {
    listen: async (job) => {
      const response = nextMessage<ListeningReply>(child)
      child.send(job)
      const reply = await response
      if ('failure' in reply) throw new Error(reply.failure)
      return reply.result
    },
    end: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
    },
  }
}

const userCount = 1_000
const streamsEach = 10
const streamCount = userCount * streamsEach
/** The interval at which the server sends a comment on each stream. */
const idleSeconds = 25

/** Checks the hard limit of open files, to which Node raises its own. @throws RowUnavailable when it is too low */
const requireFileLimit = (): void => {
  const max = execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).trim()
  if (max === 'unlimited' || Number(max) >= streamCount + 1_000) return
  throw new RowUnavailable(`a process may open ${max} files here and ${streamCount + 1_000} are needed: ulimit -Hn`)
}

/** The cost of many idle live connections. */
export const liveIdle: Row = {
  id: 'live-idle',
  work: 'an idle live connection (sync/events), beside 9,999 others',
  against: 'fixed limits',
  measured: 'KB each · ms of CPU in a second, all together',
  restartsEachRound: true,
  figures: {
    resident: { title: 'resident memory', unit: 'KB each', goal: { is: 'most', limit: 10 } },
    heap: { title: 'of it JavaScript', unit: 'KB each' },
    cpu: { title: 'CPU, a comment to each every 25 s', unit: 'ms a second' },
  },
  open: async (bench) => {
    requireFileLimit()
    const folder = join(await bench.createFolder(), 'data')
    bench.say(`creating ${userCount} users`)
    const tokens = await enrolTokens(folder, userCount)
    const headersByConnection = tokens.map((token) => ({ authorization: `Bearer ${token}` }))

    const round = async () => {
      const server = await bench.start({ folder })
      const listener = openListener(bench)
      const read = async () => {
        await server.collectGarbage()
        return { ...(await readMemory(server.pid)), heapMb: await server.readHeap() }
      }
      // The accounts must be open, and the code compiled, before the first measurement.
      for (let turn = 0; turn < 2; turn += 1) {
        const job = { ...getJob(server.port, '', '/v1/sync'), headersByConnection }
        await bench.load({ ...job, connections: userCount, count: userCount })
      }
      await listener.listen({ kind: 'hold', port: server.port, tokens: tokens.slice(0, 10), streamsEach: 1 })
      const before = await read()
      await listener.listen({ kind: 'hold', port: server.port, tokens: tokens.slice(10), streamsEach })
      const open = (userCount - 10) * streamsEach
      const after = await read()
      const cpuBefore = await readCpuSeconds(server.pid)
      await sleep(idleSeconds * 1000)
      const cpu = (await readCpuSeconds(server.pid)) - cpuBefore
      await listener.end()
      await server.kill()
      return {
        resident: { value: ((after.residentMb - before.residentMb) * 1000) / open },
        heap: { value: ((after.heapMb - before.heapMb) * 1000) / open },
        cpu: { value: (cpu * 1000) / idleSeconds },
      }
    }
    const notes = [
      `${userCount} users with ${streamsEach} connections each, after garbage collection; the kernel's buffers are not in it`,
      'CPU of the whole process, including its checks of connections',
    ]
    return { round, notes }
  },
}

const othersCount = 64
const uploadsPerSecond = 100

/** The latency from a change on one device to its event on another device. */
export const liveLatency: Row = {
  id: 'live-latency',
  work: `from a change to its event (sync/events), beside ${uploadsPerSecond} uploads a second of others`,
  against: 'a fixed limit',
  measured: 'ms',
  figures: {
    median: { title: 'from sending the change, median', unit: 'ms', goal: { is: 'most', limit: 10 } },
    max: { title: 'the same, 99 %', unit: 'ms' },
    afterResponse: { title: 'from the response to the change, median', unit: 'ms' },
  },
  open: async (bench) => {
    const folder = join(await bench.createFolder(), 'data')
    const tokens = await enrolTokens(folder, 1 + othersCount, 2)
    const [reading = '', writing = '', ...others] = tokens
    const server = await bench.start({ folder })
    const listener = openListener(bench)
    const round = async () => {
      const count = bench.rateSeconds * 100
      const job = { kind: 'latency', port: server.port, reading, writing, others, uploadsPerSecond, count } as const
      const result = await listener.listen(job)
      if (result === undefined) throw new Error('the listener measured nothing')
      if (result.uploadsPerSecond < uploadsPerSecond * 0.9) {
        throw new Error(`only ${Math.round(result.uploadsPerSecond)} uploads a second were sent`)
      }
      return {
        median: { value: result.medianMs },
        max: { value: result.p99Ms },
        afterResponse: { value: result.afterResponseMs },
      }
    }
    return { round, notes: ['the server responds after fdatasync, which is in the time from sending the change'] }
  },
}
