/**
 * Soak test: `npm run soak -- [--minutes N] [--users N] [--clients N] [--plot FILE]`. Clients change things and sync
 * against the server, while the script kills the server (`kill -9`) and restarts it at random times. At the end all
 * replicas of a user must equal a full sync. The script plots the memory of the server.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { ParseArgsConfig } from 'node:util'
import { addApp, openJsonFileStore, systemEnvironment } from '../../src/index.ts'
import { createReplica } from '../../test/support/known-account.ts'
import { createOfflineClient, type OfflineClient } from '../../test/support/offline-client.ts'
import { enrollDevice, enrollUser } from '../../test/support/test-device.ts'
import type { Body } from '../../test/support/test-request.ts'
import { readOptions } from '../read-options.ts'

/** The memory of the server at a point in time. */
interface MemorySample {
  /** Time since the start, in seconds. */
  readonly second: number
  readonly bytes: number
}

const width = 900
const height = 320
const margin = { left: 70, right: 20, top: 40, bottom: 40 }
const plotWidth = width - margin.left - margin.right
const plotHeight = height - margin.top - margin.bottom

const style = `
  .back { fill: #ffffff } text { fill: #1f2328; font: 13px system-ui, sans-serif } .grid { stroke: #d1d9e0 }
  .memory { fill: none; stroke: #0969da; stroke-width: 1.5 } .restart { stroke: #bc4c00; stroke-dasharray: 3 3 }
  @media (prefers-color-scheme: dark) {
    .back { fill: #0d1117 } text { fill: #f0f6fc } .grid { stroke: #3d444d } .memory { stroke: #58a6ff }
  }`

/** Draws the memory over time as SVG, with a dashed line at each restart. `restarts`: in seconds. */
const plotMemory = (samples: readonly MemorySample[], restarts: readonly number[]): string => {
  const end = Math.max(1, ...samples.map(({ second }) => second))
  const top = Math.ceil(Math.max(50, ...samples.map(({ bytes }) => bytes / 1e6)) / 50) * 50
  const x = (second: number): number => Math.round(margin.left + (second / end) * plotWidth)
  const y = (megabytes: number): number => Math.round(margin.top + (1 - megabytes / top) * plotHeight)
  const bounds = [0, ...restarts, Number.POSITIVE_INFINITY]
  const lines = bounds.slice(0, -1).map((from, index) =>
    samples
      .filter(({ second }) => second >= from && second < (bounds[index + 1] ?? 0))
      .map(({ second, bytes }) => `${x(second)},${y(bytes / 1e6)}`)
      .join(' '),
  )
  const grid = Array.from({ length: 6 }, (_, index) => (top / 5) * index)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">`,
    '<title>Resident memory of the server over the soak</title>',
    `<style>${style}</style><rect class="back" width="${width}" height="${height}"/>`,
    `<text x="${margin.left}" y="22">Resident memory of the server, MB; dashed: kill -9 and restart</text>`,
    ...grid.map((megabytes) =>
      [
        `<line class="grid" x1="${margin.left}" x2="${width - margin.right}" y1="${y(megabytes)}" y2="${y(megabytes)}"/>`,
        `<text x="${margin.left - 8}" y="${y(megabytes) + 4}" text-anchor="end">${megabytes}</text>`,
      ].join(''),
    ),
    ...restarts.map((at) => `<line class="restart" x1="${x(at)}" x2="${x(at)}" y1="${margin.top}" y2="${y(0)}"/>`),
    ...lines.map((points) => `<polyline class="memory" points="${points}"/>`),
    `<text x="${width - margin.right}" y="${height - 12}" text-anchor="end">${Math.round(end)} s</text>`,
    '</svg>\n',
  ].join('\n')
}

/** The real server in its own process, which restarts on the same folder and port. */
interface RestartedServer {
  /** Ends in `/v1/`, and does not change at a restart. */
  readonly baseUrl: string
  /** Kills the process (`kill -9`) and starts another one. Resolves when it accepts requests. */
  readonly killAndRestart: () => Promise<void>
  /** Reads the resident memory in bytes; undefined while no server runs. */
  readonly readMemory: () => Promise<number | undefined>
  /** Shuts the server down. @throws Error when its exit code is not 0 */
  readonly stop: () => Promise<void>
  /** Kills the server in any state. Does nothing when none runs. */
  readonly kill: () => void
}

