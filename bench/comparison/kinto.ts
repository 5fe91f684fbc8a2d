import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findFreePort } from '../../test/free-port.ts'
import type { Bench } from '../bench.ts'
import { createThings, enroll, fill, signIn, type UploadedThing } from '../candidate/accounts.ts'
import { runCommand } from '../candidate/measure.ts'
import { readCpuSeconds } from '../machine/processes.ts'
import { describeSettings, openBenchDatabase, startOneStatement } from '../postgres/open-database.ts'
import { interleave, type Row, RowUnavailable } from '../row.ts'
import {
  type ComparedRequest,
  comparisonItems,
  describeThingsync,
  findComparisonFolder,
  prepare,
  type RunningComparison,
  waitForComparison,
} from './comparison-server.ts'

/** The packages to install. `psycopg2-binary` is a built driver: it needs no compiler. */
const packages = ['kinto==26.5.0', 'psycopg2-binary==2.9.13', 'SQLAlchemy==2.1.9', 'zope.sqlalchemy==4.1']
/** The version of Kinto, for the texts of the row. */
const kintoVersion = packages[0]?.split('==')[1] ?? ''

const authorization = `Basic ${Buffer.from('bench:bench').toString('base64')}`
const headers = { authorization, 'content-type': 'application/json' }
const collectionPath = (name: string): string => `/v1/buckets/bench/collections/${name}`
/** Maximum number of requests that Kinto takes in one batch. */
const maxInBatch = 25

/** Installs Kinto from PyPI into the cache, unless it is there. @throws RowUnavailable when it cannot be installed */
const installKinto = async (say: (progress: string) => void): Promise<string> => {
  const folder = findComparisonFolder({ name: 'kinto', version: kintoVersion })
  if (existsSync(folder)) return folder
  if (spawnSync('python3', ['-m', 'venv', '--help']).status !== 0)
    throw new RowUnavailable('kinto needs python3 with venv; on Debian: apt-get install python3-venv')
  say(`pip installs kinto ${kintoVersion} into ${folder}`)
  const libraries = `${folder}.${process.pid}`
  try {
    await promisify(execFile)('python3', ['-m', 'venv', libraries], { maxBuffer: 2 ** 26 })
    await promisify(execFile)(join(libraries, 'bin/python'), ['-m', 'pip', 'install', '--quiet', ...packages], {
      maxBuffer: 2 ** 26,
    })
  } catch (error) {
    await rm(libraries, { recursive: true, force: true })
    const reason = error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error)
    throw new RowUnavailable(`pip could not install kinto ${kintoVersion}: ${reason}`)
  }
  // Only the scripts in bin/ hold the path of a venv, and the bench runs none of them but python.
  await rename(libraries, folder)
  return folder
}

/** Writes the configuration. `url` is in the form of SQLAlchemy, with percent signs doubled for this file format. */
const writeConfig = (port: number, url: string): string => `[server:main]
use = egg:waitress#main
host = 127.0.0.1
port = ${port}
[app:main]
use = egg:kinto
kinto.storage_backend = kinto.core.storage.postgresql
kinto.storage_url = ${url}
kinto.permission_backend = kinto.core.permission.postgresql
kinto.permission_url = ${url}
kinto.cache_backend = kinto.core.cache.memory
kinto.userid_hmac_secret = bench
multiauth.policies = basicauth
kinto.bucket_create_principals = system.Authenticated
[loggers]
keys = root
[handlers]
keys = console
[formatters]
keys = plain
[logger_root]
level = ERROR
handlers = console
[handler_console]
class = StreamHandler
args = (sys.stderr,)
formatter = plain
[formatter_plain]
format = %(message)s
`

const toRecord = ({ local_id: _, ...thing }: UploadedThing) => thing

const fillKinto = async (port: number, things: readonly UploadedThing[]): Promise<void> => {
  for (let first = 0; first < things.length; first += maxInBatch) {
    const requests = things
      .slice(first, first + maxInBatch)
      .map((thing) => ({ path: `${collectionPath('things')}/records`, body: { data: toRecord(thing) } }))
    const body = JSON.stringify({ defaults: { method: 'POST' }, requests })
    await prepare(`http://127.0.0.1:${port}/v1/batch`, { method: 'POST', headers, body })
  }
}

