import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ParseArgsConfig } from 'node:util'
import { addApp, openJsonFileStore, systemWorld, thingForm } from '../../src/index.ts'
import { createReplica } from '../../test/support/known-account.ts'
import { enrolDevice, enrolUser } from '../../test/support/test-device.ts'
import { readOptions } from '../read-options.ts'
import { type MemorySample, plotMemory } from './plot-memory.ts'
import { startRestartedServer } from './restarted-server.ts'
import { createSync, openSoakClient, workUntil } from './soak-client.ts'

const usage = 'npm run soak -- [--minutes N] [--users N] [--clients N] [--plot FILE]: clients are those of each user'

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

/** One token for each client of each user, and one to look at the end. */
const enrol = async (): Promise<readonly (readonly string[])[]> => {
  const store = await openJsonFileStore({ folder, form: thingForm })
  const { clientId } = await addApp(store, 'soak', systemWorld)
  const tokens: string[][] = []
  for (let user = 0; user < userCount; user += 1) {
    const name = await enrolUser(store, systemWorld)
    const ofUser: string[] = []
    for (let client = 0; client <= clientCount; client += 1)
      ofUser.push(await enrolDevice(store, name, clientId, systemWorld))
    tokens.push(ofUser)
  }
  await store.close()
  return tokens
}

const tokens = await enrol()
const server = await startRestartedServer(folder)
// A server that outlived a failed soak would hold its folder and its port.
process.once('exit', server.abandon)
const startedAt = Date.now()
const elapsed = (): number => (Date.now() - startedAt) / 1000
const isOver = (): boolean => elapsed() > minutes * 60
let lost = 0
const noteLost = (): void => {
  lost += 1
}

const users = tokens.map(([observer = '', ...others]) => ({
  observe: createSync(server.baseUrl, observer, noteLost),
  clients: others.map((token) => openSoakClient(createSync(server.baseUrl, token, noteLost))),
}))

const restarts: number[] = []
/** In the last third one process goes on undisturbed, so that memory that grows would show. */
const mayRestart = (): boolean => elapsed() < minutes * 40
const restartNowAndThen = async (): Promise<void> => {
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
  while (!isOver()) {
    const bytes = await server.readMemory()
    if (bytes !== undefined) samples.push({ second: elapsed(), bytes })
    await sleep(1000)
  }
}

const [syncs] = await Promise.all([
  Promise.all(
    users.flatMap(({ clients }, user) => clients.map((client, index) => workUntil(client, `${user}.${index}`, isOver))),
  ),
  restartNowAndThen(),
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