const main = fileURLToPath(new URL('../../src/cli/start.cts', import.meta.url))

const readReady = async (path: string): Promise<string | undefined> => {
  try {
    const text = await readFile(path, 'utf8')
    return text === '' ? undefined : (JSON.parse(text) as { base_url: string }).base_url
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** A small heap limit forces garbage collection: the plot shows only used memory, and a leaking server crashes. */
const maxHeapMb = 128

/** Starts the server on a data folder. */
const startRestartedServer = async (folder: string): Promise<RestartedServer> => {
  const readyFile = `${folder}.ready`
  let child: ChildProcess | undefined

  const start = async (port: string): Promise<string> => {
    await rm(readyFile, { force: true })
    const options = [
      '--data',
      folder,
      '--port',
      port,
      '--ready-file',
      readyFile,
      '--no-first-run',
      '--log-level',
      'warn',
    ]
    const node = [`--max-old-space-size=${maxHeapMb}`, '--max-semi-space-size=4', '--import', 'tsx']
    const started = spawn(process.execPath, [...node, main, 'serve', ...options], {
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    let baseUrl: string | undefined
    while (baseUrl === undefined) {
      if (started.exitCode !== null) throw new Error(`the server ended with ${started.exitCode} while it started`)
      await sleep(20)
      baseUrl = await readReady(readyFile)
    }
    child = started
    return baseUrl
  }

  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    const ending = child
    child = undefined
    if (ending === undefined) throw new Error('no server runs')
    const exited = once(ending, 'exit')
    ending.kill(signal)
    const [code] = (await exited) as [number | null]
    return code
  }

  const baseUrl = await start('0')
  return {
    baseUrl,
    killAndRestart: async () => {
      await end('SIGKILL')
      await start(new URL(baseUrl).port)
    },
    readMemory: async () => {
      if (child === undefined) return undefined
      try {
        const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${child.pid}/status`, 'utf8')) ?? []
        return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
      } catch (error) {
        // The process was killed after the check above.
        if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH'))
          return undefined
        throw error
      }
    },
    stop: async () => {
      const code = await end('SIGTERM')
      await rm(readyFile, { force: true })
      if (code !== 0) throw new Error(`the server ended with ${code}`)
    },
    kill: () => void child?.kill('SIGKILL'),
  }
}

/** Sends a sync request, and repeats it until the server responds. */
type Sync = (upload?: object) => Promise<Body>

/** Creates a function for sync requests with a token. The function throws an Error for any status but 2xx. */
const createSync = (baseUrl: string, token: string, noteLost: () => void): Sync => {
  const attempt = async (upload: object): Promise<Body | undefined> => {
    try {
      const response = await fetch(`${baseUrl}sync`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(upload),
        signal: AbortSignal.timeout(20_000),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`the response to a sync has status ${response.status}: ${text}`)
      return JSON.parse(text) as Body
    } catch (error) {
      // fetch throws a TypeError when it cannot connect or the connection breaks.
      if (error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError')) return undefined
      throw error
    }
  }

  return async (upload = {}) => {
    for (;;) {
      const response = await attempt(upload)
      if (response !== undefined) return response
      noteLost()
      await sleep(100)
    }
  }
}

const maxThings = 200

/** Changes things and syncs until `isDone`. Returns the number of syncs. */
const workUntil = async (client: OfflineClient, name: string, isDone: () => boolean): Promise<number> => {
  let syncs = 0
  const random = (end: number): number => Math.floor(Math.random() * end)
  while (!isDone()) {
    for (let actions = random(4); actions > 0; actions -= 1) {
      const kind = random(10)
      if (kind < 4) client.create({ title: `${name} ${syncs}`, tags: random(2) === 0 ? 'home' : '', date: syncs })
      else if (kind < 8)
        client.change(random(1000), { title: `${name} changed ${syncs}`, html: '<p>ü</p>'.repeat(1 + random(40)) })
      else if (kind < 9) client.remove(random(1000))
      else client.setTag('home', { favorite: random(2) === 0, todo: random(2) === 0 })
    }
    while (client.replica.things.size > maxThings) client.remove(random(1000))
    // In some rounds the client treats a response as lost and repeats the upload.
    await client.sync(random(10) === 0)
    syncs += 1
    await sleep(random(50))
  }
  return syncs
}

/** Creates a client with an empty replica. */
const openSoakClient = (sync: Sync): OfflineClient => createOfflineClient({ sync })

const usage = 'npm run soak -- [--minutes N] [--users N] [--clients N] [--plot FILE]; --clients: number for each user'

const options = {
  minutes: { type: 'string', default: '10' },
  users: { type: 'string', default: '2' },
  clients: { type: 'string', default: '3' },
  plot: { type: 'string', default: 'soak.svg' },
} as const satisfies ParseArgsConfig['options']

const { values, readNumber } = readOptions(options, usage)

const readAmount = (name: 'minutes' | 'users' | 'clients'): number =>
  readNumber(name, (amount) => amount > 0 && Number.isFinite(amount), 'a number above 0')
const [minutes, userCount, clientCount] = [readAmount('minutes'), readAmount('users'), readAmount('clients')]

const folder = await mkdtemp(join(tmpdir(), 'thingsync-soak-'))

/** Creates users and tokens: for each user one token per client, and one for the comparison at the end. */
const enroll = async (): Promise<readonly (readonly string[])[]> => {
  const store = await openJsonFileStore({ folder })
  const { clientId } = await addApp(store, 'soak', systemEnvironment)
  const tokens: string[][] = []
  for (let user = 0; user < userCount; user += 1) {
    const name = await enrollUser(store, systemEnvironment)
    const ofUser: string[] = []
    for (let client = 0; client <= clientCount; client += 1)
      ofUser.push(await enrollDevice(store, name, clientId, systemEnvironment))
    tokens.push(ofUser)
  }
  await store.close()
  return tokens
}

const tokens = await enroll()
const server = await startRestartedServer(folder)
// After a failed soak the server must not keep its folder and its port.
process.once('exit', server.kill)
const startedAt = Date.now()
const elapsed = (): number => (Date.now() - startedAt) / 1000
const isDone = (): boolean => elapsed() > minutes * 60
let lost = 0
const noteLost = (): void => {
  lost += 1
}

const users = tokens.map(([observer = '', ...others]) => ({
  observe: createSync(server.baseUrl, observer, noteLost),
  clients: others.map((token) => openSoakClient(createSync(server.baseUrl, token, noteLost))),
}))

const restarts: number[] = []
/** In the last third of the time one process runs without restarts, so that growing memory shows. */
const mayRestart = (): boolean => elapsed() < minutes * 40
const restartRepeatedly = async (): Promise<void> => {
  while (mayRestart()) {
    await sleep(3_000 + Math.random() * 17_000)
    if (!mayRestart()) return
    await server.killAndRestart()
    restarts.push(elapsed())
    process.stderr.write(`${Math.round(elapsed())} s: restart ${restarts.length}, ${lost} requests lost so far\n`)
  }
}

const samples: MemorySample[] = []
const sampleMemory = async (): Promise<void> => {
  while (!isDone()) {
    const bytes = await server.readMemory()
    if (bytes !== undefined) samples.push({ second: elapsed(), bytes })
    await sleep(1000)
  }
}

const [syncs] = await Promise.all([
  Promise.all(
    users.flatMap(({ clients }, user) => clients.map((client, index) => workUntil(client, `${user}.${index}`, isDone))),
  ),
  restartRepeatedly(),
  sampleMemory(),
])

let things = 0
for (const { observe, clients } of users) {
  for (const client of [...clients, ...clients]) await client.sync()
  const full = createReplica()
  full.fold(await observe())
  things += full.things.size
  for (const { replica } of clients) assert.deepEqual(replica.content(), full.content())
}
await server.stop()
await mkdir(dirname(values.plot), { recursive: true })
await writeFile(values.plot, plotMemory(samples, restarts))
await rm(folder, { recursive: true })

const megabytes = samples.map(({ bytes }) => Math.round(bytes / 1e6))
const syncCount = syncs.reduce((sum, count) => sum + count, 0)
process.stdout.write(
  `every replica is equal: ${userCount * clientCount} clients, ${syncCount} syncs, ${restarts.length} restarts by ` +
    `kill -9, ${lost} requests repeated, ${things} things at the end; memory ${Math.min(...megabytes)} to ` +
    `${Math.max(...megabytes)} MB, plotted in ${values.plot}\n`,
)
