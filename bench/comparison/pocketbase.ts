import { execFile, spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { findFreePort } from '../../test/free-port.ts'
import type { Bench } from '../bench.ts'
import { changeThings, createThings, enrolTokens, fill, listIds, readPosition } from '../candidate/accounts.ts'
import { formHeaders, getJob } from '../candidate/measure.ts'
import { type PlainServer, startCandidate, startPlain } from '../candidate/plain-server.ts'
import { endChild, readMemory } from '../machine/processes.ts'
import { findPercentile } from '../report/results.ts'
import { interleave, type Row, RowUnavailable } from '../row.ts'
import { type ComparedRequest, comparisonItems, findComparisonFolder, prepare } from './comparison-server.ts'

const source = fileURLToPath(new URL('pocketbase/', import.meta.url))
const sourceFiles = ['main.go', 'go.mod', 'go.sum']

/** The version that `pocketbase/go.mod` pins. */
const pocketbaseVersion = /pocketbase\/pocketbase v(\S+)/.exec(readFileSync(join(source, 'go.mod'), 'utf8'))?.[1] ?? ''

/** Builds PocketBase into the cache, unless it is there. Returns its path. @throws RowUnavailable when Go cannot build it */
const buildPocketbase = async (say: (progress: string) => void): Promise<string> => {
  const content = sourceFiles.map((file) => readFileSync(join(source, file), 'utf8')).join('\0')
  const version = `${pocketbaseVersion}-${hash('sha256', content).slice(0, 8)}`
  const folder = findComparisonFolder({ name: 'pocketbase', version })
  const program = join(folder, 'pocketbase')
  if (existsSync(program)) return program
  if (spawnSync('go', ['version']).status !== 0)
    throw new RowUnavailable('pocketbase needs Go 1.25 or later, which is not installed here')
  say(`go builds pocketbase ${pocketbaseVersion} into ${folder}: some minutes`)
  const partial = `${folder}.${process.pid}`
  await mkdir(dirname(folder), { recursive: true })
  await cp(source, partial, { recursive: true })
  try {
    // Without a version control stamp, because the cache can be inside a repository.
    const env = { ...process.env, CGO_ENABLED: '0' }
    await promisify(execFile)('go', ['build', '-buildvcs=false', '-trimpath', '-o', 'pocketbase'], {
      ...{ cwd: partial, env, maxBuffer: 2 ** 26 },
    })
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    const reason = error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error)
    throw new RowUnavailable(`go could not build pocketbase ${pocketbaseVersion}: ${reason}`)
  }
  await rename(partial, folder)
  return program
}

const administrator = { identity: 'admin@bench.example', password: 'correct horse battery' }
/** The user who has the 10,000 records, and the user to whom the bench adds records. */
const users = ['reader@bench.example', 'writer@bench.example'].map((identity) => ({
  ...{ identity, password: 'correct horse battery' },
}))
/** Maximum number of records that PocketBase lists in one page. */
const maxInPage = 1_000
/** Number of records that the bench adds in one batch while it fills a collection. */
const recordsInBatch = 500
const recordsPath = '/api/collections/things/records'

const startServer = (bench: Bench, program: string, folder: string, port: number): Promise<PlainServer> =>
  startPlain(bench, program, ['serve', `--http=127.0.0.1:${port}`, '--dir', folder], {
    ...{ logFile: `${folder}.log`, ready: { port }, healthPath: '/api/health' },
  })

/** A signed-in user of PocketBase. */
interface PocketbaseUser {
  /** The id, which each record of the user names as its owner. */
  readonly id: string
  readonly headers: Readonly<Record<string, string>>
}

/** A data folder of PocketBase with 10,000 records of one user, and none of another. */
interface FilledPocketbase {
  readonly folder: string
  readonly reader: PocketbaseUser
  readonly writer: PocketbaseUser
  /** The time of the change before the last ten, as PocketBase writes it. */
  readonly since: string
}

