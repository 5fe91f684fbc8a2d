import { join } from 'node:path'
import { createThings, enrolTokens, readPosition, signIn } from '../candidate/accounts.ts'
import { formHeaders, getJob, measureDownload, saveListing } from '../candidate/measure.ts'
import type { RunningServer } from '../candidate/server.ts'
import type { LoadJob } from '../load/load.ts'
import { readCpuSeconds } from '../machine/processes.ts'
import { describeSettings, openBoth, startOneStatement } from '../postgres/open-database.ts'
import { type FigureKind, interleave, type Round, type Row } from '../row.ts'

/** Number of clients that upload at the same time. */
const clientCount = 64

/** Creates a job: each client uploads new things with its own token, from the position of its last response. */
const uploadJob = (port: number, tokens: readonly string[], seconds: number): LoadJob => {
  const [thing] = createThings(7, 1)
  const text = JSON.stringify({ ...thing, local_id: 'LOCAL' })
  return {
    ...{ port, method: 'POST', path: '/v1/sync', headers: {}, headersByConnection: tokens.map(formHeaders) },
    body: `from={pos}&new_thing=${encodeURIComponent(text).replace('LOCAL', '{n}')}`,
    ...{ connections: tokens.length, seconds, sleepsWhileWaiting: true },
  }
}

/** Full syncs of an account in memory, which must not depend on the store. */
export const postgresListing: Row = {
  id: 'postgres-listing',
  work: 'full sync, {middle} things, from a warm process on PostgreSQL',
  against: 'the same from a data folder',
  measured: 'ms per download, one client',
  figures: {
    throughput: { title: 'throughput, of the data folder’s', unit: 'x', goal: { is: 'least', limit: 0.95 } },
    first: { title: 'the first full sync of a process, which reads from the database', unit: 'ms' },
  },
  open: async (bench) => {
    const filled = await bench.copyFilled(bench.sizes.middle)
    const { folder, database, startAnother } = await openBoth(bench, filled)
    const folderToken = await signIn(folder.port, filled.enrollment)
    const token = await signIn(database.port, filled.enrollment)
    const { bytes } = await saveListing(bench, { port: database.port, token })
    const round = async (index: number) => {
      const [folderMs, ms] = await interleave(
        index,
        () => measureDownload(bench.load, getJob(folder.port, folderToken, '/v1/sync'), bytes),
        () => measureDownload(bench.load, getJob(database.port, token, '/v1/sync'), bytes),
      )
      const cold = await startAnother()
      const first = await bench.load({ ...getJob(cold.port, token, '/v1/sync'), connections: 1, count: 1 })
      await cold.stop()
      return { throughput: { value: folderMs / ms, candidate: ms, baseline: folderMs }, first: { value: first.maxMs } }
    }
    const notes = [`${(bytes / 1e6).toFixed(1)} MB`, describeSettings]
    return { round, notes }
  },
}

/** Small syncs without changes: the server reads session and account from the database. */
export const postgresSmallSync: Row = {
  id: 'postgres-small-sync',
  work: 'small GET /sync, nothing new, on PostgreSQL',
  against: 'the same on a data folder; and bare Koa that runs `SELECT 1` through pg for each request',
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
      await signIn(folder.port, filled.enrollment),
      await signIn(database.port, filled.enrollment),
    ]
    const position = await readPosition(database.port, token)
    const one = await startOneStatement(bench, url, 'select 1', { pos: position })

    const measure = async ({ port, pid }: { port: number; pid: number }, bearer: string) => {
      const before = await readCpuSeconds(pid)
      const { count, seconds } = await bench.load({
        ...getJob(port, bearer, `/v1/sync?from=${position}`),
        ...{ connections: 64, seconds: bench.rateSeconds, sleepsWhileWaiting: true },
      })
      return { cpu: ((await readCpuSeconds(pid)) - before) * (1e6 / count), rate: count / seconds }
    }
    const round = async () => {
      const ofFolder = await measure(folder, folderToken)
      const thingsync = await measure(database, token)
      const ofOne = await measure(one, token)
      return {
        folder: { value: ofFolder.cpu / thingsync.cpu, candidate: thingsync.cpu, baseline: ofFolder.cpu },
        one: { value: ofOne.cpu / thingsync.cpu, candidate: thingsync.cpu, baseline: ofOne.cpu },
        rate: { value: thingsync.rate / ofOne.rate, candidate: thingsync.rate, baseline: ofOne.rate },
      }
    }
    return { round, notes: [describeSettings] }
  },
}

