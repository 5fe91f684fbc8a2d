import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Bench } from '../bench.ts'
import { enroll, enrolTokens, fill, readPosition } from '../candidate/accounts.ts'
import { getJob } from '../candidate/measure.ts'
import { type PlainServer, startCandidate, startPlain } from '../candidate/plain-server.ts'
import { builtCommand } from '../candidate/server.ts'
import { endChild, type Memory, readMemory } from '../machine/processes.ts'
import { findPercentile } from '../report/results.ts'
import { interleave, type Row, type Sample } from '../row.ts'

const minimalServer = fileURLToPath(new URL('../comparison/minimal-server.mjs', import.meta.url))

/** The name of the baseline in the texts of the rows. */
const minimalServerText = 'a minimal server: Koa, one schema compiled by ajv, and a pino log'

/** Starts the minimal server. `folder` receives its ready file and its log. */
const startMinimal = (bench: Bench, folder: string): Promise<PlainServer> => {
  const [file, logFile] = [join(folder, 'minimal.ready'), join(folder, 'minimal.log')]
  return startPlain(bench, process.execPath, [minimalServer, file, logFile], {
    ...{ logFile, ready: { file }, healthPath: '/healthz' },
  })
}

const compare = (candidate: number, baseline: number): Sample => ({ value: candidate / baseline, candidate, baseline })

/** Number of starts of each program in a round; the round has their medians. */
const startsEachRound = 5

/** Runs both measurements several times, one after the other in turns, and returns the results of each. */
const repeatBoth = async <T>(index: number, baseline: () => Promise<T>, candidate: () => Promise<T>) => {
  const [baselines, candidates]: [T[], T[]] = [[], []]
  for (let turn = 0; turn < startsEachRound; turn += 1) {
    const [first, second] = await interleave(index + turn, baseline, candidate)
    baselines.push(first)
    candidates.push(second)
  }
  return { baselines, candidates }
}

const findMedian = (values: readonly number[]): number => findPercentile(values, 0.5)

/** The time that a start takes, until the server says so and until it responds. */
export const start: Row = {
  id: 'start',
  work: 'start of the server on a data folder with one user',
  against: minimalServerText,
  measured: 'ms from the spawn',
  opensWebApp: true,
  figures: {
    ready: { title: 'to the ready file', unit: 'x', goal: { is: 'most', limit: 1.8 } },
    healthy: { title: 'to the first GET /healthz', unit: 'x', goal: { is: 'most', limit: 1.8 } },
  },
  open: async (bench) => {
    const files = await bench.createFolder()
    const folder = join(files, 'data')
    await enroll(folder, 1)
    const measure = async (starting: Promise<PlainServer>) => {
      const server = await starting
      await endChild(server.child)
      return server
    }
    const round = async (index: number) => {
      const { baselines, candidates } = await repeatBoth(
        index,
        () => measure(startMinimal(bench, files)),
        () => measure(startCandidate(bench, folder)),
      )
      const compareTimes = (read: (server: PlainServer) => number) =>
        compare(findMedian(candidates.map(read)), findMedian(baselines.map(read)))
      return {
        ready: compareTimes(({ readyMs }) => readyMs),
        healthy: compareTimes(({ healthyMs }) => healthyMs),
      }
    }
    const notes = [
      `medians of ${startsEachRound} starts in each round; Node’s own start is in both`,
      'default settings, with the web app and with the log in a file; files in the page cache',
    ]
    return { round, notes }
  },
}

const restMilliseconds = 5_000
const smallSyncs = 1_000
const laterMilliseconds = 60_000

const memoryFigures = (name: string, title: string, limit?: number): Row['figures'] => ({
  [name]: { title, unit: 'x', ...(limit === undefined ? {} : { goal: { is: 'most', limit } }) },
  [`${name}Anonymous`]: { title: `${title}: anonymous`, unit: 'x' },
  [`${name}File`]: { title: `${title}: files`, unit: 'x' },
})

