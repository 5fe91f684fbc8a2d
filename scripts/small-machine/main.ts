/**
 * Runs the built server on a small machine: `npm run small-machine -- [--megabytes N] [--cpu N] [--things N] [--bookmarks N]
 * [--shared-core]`. By cgroup, the server has N megabytes of memory (default 192) and N percent of one core (default 25).
 * Commands have the same limits for themselves; with `--shared-core` server and commands share the percentage. Three
 * accounts have N items together (default 50,000), two web apps are open, the command line imports N bookmarks (default
 * 20,000), and both ways to make a nightly backup run meanwhile. It needs root and Linux.
 * It exits 0 when nothing was killed and the goals are reached, 1 when not, 2 for invalid options or when cgroup is missing.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { ParseArgsConfig } from 'node:util'
import { addApp, openJsonFileStore, systemEnvironment } from '../../src/index.ts'
import { enrollDevice, enrollUser } from '../../test/support/test-device.ts'
import { readOptions } from '../read-options.ts'
import { enterGroup, type LimitedGroup, LimitsUnavailable, openLimitedMachine } from './limited-group.ts'
import { openWebClient, postSync, type SmallSync, type WebClient } from './web-client.ts'

const usage =
  'npm run small-machine -- [--megabytes N] [--cpu PERCENT] [--things N] [--bookmarks N] [--shared-core]; it needs root and cgroup'
const options = {
  megabytes: { type: 'string', default: '192' },
  cpu: { type: 'string', default: '25' },
  things: { type: 'string', default: '50000' },
  bookmarks: { type: 'string', default: '20000' },
  'shared-core': { type: 'boolean', default: false },
} as const satisfies ParseArgsConfig['options']
const { values, readNumber } = readOptions(options, usage)
const readAmount = (name: 'megabytes' | 'cpu' | 'things' | 'bookmarks'): number =>
  readNumber(name, (amount) => Number.isInteger(amount) && amount > 0, 'a whole number from 1 on')
const [megabytes, cpuPercent] = [readAmount('megabytes'), readAmount('cpu')]
const isCoreShared = values['shared-core']
const [thingCount, bookmarkCount] = [readAmount('things'), readAmount('bookmarks')]

/** The goal: 95 % of small syncs respond within this time. */
const maxSmallMs = 200
/** The share of all items that each account has. */
const accountShares = [0.4, 0.4, 0.2]
const thingsInUpload = 1_000
/** The time in which only the web apps work, before and after the import. */
const quietSeconds = 20

const root = fileURLToPath(new URL('../../', import.meta.url))
const { bin } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { bin: { thingsync: string } }
const program = join(root, bin.thingsync)

const start = performance.now()
const say = (text: string): void => {
  process.stderr.write(`  [${String(Math.round((performance.now() - start) / 1000)).padStart(3)} s] ${text}\n`)
}
const children: ChildProcess[] = []

