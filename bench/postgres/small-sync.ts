import { signIn } from '../candidate/accounts.ts'
import { readPosition } from '../candidate/fill.ts'
import { readCpuSeconds } from '../machine/usage.ts'
import { getJob } from '../measure/requests.ts'
import type { Row } from '../row.ts'
import { openBoth } from './open-both.ts'
import { describeSettings } from './open-database.ts'
import { startOneStatement } from './start-one-statement.ts'

/** Is there anything new, with the database asked for the session and the account. */
export const postgresSmallSync: Row = {
  id: 'postgres-small-sync',
  work: 'small GET /sync, nothing new, on PostgreSQL',
  against: 'the same on a data folder; and bare Koa that asks `SELECT 1` through pg for each request',
  measured: 'µs of CPU of the server’s process per request, 64 clients (the rate: requests per second)',
  figures: {
    folder: { title: 'CPU, of the data folder’s', unit: 'x', goal: { is: 'least', limit: 0.35 } },
    one: { title: 'CPU, of SELECT 1', unit: 'x', goal: { is: 'least', limit: 0.7 } },
    rate: { title: 'rate, of SELECT 1', unit: 'x' },
  },
  open: async (bench) => {
    const filled = await bench.copyFilled(1_000)
    const { folder, database, url } = await openBoth(bench, filled)
    const [folderToken, token] = [
      await signIn(folder.port, filled.enrolment),
      await signIn(database.port, filled.enrolment),
    ]
    const position = await readPosition(database.port, token)
    const one = await startOneStatement(bench, url, 'select 1', { pos: position })

    const measure = async ({ port, pid }: { port: number; pid: number }, bearer: string) => {
      const before = await readCpuSeconds(pid)
      const { count, seconds } = await bench.load({
        ...getJob(port, bearer, `/v1/sync?from=${position}`),
        ...{ connections: 64, seconds: bench.rateSeconds, rests: true },
      })
      return { cpu: ((await readCpuSeconds(pid)) - before) * (1e6 / count), rate: count / seconds }
    }
    const round = async () => {
      const ofFolder = await measure(folder, folderToken)
      const ours = await measure(database, token)
      const ofOne = await measure(one, token)
      return {
        folder: { value: ofFolder.cpu / ours.cpu, candidate: ours.cpu, floor: ofFolder.cpu },
        one: { value: ofOne.cpu / ours.cpu, candidate: ours.cpu, floor: ofOne.cpu },
        rate: { value: ours.rate / ofOne.rate, candidate: ours.rate, floor: ofOne.rate },
      }
    }
    return { round, notes: [describeSettings] }
  },
}
