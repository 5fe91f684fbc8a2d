import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Bench, OpenAccount } from '../bench.ts'
import { changeOne, changeThings, listIds, readPosition, signIn } from '../candidate/accounts.ts'
import { getJob, measureCpuPerRequest, measureDownload, readIds, saveListing } from '../candidate/measure.ts'
import { findMedian } from '../report/results.ts'
import { type Goal, interleave, type OpenRow, type Row } from '../row.ts'

const describe = (id: string, work: string, limit: number, open: Row['open']): Row => ({
  id,
  work,
  against: 'res.end of the same bytes from one prebuilt buffer',
  measured: 'ms per download, one client',
  figures: { throughput: { title: 'throughput, of the baseline’s', unit: 'x', goal: { is: 'least', limit } } },
  open,
})

const openListing = async (bench: Bench, thingCount: number, isChanged: boolean): Promise<OpenRow> => {
  const account = await bench.openAccount(thingCount)
  let listing = await saveListing(bench, account)
  if (isChanged) {
    bench.say('changing every 20th thing')
    await changeThings(account.port, account.token, await readIds(listing, 20))
    listing = await saveListing(bench, account)
  }
  const { file, bytes } = listing
  const baseline = await bench.startBaseline('prebuilt', [file])
  const round = async (index: number) => {
    const [baselineMs, ms] = await interleave(
      index,
      () => measureDownload(bench.load, getJob(baseline.port, '', '/'), bytes),
      () => measureDownload(bench.load, getJob(account.port, account.token, '/v1/sync'), bytes),
    )
    return { throughput: { value: baselineMs / ms, candidate: ms, baseline: baselineMs } }
  }
  const things = `${thingCount.toLocaleString('en')} things, ${(bytes / 1e6).toFixed(1)} MB`
  return { round, notes: [isChanged ? `${things}, every 20th changed since the start` : things] }
}

/** Full sync of 100,000 things. */
export const listing100k = describe('listing-100k', 'full sync, {middle} things', 0.8, (bench) =>
  openListing(bench, bench.sizes.middle, false),
)

/** Full sync of 1,000,000 things. */
export const listing1m = describe('listing-1m', 'full sync, {large} things', 0.75, (bench) =>
  openListing(bench, bench.sizes.large, false),
)

/** Full sync of 100,000 things after changes, which leave gaps in the stored order. */
export const listing100kChanged = describe(
  'listing-100k-changed',
  'full sync, {middle} things, 5 % changed',
  0.8,
  (bench) => openListing(bench, bench.sizes.middle, true),
)

/** Full sync of 1,000,000 things after changes, which leave gaps in the stored order. */
export const listing1mChanged = describe(
  'listing-1m-changed',
  'full sync, {large} things, 5 % changed',
  0.75,
  (bench) => openListing(bench, bench.sizes.large, true),
)

/** Full sync with gzip compared to an uncompressed one, on a local connection. */
export const gzipListing: Row = {
  id: 'gzip-listing',
  work: 'gzip of a full sync of {large} things',
  against: 'the same uncompressed',
  measured: 'ms per download · MB sent',
  figures: {
    time: { title: 'time, of uncompressed', unit: 'x', goal: { is: 'most', limit: 0.5 } },
    bytes: { title: 'bytes, of uncompressed', unit: 'x', goal: { is: 'most', limit: 0.16 } },
  },
  open: async (bench) => {
    const account = await bench.openAccount(bench.sizes.large)
    const { bytes } = await saveListing(bench, account)
    const job = getJob(account.port, account.token, '/v1/sync')
    const download = (encoding: string) =>
      bench.load({ ...job, headers: { ...job.headers, 'accept-encoding': encoding }, connections: 1, count: 1 })
    const round = async (index: number) => {
      const [plain, packed] = await interleave(
        index,
        () => download('identity'),
        () => download('gzip'),
      )
      const value = packed.seconds / plain.seconds
      return {
        time: { value, candidate: packed.seconds * 1000, baseline: plain.seconds * 1000 },
        bytes: { value: packed.bytes / plain.bytes, candidate: packed.bytes / 1e6, baseline: plain.bytes / 1e6 },
      }
    }
    return { round, notes: [`${bench.sizes.large.toLocaleString('en')} things, ${(bytes / 1e6).toFixed(1)} MB`] }
  },
}

const smallCount = 1_000
const changedCount = 10
/** Path of a page of 100 things, at 90 % of the listing. */
const latePagePath = (thingCount: number): string => `/v1/sync?skip=${thingCount * 0.9}&limit=100`

/** Changes ten things, the last of them `repeats` times. Returns the position before the changes. */
const createChanges = async ({ port, token }: OpenAccount, repeats: number): Promise<number> => {
  const ids = await listIds(port, token, { skip: 0, limit: changedCount })
  const from = await readPosition(port, token)
  await changeThings(port, token, ids)
  if (repeats > 1) await changeOne(port, token, ids.at(-1) ?? '', repeats)
  return from
}

