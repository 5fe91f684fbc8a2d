import { join } from 'node:path'
import { enrolTokens } from '../candidate/accounts.ts'
import type { RunningServer } from '../candidate/start-server.ts'
import type { LoadJob } from '../load/job.ts'
import { readCpuSeconds } from '../machine/usage.ts'
import { getJob } from '../measure/requests.ts'
import type { FigureKind, Round, Row } from '../row.ts'
import { holdToShare } from './hold-to-share.ts'
import { openBoth } from './open-both.ts'
import { describeSettings } from './open-database.ts'
import { clientCount, uploadJob } from './upload-job.ts'

/** How many processes are tried. */
export const processCounts = [1, 2, 3, 4] as const

/** The share of a core that each process is kept to, so that the cores of one machine do not bound all of them. */
const heldShare = 1 / 6

const works = { uploads: 'uploads', syncs: 'small syncs' } as const
type Work = keyof typeof works

const describeFigures = (work: Work): Record<string, FigureKind> =>
  Object.fromEntries([
    [`${work}Two`, { title: `${works[work]}: two processes`, unit: 'x', goal: { is: 'least', limit: 1.6 } }],
    [`${work}HeldTwo`, { title: `${works[work]}: two processes, each kept to a sixth of a core`, unit: 'x' }],
    ...processCounts.map((count): [string, FigureKind] => [
      `${work}${count}Held`,
      { title: `${works[work]}, ${count} processes, each kept to a sixth of a core`, unit: 'a second' },
    ]),
    ...processCounts.flatMap((count): [string, FigureKind][] => [
      [`${work}${count}`, { title: `${works[work]}, ${count} processes`, unit: 'a second' }],
      [`${work}${count}Servers`, { title: `${works[work]}, ${count} processes: they use`, unit: 'cores' }],
      [`${work}${count}Database`, { title: `${works[work]}, ${count} processes: the database uses`, unit: 'cores' }],
    ]),
  ])

const syncJob = (port: number, tokens: readonly string[], seconds: number): LoadJob => ({
  ...getJob(port, '', '/v1/sync?from=0'),
  headersByConnection: tokens.map((token) => ({ authorization: `Bearer ${token}` })),
  ...{ connections: tokens.length, seconds, rests: true },
})

/** Processes on one database, each with its share of 64 clients, each of these with an account of its own. */
export const postgresProcesses: Row = {
  id: 'postgres-processes',
  work: 'uploads and small syncs by one to four processes on one PostgreSQL, 64 clients',
  against: 'one process',
  measured: 'a second',
  figures: { ...describeFigures('uploads'), ...describeFigures('syncs') },
  open: async (bench) => {
    const data = join(await bench.makeFolder(), 'data')
    const tokens = await enrolTokens(data, clientCount)
    const { folder, database, postgres, startAnother } = await openBoth(bench, { folder: data })
    await folder.stop()
    const servers = [database, await startAnother(), await startAnother(), await startAnother()]

    const readServers = async (): Promise<number> =>
      (await Promise.all(servers.map(({ pid }) => readCpuSeconds(pid)))).reduce((sum, seconds) => sum + seconds, 0)
    const measure = async (work: Work, count: number, isHeld: boolean) => {
      const makeJob = work === 'uploads' ? uploadJob : syncJob
      const jobs = servers
        .slice(0, count)
        .map(({ port }: RunningServer, index) =>
          makeJob(
            port,
            tokens.slice((index * clientCount) / count, ((index + 1) * clientCount) / count),
            bench.rateSeconds,
          ),
        )
      const [serversBefore, databaseBefore, start] = [
        await readServers(),
        await postgres.readCpuSeconds(),
        performance.now(),
      ]
      const letGo = isHeld
        ? holdToShare(
            servers.slice(0, count).map(({ pid }) => pid),
            heldShare,
          )
        : () => undefined
      const results = await Promise.all(jobs.map(bench.load)).finally(letGo)
      const seconds = (performance.now() - start) / 1000
      return {
        rate: results.reduce((sum, result) => sum + result.count / result.seconds, 0),
        servers: ((await readServers()) - serversBefore) / seconds,
        database: ((await postgres.readCpuSeconds()) - databaseBefore) / seconds,
      }
    }
    const measureWork = async (work: Work): Promise<Round> => {
      const rates: number[] = []
      const heldRates: number[] = []
      const round: Record<string, { value: number; candidate?: number; floor?: number }> = {}
      for (const count of processCounts) {
        const { rate, servers: used, database: databaseUsed } = await measure(work, count, false)
        const held = await measure(work, count, true)
        rates.push(rate)
        heldRates.push(held.rate)
        round[`${work}${count}Held`] = { value: held.rate }
        round[`${work}${count}`] = { value: rate }
        round[`${work}${count}Servers`] = { value: used }
        round[`${work}${count}Database`] = { value: databaseUsed }
      }
      const [one = 0, two = 0] = rates
      const [heldOne = 0, heldTwo = 0] = heldRates
      round[`${work}HeldTwo`] = { value: heldTwo / heldOne, candidate: heldTwo, floor: heldOne }
      round[`${work}Two`] = { value: two / one, candidate: two, floor: one }
      return round
    }
    const round = async () => ({ ...(await measureWork('uploads')), ...(await measureWork('syncs')) })
    return {
      round,
      notes: [
        'the load generator, the processes and the database share the cores; kept to a share: stopped and let go in turns, 10 of 60 ms',
        describeSettings,
      ],
    }
  },
}