/** Creates a data folder with a collection like an account, fills it, and changes ten records last. */
const fillPocketbase = async (bench: Bench, program: string): Promise<FilledPocketbase> => {
  const folder = join(await bench.createFolder(), 'pocketbase')
  await promisify(execFile)(program, [
    ...['superuser', 'upsert', administrator.identity, administrator.password, '--dir', folder],
  ])
  const port = await findFreePort()
  const server = await startServer(bench, program, folder, port)
  const createSender =
    (headers: Readonly<Record<string, string>>) =>
    async <T>(method: string, path: string, body?: object): Promise<T> =>
      JSON.parse(
        await prepare(`http://127.0.0.1:${port}${path}`, {
          ...{ method, headers },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      ) as T
  const json = { 'content-type': 'application/json' }
  const authorize = async (collection: string, credentials: typeof administrator): Promise<PocketbaseUser> => {
    const path = `/api/collections/${collection}/auth-with-password`
    const authorized = await createSender(json)<{ token: string; record: { id: string } }>('POST', path, credentials)
    return { id: authorized.record.id, headers: { ...json, authorization: authorized.token } }
  }

  const administer = createSender((await authorize('_superusers', administrator)).headers)
  // No request log, as ours runs without one here.
  await administer('PATCH', '/api/settings', {
    batch: { enabled: true, maxRequests: recordsInBatch, timeout: 60 },
    logs: { maxDays: 0 },
  })
  for (const { identity: email, password } of users) {
    const account = { email, password, passwordConfirm: password, verified: true }
    await administer('POST', '/api/collections/users/records', account)
  }
  const rule = 'owner = @request.auth.id'
  await administer('POST', '/api/collections', {
    ...{ name: 'things', type: 'base', listRule: rule, createRule: rule, updateRule: rule },
    fields: [
      { name: 'owner', type: 'text', required: true },
      { name: 'title', type: 'text' },
      { name: 'tags', type: 'text' },
      { name: 'date', type: 'number' },
      { name: 'url', type: 'text' },
      { name: 'html', type: 'text', max: 1_000_000 },
      { name: 'created', type: 'autodate', onCreate: true },
      { name: 'updated', type: 'autodate', onCreate: true, onUpdate: true },
    ],
    indexes: ['create index things_updated on things (owner, updated)'],
  })
  const [reader, writer] = await Promise.all(users.map((user) => authorize('users', user)))
  if (reader === undefined || writer === undefined) throw new Error('pocketbase has no users')
  const send = createSender(reader.headers)
  bench.say('filling pocketbase')
  const things = createThings(0, comparisonItems)
  for (let first = 0; first < things.length; first += recordsInBatch) {
    const requests = things
      .slice(first, first + recordsInBatch)
      .map(({ local_id: _, ...thing }) => ({ method: 'POST', url: recordsPath, body: { ...thing, owner: reader.id } }))
    await send('POST', '/api/batch', { requests })
  }
  const newest = `${recordsPath}?perPage=10&skipTotal=1&sort=-updated`
  const { items } = await send<{ items: { id: string; updated: string }[] }>('GET', newest)
  // `updated` has milliseconds: the changes must be later than all that was added.
  await sleep(10)
  for (const { id } of items) await send('PATCH', `${recordsPath}/${id}`, { title: 'changed since the start' })
  await endChild(server.child)
  return { folder, reader, writer, since: items[0]?.updated ?? '' }
}

/** The requests to PocketBase. It lists at most 1,000 records at a time, so a listing is ten requests. */
const describePocketbase = (port: number, { reader, writer, since }: FilledPocketbase) => {
  const [thing] = createThings(7, 1)
  const { local_id: _, ...fields } = thing ?? { local_id: '' }
  const list = (query: string): ComparedRequest => {
    return {
      port,
      method: 'GET',
      path: `${recordsPath}?perPage=${maxInPage}&skipTotal=1&${query}`,
      headers: reader.headers,
    }
  }
  const add: ComparedRequest = {
    ...{ port, method: 'POST', path: recordsPath, headers: writer.headers },
    body: JSON.stringify({ ...fields, title: 'item {n}', owner: writer.id }),
  }
  const pages = Array.from({ length: comparisonItems / maxInPage }, (_, page) => list(`sort=id&page=${page + 1}`))
  const filter = encodeURIComponent(`updated > "${since}"`)
  return { add, pages, incrementalSync: list(`sort=updated&filter=${filter}`) }
}

/** Creates a data folder of ours with as many things, of which ten changed last, and returns the requests to it. */
const fillOurs = async (bench: Bench) => {
  const folder = join(await bench.createFolder(), 'data')
  const [token = '', writerToken = ''] = await enrolTokens(folder, 2)
  const server = await bench.start({ folder })
  bench.say('filling ours')
  await fill(server.port, token, comparisonItems)
  const from = await readPosition(server.port, token)
  await changeThings(server.port, token, await listIds(server.port, token, { skip: 0, limit: 10 }))
  await server.stop()
  const { url = '', tags = '', html = '' } = createThings(7, 1)[0] ?? {}
  const describe = (port: number) => ({
    add: {
      ...{ port, method: 'POST', path: '/v1/thing/add', headers: formHeaders(writerToken) },
      body: `title=item+{n}&${new URLSearchParams({ url, tags, html })}`,
    },
    pages: [getJob(port, token, '/v1/sync')],
    incrementalSync: getJob(port, token, `/v1/sync?from=${from}`),
  })
  return { folder, describe }
}

const clients = 64
/** Number of repetitions of a listing and of a start in a round. */
const repetitions = 3
const restMilliseconds = 5_000

/** PocketBase: one Go program with SQLite, a backend for apps that people run on small machines. */
export const comparePocketbase: Row = {
  id: 'compared-pocketbase',
  work: 'add one item · list 10,000 · list 10 changes · start · memory at rest',
  against: `pocketbase ${pocketbaseVersion}, durable as ours: SQLite with synchronous = FULL`,
  measured: 'ms per request or start · MB; value: how many times faster or smaller ours is',
  needsComparisons: true,
  opensWebApp: true,
  figures: {
    addOne: { title: 'add, one client', unit: 'x', goal: { is: 'least', limit: 1.5 } },
    addMany: { title: `add, ${clients} clients`, unit: 'x', goal: { is: 'least', limit: 5 } },
    download: { title: 'list 10,000', unit: 'x', goal: { is: 'least', limit: 50 } },
    incremental: { title: 'list 10 changes', unit: 'x', goal: { is: 'least', limit: 2 } },
    start: { title: 'start, to the first response', unit: 'x' },
    rest: { title: 'memory at rest, 5 s after the start', unit: 'x' },
    worked: { title: 'memory after this work', unit: 'x' },
  },
  open: async (bench) => {
    const program = await buildPocketbase(bench.say)
    const filled = await fillPocketbase(bench, program)
    const ours = await fillOurs(bench)
    const startTheirs = async () => startServer(bench, program, filled.folder, await findFreePort())
    const startOurs = () => startCandidate(bench, ours.folder, ['--log-level', 'warn'])
    const compare = (baseline: number, candidate: number) => ({ value: baseline / candidate, candidate, baseline })
    const measureStart = async (start: () => Promise<PlainServer>) => {
      const times: number[] = []
      for (let turn = 0; turn < repetitions; turn += 1) {
        const { child, healthyMs } = await start()
        times.push(healthyMs)
        await endChild(child)
      }
      return findPercentile(times, 0.5)
    }
    const measureAdd = async (request: ComparedRequest, connections: number) => {
      const { seconds, count } = await bench.load({ ...request, connections, seconds: bench.rateSeconds })
      return (seconds * 1000) / count
    }
    const measurePages = async (pages: readonly ComparedRequest[]) => {
      let ms = 0
      for (const page of pages) ms += (await bench.load({ ...page, connections: 1, count: repetitions })).medianMs
      return ms
    }
    const measureIncremental = async (request: ComparedRequest) =>
      (await bench.load({ ...request, connections: 1, seconds: bench.rateSeconds })).medianMs

    const round = async (index: number) => {
      const both = async <Given>(theirs: Given, our: Given, measure: (given: Given) => Promise<number>) => {
        const [baseline, candidate] = await interleave(
          index,
          () => measure(theirs),
          () => measure(our),
        )
        return compare(baseline, candidate)
      }
      const start = await both(startTheirs, startOurs, measureStart)
      const [their, our] = [await startTheirs(), await startOurs()]
      const readBoth = async () => {
        const [theirMemory, ourMemory] = [await readMemory(their.pid), await readMemory(our.pid)]
        return compare(theirMemory.residentMb, ourMemory.residentMb)
      }
      await sleep(restMilliseconds)
      const rest = await readBoth()
      const [theirs, thingsync] = [describePocketbase(their.port, filled), ours.describe(our.port)]
      const download = await both(theirs.pages, thingsync.pages, measurePages)
      const incremental = await both(theirs.incrementalSync, thingsync.incrementalSync, measureIncremental)
      const addOne = await both(theirs.add, thingsync.add, (request) => measureAdd(request, 1))
      const addMany = await both(theirs.add, thingsync.add, (request) => measureAdd(request, clients))
      const worked = await readBoth()
      await Promise.all([endChild(their.child), endChild(our.child)])
      return { addOne, addMany, download, incremental, start, rest, worked }
    }
    const notes = [
      `${comparisonItems.toLocaleString('en')} items each; those that are added belong to another user and stay`,
      'neither writes a log of requests; pocketbase lists 1,000 records at a time, so ten requests are one listing',
    ]
    return { round, notes }
  },
}
