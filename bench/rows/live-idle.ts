import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { enrolTokens } from '../candidate/accounts.ts'
import { openListener } from '../load/open-listener.ts'
import { readCpuSeconds, readMemory } from '../machine/usage.ts'
import { getJob } from '../measure/requests.ts'
import { type Row, RowUnavailable } from '../row.ts'

const userCount = 1_000
const streamsEach = 10
const streamCount = userCount * streamsEach
/** A round of comments. */
const idleSeconds = 25

/** Node raises its own limit to the hard one. */
const refuseFewFiles = (): void => {
  const most = execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).trim()
  if (most === 'unlimited' || Number(most) >= streamCount + 1_000) return
  throw new RowUnavailable(`a process may open ${most} files here and ${streamCount + 1_000} are needed: ulimit -Hn`)
}

/** What it costs that very many clients wait to be told. */
export const liveIdle: Row = {
  id: 'live-idle',
  work: 'a live connection (sync/events) to which nothing happens, beside 9,999 others',
  against: 'fixed limits',
  measured: 'KB each · ms of CPU in a second, all together',
  startsAnew: true,
  figures: {
    resident: { title: 'resident memory', unit: 'KB each', goal: { is: 'most', limit: 10 } },
    heap: { title: 'of it JavaScript', unit: 'KB each' },
    cpu: { title: 'CPU, a comment to each every 25 s', unit: 'ms a second' },
  },
  open: async (bench) => {
    refuseFewFiles()
    const folder = join(await bench.makeFolder(), 'data')
    bench.say(`making ${userCount} users`)
    const tokens = await enrolTokens(folder, userCount)
    const headersByConnection = tokens.map((token) => ({ authorization: `Bearer ${token}` }))

    const round = async () => {
      const server = await bench.start({ folder })
      const listener = openListener(bench)
      const read = async () => {
        await server.collectGarbage()
        return { ...(await readMemory(server.pid)), heapMb: await server.readHeap() }
      }
      // Accounts are open, and code is compiled, before anybody listens.
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
      'CPU of the whole process, its own looking after connections included',
    ]
    return { round, notes }
  },
}