/** Durable uploads: the server responds after the data is on the disk, in both stores. */
export const postgresUploads: Row = {
  id: 'postgres-uploads',
  work: 'durable uploads of one thing, 64 clients, on PostgreSQL',
  against: 'the same on a data folder',
  measured: 'uploads per second; for CPU: µs of all processes of the server, or of the database, for each upload',
  figures: {
    users: { title: '64 accounts: rate', unit: 'x', goal: { is: 'least', limit: 0.35 } },
    oneUser: { title: '64 devices of one account: rate', unit: 'x', goal: { is: 'least', limit: 0.35 } },
    usersCpu: { title: '64 accounts: CPU of the server', unit: 'x' },
    usersDatabase: { title: '64 accounts: CPU of the database', unit: 'µs' },
    usersWal: { title: '64 accounts: WAL of an upload', unit: 'bytes' },
    oneUserCpu: { title: 'one account: CPU of the server', unit: 'x' },
    oneUserDatabase: { title: 'one account: CPU of the database', unit: 'µs' },
    oneUserWal: { title: 'one account: WAL of an upload', unit: 'bytes' },
  },
  open: async (bench) => {
    const data = join(await bench.createFolder(), 'data')
    const tokens = await enrolTokens(data, clientCount, 1, clientCount)
    const [devices, users] = [tokens.slice(0, clientCount), tokens.slice(clientCount - 1)]
    const { folder, database, postgres } = await openBoth(bench, { folder: data })

    const readWal = () => Number(postgres.runSql('things', `select pg_current_wal_insert_lsn() - '0/0'::pg_lsn`))

    const measure = async ({ port, pid }: { port: number; pid: number }, bearers: readonly string[]) => {
      const [before, databaseBefore] = [await readCpuSeconds(pid), await postgres.readCpuSeconds()]
      const { count, seconds } = await bench.load(uploadJob(port, bearers, bench.rateSeconds))
      return {
        count,
        rate: count / seconds,
        cpu: ((await readCpuSeconds(pid)) - before) * (1e6 / count),
        databaseCpu: ((await postgres.readCpuSeconds()) - databaseBefore) * (1e6 / count),
      }
    }
    const compare = async (index: number, bearers: readonly string[]) => {
      const [baseline, thingsync] = await interleave(
        index,
        () => measure(folder, bearers),
        async () => {
          // After a checkpoint PostgreSQL writes whole pages, which are most of the WAL: each measurement begins there.
          postgres.runSql('things', 'checkpoint')
          const before = readWal()
          const measured = await measure(database, bearers)
          return { ...measured, wal: (readWal() - before) / measured.count }
        },
      )
      return {
        rate: { value: thingsync.rate / baseline.rate, candidate: thingsync.rate, baseline: baseline.rate },
        cpu: { value: baseline.cpu / thingsync.cpu, candidate: thingsync.cpu, baseline: baseline.cpu },
        database: { value: thingsync.databaseCpu },
        wal: { value: thingsync.wal },
      }
    }
    const round = async (index: number) => {
      const ofUsers = await compare(index, users)
      const ofOne = await compare(index, devices)
      return {
        ...{ users: ofUsers.rate, usersCpu: ofUsers.cpu, usersDatabase: ofUsers.database, usersWal: ofUsers.wal },
        ...{ oneUser: ofOne.rate, oneUserCpu: ofOne.cpu, oneUserDatabase: ofOne.database, oneUserWal: ofOne.wal },
      }
    }
    const checkpoints = 'the WAL is of a load that begins with a checkpoint, as PostgreSQL runs one every five minutes'
    return {
      round,
      notes: ['the load generator, the server and the database share the cores', checkpoints, describeSettings],
    }
  },
}

/** Period of stopping and continuing a process, in ms: short compared to a round, long compared to a request. */
const periodMilliseconds = 60

/**
 * Limits each process to a share of a core, by stopping and continuing it (SIGSTOP, SIGCONT) at staggered times. So the
 * rates of several processes on few cores are similar to the rates on separate cores. Returns a function to stop this.
 */
const holdToShare = (pids: readonly number[], share: number): (() => void) => {
  const timers = new Set<NodeJS.Timeout>()
  const after = (milliseconds: number, work: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      work()
    }, milliseconds)
    timers.add(timer)
  }
  const continueProcess = (pid: number): void => {
    process.kill(pid, 'SIGCONT')
    after(periodMilliseconds * share, () => {
      process.kill(pid, 'SIGSTOP')
      after(periodMilliseconds * (1 - share), () => continueProcess(pid))
    })
  }
  for (const [index, pid] of pids.entries()) {
    process.kill(pid, 'SIGSTOP')
    after((periodMilliseconds * index) / pids.length, () => continueProcess(pid))
  }
  return () => {
    for (const timer of timers) clearTimeout(timer)
    for (const pid of pids) process.kill(pid, 'SIGCONT')
  }
}

/** The numbers of processes to measure. */
const processCounts = [1, 2, 3, 4] as const

/** The share of a core that each process is limited to, so that the cores of one machine do not limit the sum. */
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
  ...{ connections: tokens.length, seconds, sleepsWhileWaiting: true },
})

/** Several processes on one database. They share 64 clients, each with its own account. */
export const postgresProcesses: Row = {
  id: 'postgres-processes',
  work: 'uploads and small syncs by one to four processes on one PostgreSQL, 64 clients',
  against: 'one process',
  measured: 'a second',
  figures: { ...describeFigures('uploads'), ...describeFigures('syncs') },
  open: async (bench) => {
    const data = join(await bench.createFolder(), 'data')
    const tokens = await enrolTokens(data, clientCount)
    const { folder, database, postgres, startAnother } = await openBoth(bench, { folder: data })
    await folder.stop()
    const servers = [database, await startAnother(), await startAnother(), await startAnother()]

    const readServers = async (): Promise<number> =>
      (await Promise.all(servers.map(({ pid }) => readCpuSeconds(pid)))).reduce((sum, seconds) => sum + seconds, 0)
    const measure = async (work: Work, count: number, isHeld: boolean) => {
      const createJob = work === 'uploads' ? uploadJob : syncJob
      const jobs = servers
        .slice(0, count)
        .map(({ port }: RunningServer, index) =>
          createJob(
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
      const round: Record<string, { value: number; candidate?: number; baseline?: number }> = {}
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
      round[`${work}HeldTwo`] = { value: heldTwo / heldOne, candidate: heldTwo, baseline: heldOne }
      round[`${work}Two`] = { value: two / one, candidate: two, baseline: one }
      return round
    }
    const round = async () => ({ ...(await measureWork('uploads')), ...(await measureWork('syncs')) })
    return {
      round,
      notes: [
        'the load generator, the processes and the database share the cores; kept to a share: runs 10 of 60 ms, then stopped',
        describeSettings,
      ],
    }
  },
}