const compareMemory = (name: string, candidate: Memory, baseline: Memory): Readonly<Record<string, Sample>> => ({
  [name]: compare(candidate.residentMb, baseline.residentMb),
  [`${name}Anonymous`]: compare(candidate.anonymousMb, baseline.anonymousMb),
  [`${name}File`]: compare(candidate.fileMb, baseline.fileMb),
})

/** The memory of a server that has little to do, and whether memory falls back after work. */
export const idleMemory: Row = {
  id: 'idle-memory',
  work: 'resident memory of a server at rest, and after work',
  against: `${minimalServerText}, after as many small requests`,
  measured: 'MB resident, of it anonymous and of mapped files',
  restartsEachRound: true,
  opensWebApp: true,
  figures: {
    ...memoryFigures('rest', 'at rest, 5 s after the start', 1.4),
    ...memoryFigures('synced', 'after 1,000 small syncs', 1.4),
    ...memoryFigures('listed', 'after one listing of {middle} things'),
    ...memoryFigures('later', '60 s after the listing'),
  },
  open: async (bench) => {
    const files = await bench.createFolder()
    const folder = join(files, 'data')
    const [largeToken = '', smallToken = ''] = await enrolTokens(folder, 2)
    bench.say(`filling an account with ${bench.sizes.middle.toLocaleString('en')} things`)
    const filling = await bench.start({ folder })
    await fill(filling.port, largeToken, bench.sizes.middle)
    await fill(filling.port, smallToken, 100)
    const position = await readPosition(filling.port, smallToken)
    await filling.stop()

    const syncOften = async ({ port }: PlainServer) => {
      const headers = { authorization: `Bearer ${smallToken}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ from: position })
      await bench.load({ port, method: 'POST', path: '/v1/sync', headers, body, connections: 1, count: smallSyncs })
    }
    const round = async () => {
      const minimal = await startMinimal(bench, files)
      const server = await startCandidate(bench, folder)
      const read = async (name: string) =>
        compareMemory(name, await readMemory(server.pid), await readMemory(minimal.pid))
      await sleep(restMilliseconds)
      const rest = await read('rest')
      await syncOften(minimal)
      await syncOften(server)
      const synced = await read('synced')
      await bench.load({ ...getJob(server.port, largeToken, '/v1/sync'), connections: 1, count: 1 })
      const listed = await read('listed')
      bench.say('resting for 60 s')
      await sleep(laterMilliseconds)
      const later = await read('later')
      await Promise.all([endChild(minimal.child), endChild(server.child)])
      return { ...rest, ...synced, ...listed, ...later }
    }
    const notes = [
      'default settings, with the web app and with the log in a file; no option of Node',
      'the small syncs are POST with JSON in an account of 100 things; the listing is of another account',
      'the minimal server sends no listing: it rests meanwhile',
    ]
    return { round, notes }
  },
}

/** The time of short commands, which scripts and administrators run often. */
export const commands: Row = {
  id: 'commands',
  work: 'short commands of the command line',
  against: 'node -e 0',
  measured: 'ms from the spawn to the end',
  figures: {
    version: { title: 'thingsync --version', unit: 'x', goal: { is: 'most', limit: 2.5 } },
    users: { title: 'thingsync user list', unit: 'x' },
  },
  open: async (bench) => {
    const folder = join(await bench.createFolder(), 'data')
    await enroll(folder, 1)
    const measure = async (args: readonly string[]): Promise<number> => {
      const start = performance.now()
      const child = bench.children.start(process.execPath, args, {
        core: 'measured',
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, NODE_ENV: 'production' },
      })
      const [code] = await once(child, 'exit')
      const ms = performance.now() - start
      if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}`)
      return ms
    }
    const compareCommand = async (index: number, args: readonly string[]) => {
      const { baselines, candidates } = await repeatBoth(
        index,
        () => measure(['-e', '0']),
        () => measure([builtCommand, ...args]),
      )
      return compare(findMedian(candidates), findMedian(baselines))
    }
    const round = async (index: number) => ({
      version: await compareCommand(index, ['--version']),
      users: await compareCommand(index, ['user', 'list', '--data', folder]),
    })
    return { round, notes: [`medians of ${startsEachRound} runs in each round; no server runs on the data folder`] }
  },
}