/** The cost of an incremental sync depends on what it lists, not on the number of stored things. */
export const incrementalSyncFlat: Row = {
  id: 'sync-flat',
  work: 'incremental sync of 10 changes, and a page at 0.9 of the listing, with {large} things',
  against: 'the same with 1,000 things',
  measured: 'µs of CPU per request of the server, 8 clients',
  figures: {
    incremental: { title: 'incremental sync of 10 changes', unit: 'x', goal: { is: 'most', limit: 1.2 } },
    hot: { title: 'the same, one of them {repeats} times', unit: 'x', goal: { is: 'most', limit: 1.2 } },
    page: { title: 'page of 100 at 0.9 of the listing', unit: 'x', goal: { is: 'most', limit: 1.5 } },
    hotPage: { title: 'the same, {repeats} changes later', unit: 'x', goal: { is: 'most', limit: 1.5 } },
  },
  open: async (bench) => {
    const { repeats } = bench.sizes
    const small = await bench.openAccount(smallCount)
    const large = await bench.openAccount(bench.sizes.large)
    const hot = await bench.openAccount(bench.sizes.large)
    const smallFrom = await createChanges(small, 1)
    const largeFrom = await createChanges(large, 1)
    bench.say(`changing one thing ${repeats} times`)
    const hotFrom = await createChanges(hot, repeats)

    const measure = (account: OpenAccount, path: string) =>
      measureCpuPerRequest(bench.load, account.pid, {
        ...getJob(account.port, account.token, path),
        connections: 8,
        seconds: bench.rateSeconds,
      })
    const compare = (candidate: number, baseline: number) => ({ value: candidate / baseline, candidate, baseline })
    const round = async () => {
      const smallCpu = await measure(small, `/v1/sync?from=${smallFrom}`)
      const largeCpu = await measure(large, `/v1/sync?from=${largeFrom}`)
      const hotCpu = await measure(hot, `/v1/sync?from=${hotFrom}`)
      const smallPage = await measure(small, latePagePath(smallCount))
      const largePage = await measure(large, latePagePath(bench.sizes.large))
      const hotPage = await measure(hot, latePagePath(bench.sizes.large))
      return {
        incremental: compare(largeCpu, smallCpu),
        hot: compare(hotCpu, smallCpu),
        page: compare(largePage, smallPage),
        hotPage: compare(hotPage, smallPage),
      }
    }
    const notes = [
      `${bench.sizes.large.toLocaleString('en')} things; one thing changed ${repeats.toLocaleString('en')} times`,
    ]
    return { round, notes }
  },
}

/** The noise of a shared machine changes within seconds, so that single measurements of two servers do not compare. */
const turnsPerRound = 7

/** The most frequent request: a sync without changes. */
export const smallSync: Row = {
  id: 'small-sync',
  work: 'small GET /sync, nothing new: token checked, request validated',
  against: 'bare Koa, and raw node:http, responding with the same bytes as a constant',
  measured: 'µs of CPU per request, 64 clients',
  figures: {
    koa: { title: 'of bare Koa', unit: 'x', goal: { is: 'least', limit: 0.7 } },
    raw: { title: 'of raw node:http', unit: 'x', goal: { is: 'least', limit: 0.42 } },
    logged: {
      title: 'of bare Koa, with a log line each (the default)',
      unit: 'x',
      goal: { is: 'least', limit: 0.52 },
    },
  },
  open: async (bench) => {
    const quiet = await bench.openAccount(1_000)
    const { folder: loggedFolder } = await bench.copyFilled(1_000)
    const logFile = join(await bench.createFolder(), 'log.ndjson')
    const logged = await bench.start({ folder: loggedFolder, logLevel: 'info', logFile })
    const position = await readPosition(quiet.port, quiet.token)
    const constant = join(await bench.createFolder(), 'response.json')
    await writeFile(constant, JSON.stringify({ pos: position }))
    const koa = await bench.startBaseline('bare-koa', [constant])
    const raw = await bench.startBaseline('prebuilt', [constant])
    const loggedToken = await signIn(logged.port, quiet.enrollment)

    const measure = ({ port, pid }: { port: number; pid: number }, token: string) =>
      measureCpuPerRequest(bench.load, pid, {
        ...getJob(port, token, `/v1/sync?from=${position}`),
        connections: 64,
        seconds: bench.rateSeconds,
      })
    const compare = (baseline: number, candidate: number) => ({ value: baseline / candidate, candidate, baseline })
    const round = async () => {
      const turns = { raw: [] as number[], quiet: [] as number[], koa: [] as number[], logged: [] as number[] }
      for (let turn = 0; turn < turnsPerRound; turn++) {
        turns.raw.push(await measure(raw, quiet.token))
        turns.quiet.push(await measure(quiet, quiet.token))
        turns.koa.push(await measure(koa, quiet.token))
        turns.logged.push(await measure(logged, loggedToken))
      }
      const [rawCpu, quietCpu] = [findMedian(turns.raw), findMedian(turns.quiet)]
      const [koaCpu, loggedCpu] = [findMedian(turns.koa), findMedian(turns.logged)]
      return { koa: compare(koaCpu, quietCpu), raw: compare(rawCpu, quietCpu), logged: compare(koaCpu, loggedCpu) }
    }
    return {
      round,
      notes: [
        'the server runs with --log-level warn; for the figure with a log line it logs to a file',
        `each round measures the four servers ${turnsPerRound} times in turns, and takes the median of each`,
      ],
    }
  },
}

const atMost = (limit: number): Goal => ({ is: 'most', limit })

/** The effect of downloads on the requests of other clients. */
export const loopDelay: Row = {
  id: 'loop-delay',
  work: 'event loop during full syncs of {large} things',
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