/** Runs the program in a group. Its standard output goes to `output`, and its errors to those of this process. */
const runInGroup = async (group: LimitedGroup, args: readonly string[], output: string): Promise<ChildProcess> => {
  const log = await open(output, 'a')
  const [file, rest] = enterGroup(group, process.execPath, [program, ...args])
  const child = spawn(file, rest, {
    stdio: ['ignore', log.fd, 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  children.push(child)
  await log.close()
  return child
}

/** Waits for the end of a process. @throws Error when it ended by a signal, or with another code than 0 */
const waitForEnd = async (child: ChildProcess, name: string): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  if (child.exitCode !== 0) throw new Error(`${name} ended with ${child.signalCode ?? child.exitCode}`)
}

/** Runs a command to its end and returns the time that it took, in seconds. @throws Error when it fails */
const runCommand = async (group: LimitedGroup, args: readonly string[], output: string): Promise<number> => {
  const begin = performance.now()
  await waitForEnd(await runInGroup(group, args, output), args[0] ?? '')
  return (performance.now() - begin) / 1000
}

/** A running server. */
interface Server {
  readonly baseUrl: string
  readonly startSeconds: number
  /** Reads the maximum of the resident memory so far, in MB. */
  readonly readPeakMb: () => Promise<number>
  readonly stop: () => Promise<void>
}

const startServer = async (group: LimitedGroup, folder: string, settings: readonly string[]): Promise<Server> => {
  const readyFile = `${folder}.ready`
  await rm(readyFile, { force: true })
  const begin = performance.now()
  const args = ['serve', '--data', folder, '--port', '0', '--ready-file', readyFile, ...settings]
  const child = await runInGroup(group, args, `${folder}.log`)
  const readReady = async (): Promise<string | undefined> => {
    try {
      return (JSON.parse(await readFile(readyFile, 'utf8')) as { base_url: string }).base_url
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
      throw error
    }
  }
  let baseUrl = await readReady()
  while (baseUrl === undefined) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('the server ended while it started')
    await sleep(10)
    baseUrl = await readReady()
  }
  return {
    baseUrl,
    startSeconds: (performance.now() - begin) / 1000,
    readPeakMb: async () => {
      const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(await readFile(`/proc/${child.pid}/status`, 'utf8')) ?? []
      return (Number(kilobytes) * 1024) / 1e6
    },
    stop: async () => {
      child.kill('SIGTERM')
      await waitForEnd(child, 'the server')
    },
  }
}

/** Creates three users: the first with a session for each web app, the others with one session. */
const enroll = async (folder: string) => {
  const store = await openJsonFileStore({ folder })
  const { clientId } = await addApp(store, 'small machine', systemEnvironment)
  const users: { readonly name: string; readonly tokens: readonly string[] }[] = []
  for (const [index] of accountShares.entries()) {
    const name = await enrollUser(store, systemEnvironment)
    const tokens: string[] = []
    for (let session = index === 0 ? 2 : 1; session > 0; session -= 1)
      tokens.push(await enrollDevice(store, name, clientId, systemEnvironment))
    users.push({ name, tokens })
  }
  await store.close()
  return users
}

const words = 'paper bridge river morning letter window garden orange silver market'.split(' ')
const createTitle = (number: number): string =>
  `${words[number % 10]} ${words[(number >> 3) % 10]} ${words[(number >> 6) % 10]} ${number}`

/** Uploads things of about 300 bytes. */
const fillAccount = async (baseUrl: string, token: string, count: number): Promise<void> => {
  for (let first = 0; first < count; first += thingsInUpload) {
    const things = Array.from({ length: Math.min(thingsInUpload, count - first) }, (_, index) => {
      const number = first + index
      const html = `<p>${createTitle(number * 7).repeat(number % 8)}</p>`
      const url = `https://example.org/filled/${number}`
      return { local_id: String(number), title: createTitle(number), tags: words[number % 7], url, html }
    })
    await postSync(baseUrl, token, { from: 1, limit: 0, new_thing: things })
  }
}

/** Writes a file of bookmarks as browsers do. */
const writeBookmarks = (path: string, count: number): Promise<void> => {
  const lines = Array.from({ length: count }, (_, number) => {
    const attributes = `HREF="https://example.org/imported/${number}" ADD_DATE="${1_700_000_000 + number}"`
    return `<DT><A ${attributes} TAGS="${words[number % 9]}">${createTitle(number)}</A>`
  })
  return writeFile(path, `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n${lines.join('\n')}\n</DL><p>\n`)
}

/** Edits every two seconds and lists what the live stream announces, until `isDone`. */
const useWebApp = async (client: WebClient, isDone: () => boolean): Promise<number> => {
  let edits = 0
  let nextEdit = performance.now() + Math.random() * 2_000
  while (!isDone()) {
    if (performance.now() >= nextEdit) {
      await client.edit()
      edits += 1
      nextEdit = performance.now() + 1_000 + Math.random() * 2_000
    } else if (client.isBehind()) await client.sync()
    await sleep(20)
  }
  return edits
}

const findPercentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.max(0, Math.ceil(share * values.length) - 1)] ?? Number.NaN

