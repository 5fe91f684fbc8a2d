import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { addManyAccounts, enroll, signIn, writeBookmarks } from '../candidate/accounts.ts'
import { getJob, runCommand, saveListing } from '../candidate/measure.ts'
import type { LoadJob } from '../load/load.ts'
import { nextMessage, readMemory, resetPeak } from '../machine/processes.ts'
import { interleave, type Row } from '../row.ts'

/** The memory that a large account needs at rest. */
export const memoryAtRest: Row = {
  id: 'memory-at-rest',
  work: 'memory at rest with {large} things',
  against: 'the bytes of their full sync',
  measured: 'MB resident beyond the same server with nothing open · MB of listing',
  restartsEachRound: true,
  figures: {
    idle: { title: 'after 2 s without requests', unit: 'x', goal: { is: 'most', limit: 2.5 } },
    collected: { title: 'after garbage collection', unit: 'x' },
  },
  open: async (bench) => {
    const account = await bench.openAccount(bench.sizes.large)
    const { bytes } = await saveListing(bench, account)
    const { folder, token } = account
    await account.kill()
    const emptyFolder = join(await bench.createFolder(), 'data')
    await enroll(emptyFolder, 1)

    const round = async () => {
      const empty = await bench.start({ folder: emptyFolder })
      const server = await bench.start({ folder })
      await bench.load({ ...getJob(server.port, token, '/v1/sync?from=1&limit=0'), connections: 1, count: 1 })
      await sleep(2_000)
      const base = (await readMemory(empty.pid)).residentMb
      const idle = (await readMemory(server.pid)).residentMb - base
      await server.collectGarbage()
      const collected = (await readMemory(server.pid)).residentMb - base
      await Promise.all([empty.kill(), server.kill()])
      const baseline = bytes / 1e6
      return {
        idle: { value: idle / baseline, candidate: idle, baseline },
        collected: { value: collected / baseline, candidate: collected, baseline },
      }
    }
    return {
      round,
      notes: [`${bench.sizes.large.toLocaleString('en')} things; started on the folder, after one request`],
    }
  },
}

const readerCount = 50
const manyReaders = 100
/** More than the kernel's socket buffers hold, so that the server waits for the readers. */
const slowThings = 100_000
const slowBytesPerSecond = 4e6
/** A compressed response is small: the server waits only for slower readers. */
const packedReaders = 200
const packedBytesPerSecond = 5e5

/** The memory that a running download holds. */
export const downloadMemory: Row = {
  id: 'download-memory',
  work: 'memory of a full sync',
  against: 'the server at rest, after garbage collection',
  measured: 'MB resident at the peak · at rest',
  figures: {
    one: { title: 'one download of {large} things', unit: 'MB', goal: { is: 'most', limit: 2 } },
    slow: { title: '50 slow readers of 100,000 things', unit: 'MB each', goal: { is: 'most', limit: 0.25 } },
    many: { title: '100 slow readers of 100,000 things', unit: 'MB together', goal: { is: 'most', limit: 25 } },
    packed: { title: '200 slower readers of the same as gzip', unit: 'MB together', goal: { is: 'most', limit: 50 } },
  },
  open: async (bench) => {
    const account = await bench.openAccount(bench.sizes.large)
    const slow = slowThings === bench.sizes.large ? account : await bench.openAccount(slowThings)
    const measure = async (
      server: typeof account,
      job: Pick<LoadJob, 'connections' | 'bytesPerSecond'>,
      encoding = 'identity',
    ) => {
      await server.collectGarbage()
      await resetPeak(server.pid)
      const { residentMb } = await readMemory(server.pid)
      const request = getJob(server.port, server.token, '/v1/sync')
      const headers = { ...request.headers, 'accept-encoding': encoding }
      await bench.load({ ...request, headers, ...job, count: job.connections })
      const { peakMb } = await readMemory(server.pid)
      return { value: peakMb - residentMb, candidate: peakMb, baseline: residentMb }
    }
    const measureSlow = (connections: number) => measure(slow, { connections, bytesPerSecond: slowBytesPerSecond })
    const round = async () => {
      const slowReaders = await measureSlow(readerCount)
      return {
        one: await measure(account, { connections: 1 }),
        slow: { ...slowReaders, value: slowReaders.value / readerCount },
        many: await measureSlow(manyReaders),
        packed: await measure(slow, { connections: packedReaders, bytesPerSecond: packedBytesPerSecond }, 'gzip'),
      }
    }
    const counts = `one: ${bench.sizes.large.toLocaleString('en')} things`
    const speeds = `slow readers take ${slowBytesPerSecond / 1e6} MB/s each, those of gzip ${packedBytesPerSecond / 1e6} MB/s`
    return { round, notes: [counts, speeds] }
  },
}

const accountCount = 10_000
const thingsEach = 5

