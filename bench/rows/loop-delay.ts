import { readPosition } from '../candidate/fill.ts'
import { getJob } from '../measure/requests.ts'
import type { Goal, Row } from '../row.ts'

const atMost = (limit: number): Goal => ({ is: 'most', limit })

/** What everybody else feels of somebody's download. */
export const loopDelay: Row = {
  id: 'loop-delay',
  work: 'event loop during full listings of {large} things',
  against: 'a fixed limit',
  measured: 'ms',
  figures: {
    one: { title: 'longest delay, one download', unit: 'ms', goal: atMost(20) },
    oneBeside: { title: 'small requests beside it, 99 %', unit: 'ms', goal: atMost(20) },
    eight: { title: 'longest delay, 8 downloads', unit: 'ms', goal: atMost(30) },
    eightBeside: { title: 'small requests beside them, 99 %', unit: 'ms', goal: atMost(30) },
  },
  open: async (bench) => {
    const account = await bench.openAccount(bench.sizes.large)
    const { port, token } = account
    const small = getJob(port, token, `/v1/sync?from=${await readPosition(port, token)}`)
    const measure = async (connections: number) => {
      await account.startDelay()
      const [, beside] = await Promise.all([
        bench.load({ ...getJob(port, token, '/v1/sync'), connections, seconds: bench.rateSeconds }),
        bench.loadBeside({ ...small, connections: 4, seconds: bench.rateSeconds }),
      ])
      return { delayMs: await account.stopDelay(), besideMs: beside.p99Ms }
    }
    const round = async () => {
      const one = await measure(1)
      const eight = await measure(8)
      return {
        one: { value: one.delayMs },
        oneBeside: { value: one.besideMs },
        eight: { value: eight.delayMs },
        eightBeside: { value: eight.besideMs },
      }
    }
    const notes = [
      `${bench.sizes.large.toLocaleString('en')} things, downloads back to back for ${bench.rateSeconds} s`,
      'delays include what the scheduler of a busy machine adds',
    ]
    return { round, notes }
  },
}