const describeTimes = (values: readonly number[]): string =>
  values.length === 0
    ? 'none'
    : `${values.length}; median ${Math.round(findPercentile(values, 0.5))}, 95 % ${Math.round(findPercentile(values, 0.95))}, ` +
      `99 % ${Math.round(findPercentile(values, 0.99))}, longest ${Math.round(Math.max(...values))} ms`

const describeKills = (kills: number): string => `the kernel killed for lack of memory: ${kills} processes`

const timed = async (work: Promise<unknown>): Promise<number> => {
  const begin = performance.now()
  await work
  return (performance.now() - begin) / 1000
}

/** Runs everything in a folder. Returns the problems, each a sentence. */
const run = async (folder: string): Promise<readonly string[]> => {
  const machine = openLimitedMachine(`thingsync-small-${process.pid}`, {
    memoryBytes: megabytes * 2 ** 20,
    cpuPercent,
    isCoreShared,
  })
  const problems: string[] = []
  let readKills = (): number => 0
  try {
    const [serverGroup, commandGroup] = [machine.openGroup('server'), machine.openGroup('commands')]
    readKills = () => serverGroup.readKills() + commandGroup.readKills()
    const [data, backups, bookmarks] = [join(folder, 'data'), join(folder, 'backups'), join(folder, 'bookmarks.html')]
    const [commandLog, nightly] = [join(folder, 'commands.log'), join(folder, 'nightly.ndjson.gz')]
    await mkdir(backups)
    await writeBookmarks(bookmarks, bookmarkCount)
    const users = await enroll(data)
    const [first] = users
    if (first === undefined) throw new Error('there are no users')

    say(`uploading ${thingCount} items in ${users.length} accounts`)
    const filling = await startServer(serverGroup, data, ['--no-first-run'])
    const counts = accountShares.map((share) => Math.round(thingCount * share))
    const fillSeconds = await timed(
      (async () => {
        for (const [index, { tokens }] of users.entries())
          await fillAccount(filling.baseUrl, tokens[0] ?? '', counts[index] ?? 0)
      })(),
    )
    await filling.stop()

    say('starting the server, with a scheduled backup, and opening two web apps')
    const server = await startServer(serverGroup, data, [
      ...['--no-first-run', '--backup-every', '24h', '--backup-folder', backups],
    ])
    const clients = await Promise.all(
      first.tokens.map((token, index) => openWebClient(server.baseUrl, token, `web app ${index + 1}`)),
    )
    let isDone = false
    const working = Promise.all(clients.map((client) => useWebApp(client, () => isDone)))
    // The commands below may fail first; then a failure of a client must not end the process on its own.
    working.catch(() => undefined)
    await Promise.race([working, sleep(quietSeconds * 1_000)])
    say(`importing ${bookmarkCount} bookmarks, and making a backup meanwhile`)
    const importStart = performance.now()
    const [importSeconds, backupSeconds] = await Promise.all([
      runCommand(commandGroup, ['import', bookmarks, '--user', first.name, '--data', data], commandLog),
      runCommand(commandGroup, ['backup', nightly, '--data', data], commandLog),
    ])
    const importEnd = performance.now()
    say('only the web apps work')
    await Promise.race([working, sleep(quietSeconds * 1_000)])
    isDone = true
    const edits = (await working).reduce((sum, count) => sum + count, 0)

    say('checking that nothing is missing')
    const expected = (counts[0] ?? 0) + bookmarkCount + edits
    for (const client of clients) {
      await client.sync()
      if (client.countThings() !== expected)
        problems.push(`${client.name} has ${client.countThings()} items and not ${expected}`)
      if (client.events === 0) problems.push(`${client.name} got no event`)
      await client.close()
    }
    const scheduled = await readdir(backups)
    if (scheduled.length === 0) problems.push('the server wrote no scheduled backup')
    const peakMb = await server.readPeakMb()
    const waiting = serverGroup.readWaitingSeconds()
    await server.stop()

    const kills = readKills()
    if (kills > 0) problems.push(describeKills(kills))
    const small = clients.flatMap((client) => client.smallSyncs)
    const isBeside = ({ at, ms }: SmallSync): boolean => at < importEnd && at + ms > importStart
    const getTimes = (syncs: readonly SmallSync[]): readonly number[] => syncs.map(({ ms }) => ms)
    const reached = findPercentile(getTimes(small), 0.95)
    if (!(reached < maxSmallMs))
      problems.push(`95 % of small syncs took up to ${Math.round(reached)} ms; the goal is ${maxSmallMs} ms`)
    const readGroup = (group: LimitedGroup): string => {
      const bytes = group.readPeakBytes()
      return bytes === undefined ? 'unknown' : `${Math.round(bytes / 2 ** 20)} MiB`
    }
    const rows: readonly [string, string][] = [
      [
        'limits',
        `${megabytes} MiB and ${cpuPercent} % of one core for the server; commands ${isCoreShared ? 'share its core' : 'have as much'}`,
      ],
      ['', `Node ${process.versions.node}, cgroup version ${machine.version}`],
      ['killed for lack of memory', String(kills)],
      ['small syncs', describeTimes(getTimes(small))],
      ['of them beside the import', describeTimes(getTimes(small.filter(isBeside)))],
      ['the others', describeTimes(getTimes(small.filter((sync) => !isBeside(sync))))],
      ['larger pages, up to 1,000 items', describeTimes(clients.flatMap((client) => client.pagesMs))],
      ['resident memory of the server', `at most ${Math.round(peakMb)} MB`],
      ['memory of its group with cached files', `at most ${readGroup(serverGroup)}`],
      ['the same of commands', `at most ${readGroup(commandGroup)}`],
      ['uploading all items', `${fillSeconds.toFixed(1)} s`],
      ['start with these items', `${server.startSeconds.toFixed(1)} s`],
      ['first sync of both web apps', clients.map(({ fullMs }) => `${(fullMs / 1_000).toFixed(1)} s`).join(' and ')],
      [`import of ${bookmarkCount} bookmarks`, `${importSeconds.toFixed(1)} s`],
      [
        'backup beside the import',
        `${backupSeconds.toFixed(1)} s, ${((await stat(nightly)).size / 1e6).toFixed(1)} MB`,
      ],
      ['scheduled backups', String(scheduled.length)],
      ['edits, and events on live streams', `${edits}, ${clients.reduce((sum, { events }) => sum + events, 0)}`],
      ['threads that waited for the share of the core', `${waiting.toFixed(0)} s`],
    ]
    for (const [name, value] of rows) process.stdout.write(`${name.padEnd(46)} ${value}\n`)
    return problems
  } catch (error) {
    // After a kill all else fails, and the kill is the reason.
    if (readKills() === 0 || !(error instanceof Error)) throw error
    return [...problems, `${describeKills(readKills())}; after that: ${error.message}`]
  } finally {
    await endChildren()
    machine.close()
  }
}

/** Kills what still runs, and waits for its end. */
const endChildren = async (): Promise<void> => {
  const running = children.filter((child) => child.exitCode === null && child.signalCode === null)
  await Promise.all(
    running.map(async (child) => {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }),
  )
}

const folder = await mkdtemp(join(tmpdir(), 'thingsync-small-'))
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})
// Without its server `run` fails, and then removes the groups and the folder.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void endChildren())
try {
  const problems = await run(folder)
  for (const problem of problems) process.stdout.write(`PROBLEM: ${problem}\n`)
  if (problems.length === 0) process.stdout.write('nothing was killed, nothing is missing, and the goals are reached\n')
  process.exitCode = problems.length === 0 ? 0 : 1
} catch (error) {
  if (!(error instanceof LimitsUnavailable)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
} finally {
  await rm(folder, { recursive: true, force: true })
}