/** The server opens accounts on demand, so they must cost nothing at the start. */
export const manyAccounts: Row = {
  id: 'many-accounts',
  work: 'start with 10,000 accounts',
  against: 'start with none',
  measured: 'ms from the command to the first request accepted',
  // The start without accounts is short, so that a few milliseconds for 10,000 accounts are a large share of it.
  figures: {
    time: { title: 'time', unit: 'x', goal: { is: 'most', limit: 2 } },
    added: { title: 'time for the accounts', unit: 'ms' },
  },
  open: async (bench) => {
    const [noFolder, manyFolder] = [join(await bench.createFolder(), 'data'), join(await bench.createFolder(), 'data')]
    await enroll(noFolder, 0)
    bench.say('creating the accounts')
    await addManyAccounts(manyFolder, accountCount, thingsEach)
    const measure = async (folder: string) => {
      const start = performance.now()
      const server = await bench.start({ folder })
      const ms = performance.now() - start
      await server.stop()
      return ms
    }
    const round = async (index: number) => {
      const [noMs, manyMs] = await interleave(
        index,
        () => measure(noFolder),
        () => measure(manyFolder),
      )
      return {
        time: { value: manyMs / noMs, candidate: manyMs, baseline: noMs },
        added: { value: manyMs - noMs, candidate: manyMs, baseline: noMs },
      }
    }
    return { round, notes: [`${thingsEach} things in each account, after a shutdown; Node’s own start is in both`] }
  },
}

/** The time and the memory of opening an account after a crash. */
export const openAfterCrash: Row = {
  id: 'open-after-crash',
  work: 'opening {large} things after kill -9, to the first response',
  against: 'JSON.parse of one file with the same, and a Map by id',
  measured: 'ms · MB at the peak, both beyond the same server with an empty account (baseline: beyond an empty Node)',
  restartsEachRound: true,
  figures: {
    time: { title: 'time', unit: 'x', goal: { is: 'most', limit: 0.75 } },
    memory: { title: 'memory', unit: 'x', goal: { is: 'most', limit: 0.45 } },
  },
  open: async (bench) => {
    const first = await bench.openAccount(bench.sizes.large)
    const listing = await saveListing(bench, first)
    await first.kill()
    const emptyFolder = join(await bench.createFolder(), 'data')
    const emptyEnrolment = await enroll(emptyFolder, 1)

    const startAndRequest = async (folder: string, token: string) => {
      const start = performance.now()
      const server = await bench.start({ folder })
      await bench.load({ ...getJob(server.port, token, '/v1/sync?from=1&limit=0'), connections: 1, count: 1 })
      const ms = performance.now() - start
      const { peakMb } = await readMemory(server.pid)
      await server.kill()
      return { ms, peakMb }
    }
    const emptyServer = await bench.start({ folder: emptyFolder })
    const emptyToken = await signIn(emptyServer.port, emptyEnrolment)
    await emptyServer.kill()
    const round = async () => {
      const baselineScript = bench.startScript('baselines.ts', ['load-one-file', listing.file])
      const baseline = await nextMessage<{ count: number; ms: number; peakMb: number }>(baselineScript)
      if (baselineScript.exitCode === null) await once(baselineScript, 'exit')
      const empty = await startAndRequest(emptyFolder, emptyToken)
      // A new copy each time: the first start after the crash can change the files.
      const { folder, token } = await bench.copyFilled(bench.sizes.large)
      const full = await startAndRequest(folder, token)
      const ms = full.ms - empty.ms
      const mb = full.peakMb - empty.peakMb
      return {
        time: { value: ms / baseline.ms, candidate: ms, baseline: baseline.ms },
        memory: { value: mb / baseline.peakMb, candidate: mb, baseline: baseline.peakMb },
      }
    }
    return { round, notes: [`${bench.sizes.large.toLocaleString('en')} things; files in the page cache`] }
  },
}

/** The import of a large file of bookmarks, and the memory that it needs beside the account. */
export const importBookmarks: Row = {
  id: 'import-bookmarks',
  work: 'thingsync import of {large} bookmarks into an empty account, no server beside it',
  against: 'htmlparser2 parsing the same file; for memory the same command that opens the account afterwards',
  measured: 'things a second of real time · CPU seconds · MB at the peak',
  restartsEachRound: true,
  figures: {
    rate: { title: 'a second', unit: 'things', goal: { is: 'least', limit: 20_000 } },
    cpu: { title: 'CPU, of the parser', unit: 'x', goal: { is: 'most', limit: 12 } },
    memory: { title: 'memory beside the account', unit: 'MB', goal: { is: 'most', limit: 150 } },
  },
  open: async (bench) => {
    const count = bench.sizes.large
    const files = await bench.createFolder()
    const [bookmarks, nothing] = [join(files, 'bookmarks.html'), join(files, 'nothing.txt')]
    bench.say(`writing ${count.toLocaleString('en')} bookmarks`)
    await writeBookmarks(bookmarks, count)
    await writeFile(nothing, '\n')
    const importInto = (folder: string, file: string, format: string) =>
      runCommand(bench, ['import', file, '--format', format, '--user', 'user-0', '--data', folder])

    const round = async () => {
      const baselineScript = bench.startScript('baselines.ts', ['parse-html', bookmarks])
      const baseline = await nextMessage<{ count: number; cpuSeconds: number }>(baselineScript)
      if (baselineScript.exitCode === null) await once(baselineScript, 'exit')
      const folder = join(await bench.createFolder(), 'data')
      await enroll(folder, 1)
      const whole = await importInto(folder, bookmarks, 'netscape')
      const opened = await importInto(folder, nothing, 'list')
      return {
        rate: { value: count / whole.seconds },
        cpu: {
          value: whole.cpuSeconds / baseline.cpuSeconds,
          candidate: whole.cpuSeconds,
          baseline: baseline.cpuSeconds,
        },
        memory: { value: whole.peakMb - opened.peakMb, candidate: whole.peakMb, baseline: opened.peakMb },
      }
    }
    return {
      round,
      notes: [
        'durable: each piece of 256 KB of text is on the disk before the next one; Node’s start is in all but the parser’s CPU',
      ],
    }
  },
}