/** Starts Kinto on a database, with a collection of 10,000 items, ten of them added last, and an empty collection. */
const startKinto = async (bench: Bench, url: string): Promise<RunningComparison & { readonly pid: number }> => {
  const folder = await installKinto(bench.say)
  const port = await findFreePort()
  const config = join(await bench.createFolder(), 'kinto.ini')
  await writeFile(config, writeConfig(port, url.replace('postgres:', 'postgresql:').replaceAll('%', '%%')))
  const python = join(folder, 'bin/python')
  const run = (command: string): [string, string[]] => [
    python,
    ['-c', 'import sys; from kinto.__main__ import main; sys.exit(main())', command, '--ini', config],
  ]
  const [migrate, migrateArgs] = run('migrate')
  await promisify(execFile)(migrate, migrateArgs, { maxBuffer: 2 ** 26 })
  const [start, startArgs] = run('start')
  const child = bench.children.start(start, startArgs, { stdio: 'ignore' })
  const origin = `http://127.0.0.1:${port}`
  await waitForComparison('kinto', child, `${origin}/v1/`)
  bench.say('filling kinto')
  await prepare(`${origin}/v1/buckets/bench`, { method: 'PUT', headers })
  for (const name of ['things', 'added']) await prepare(`${origin}${collectionPath(name)}`, { method: 'PUT', headers })
  const things = createThings(0, comparisonItems)
  await fillKinto(port, things.slice(0, -10))
  const last = await fetch(`${origin}${collectionPath('things')}/records?_limit=1`, { headers })
  const from = last.headers.get('etag')
  await last.arrayBuffer()
  await fillKinto(port, things.slice(-10))
  const [thing] = createThings(7, 1)
  return {
    pid: child.pid ?? 0,
    add: {
      ...{ port, method: 'POST', path: `${collectionPath('added')}/records`, headers },
      body: JSON.stringify({ data: { ...(thing && toRecord(thing)), title: 'item {n}' } }),
    },
    download: { port, method: 'GET', path: `${collectionPath('things')}/records`, headers },
    incrementalSync: {
      port,
      method: 'GET',
      path: `${collectionPath('things')}/records?_since=${encodeURIComponent(from ?? '')}`,
      headers,
    },
  }
}

/** Size of the row that the baseline inserts. */
const rowBytes = 250

/** Kinto synchronizes collections on PostgreSQL. Both servers use one PostgreSQL, each with its own database. */
export const compareKinto: Row = {
  id: 'postgres-compared-kinto',
  work: 'add one item · incremental sync after 10 changes · list 10,000, on PostgreSQL',
  against: `kinto ${kintoVersion} on the same PostgreSQL, durable as ours`,
  measured: 'ms per request; for CPU: µs of server and database for each; value: how many times less ours is',
  needsComparisons: true,
  figures: {
    addOne: { title: 'add, one client', unit: 'x', goal: { is: 'least', limit: 5 } },
    incremental: { title: 'incremental sync', unit: 'x', goal: { is: 'least', limit: 5 } },
    download: { title: 'list 10,000', unit: 'x', goal: { is: 'least', limit: 20 } },
    bare: { title: 'add, one client: bare Koa that inserts one row', unit: 'x' },
    addOneCpu: { title: 'add: CPU of server and database', unit: 'x' },
    addOneDatabase: { title: 'add: CPU of the database', unit: 'x' },
  },
  open: async (bench) => {
    const postgres = await openBenchDatabase(bench)
    const theirs = await startKinto(bench, postgres.create('kinto'))
    const data = join(await bench.createFolder(), 'data')
    const enrollment = await enroll(data, 2)
    const url = postgres.create('things')
    await runCommand(bench, ['copy', data, url])
    const server = await bench.start({ folder: data, store: url, core: 'any' })
    const [token, addToken] = [
      await signIn(server.port, enrollment, 'user-0'),
      await signIn(server.port, enrollment, 'user-1'),
    ]
    bench.say('filling ours')
    await fill(server.port, token, comparisonItems)
    const thingsync = await describeThingsync(server.port, token)
    const oursToAdd = await describeThingsync(server.port, addToken)

    const bareUrl = postgres.create('bare')
    postgres.runSql('bare', 'create table item (text text not null)')
    const insert = `insert into item values ('${'x'.repeat(rowBytes)}')`
    const bare = await startOneStatement(bench, bareUrl, insert, {})

    const measure = async (request: ComparedRequest, pid: number) => {
      const [before, databaseBefore] = [await readCpuSeconds(pid), await postgres.readCpuSeconds()]
      const { seconds, count } = await bench.load({
        ...request,
        connections: 1,
        seconds: bench.rateSeconds,
        sleepsWhileWaiting: true,
      })
      const database = ((await postgres.readCpuSeconds()) - databaseBefore) * (1e6 / count)
      return {
        ms: (seconds * 1000) / count,
        cpu: ((await readCpuSeconds(pid)) - before) * (1e6 / count) + database,
        database,
      }
    }
    const round = async (index: number) => {
      const compare = async (theirRequest: ComparedRequest, ourRequest: ComparedRequest) => {
        const [baseline, candidate] = await interleave(
          index,
          () => measure(theirRequest, theirs.pid),
          () => measure(ourRequest, server.pid),
        )
        return (figure: 'ms' | 'cpu' | 'database') => ({
          ...{ value: baseline[figure] / candidate[figure], candidate: candidate[figure], baseline: baseline[figure] },
        })
      }
      const add = await compare(theirs.add, oursToAdd.add)
      const { ms: bareMs } = await measure({ ...oursToAdd.add, port: bare.port }, bare.pid)
      const incremental = await compare(theirs.incrementalSync, thingsync.incrementalSync)
      const download = await compare(theirs.download, thingsync.download)
      return {
        ...{ addOne: add('ms'), incremental: incremental('ms'), download: download('ms') },
        bare: { value: add('ms').baseline / bareMs, candidate: bareMs, baseline: add('ms').baseline },
        ...{ addOneCpu: add('cpu'), addOneDatabase: add('database') },
      }
    }
    const notes = [
      'one process each; kinto is served by waitress, as `kinto start` does, and caches in memory',
      describeSettings,
    ]
    return { round, notes }
  },
}
