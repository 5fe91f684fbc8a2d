import { join } from 'node:path'
import { enrolTokens } from '../candidate/accounts.ts'
import { openListener } from '../load/open-listener.ts'
import type { Row } from '../row.ts'

const othersCount = 64
const uploadsPerSecond = 100

/** How long another device waits for what was changed here. */
export const liveLatency: Row = {
  id: 'live-latency',
  work: `from a change to its event (sync/events), beside ${uploadsPerSecond} uploads a second of others`,
  against: 'a fixed limit',
  measured: 'ms',
  figures: {
    median: { title: 'from sending the change, median', unit: 'ms', goal: { is: 'most', limit: 10 } },
    most: { title: 'the same, 99 %', unit: 'ms' },
    afterAnswer: { title: 'from the answer to the change, median', unit: 'ms' },
  },
  open: async (bench) => {
    const folder = join(await bench.makeFolder(), 'data')
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
        most: { value: result.p99Ms },
        afterAnswer: { value: result.afterAnswerMs },
      }
    }
    return { round, notes: ['all answered after fdatasync, which is in the time from sending the change'] }
  },
}
