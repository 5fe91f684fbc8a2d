import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findFreePort } from '../../test/free-port.ts'
import type { Bench } from '../bench.ts'
import { createThings, type UploadedThing } from '../candidate/accounts.ts'
import { endChild } from '../machine/processes.ts'
import { type Goal, interleave, type Row, RowUnavailable } from '../row.ts'
import {
  type ComparedRequest,
  type ComparisonServer,
  comparisonItems,
  findComparisonFolder,
  installComparison,
  prepare,
  startThingsync,
  waitForComparison,
} from './comparison-server.ts'

const jsonServerPackage = { name: 'json-server', version: '0.17.4' }

/** json-server: a REST API from one JSON file, on an old lowdb. A filter replaces the incremental sync. */
const jsonServer: ComparisonServer = {
  name: jsonServerPackage.name,
  durability: 'rewrites its one file for each change, without fsync',
  clients: 64,
  install: (say) => installComparison(jsonServerPackage, say),
  start: async (bench) => {
    const folder = await bench.createFolder()
    const things = createThings(0, comparisonItems).map((thing, index) => ({ id: index + 1, ...thing, pos: index + 1 }))
    await writeFile(join(folder, 'db.json'), JSON.stringify({ things }))
    const port = await findFreePort()
    const child = bench.children.start(
      process.execPath,
      [
        join(findComparisonFolder(jsonServerPackage), 'node_modules/json-server/lib/cli/bin.js'),
        '--quiet',
        '--host=127.0.0.1',
        `--port=${port}`,
        join(folder, 'db.json'),
      ],
      { core: 'measured', cwd: folder, stdio: 'ignore', env: { ...process.env, NODE_ENV: 'production' } },
    )
    await waitForComparison('json-server', child, `http://127.0.0.1:${port}/things/1`)
    const [thing] = createThings(7, 1)
    const body = JSON.stringify({ ...thing, title: `item {n}` })
    const headers = { 'content-type': 'application/json' }
    return {
      add: { port, method: 'POST', path: '/things', headers, body },
      download: { port, method: 'GET', path: '/things', headers },
      incrementalSync: { port, method: 'GET', path: `/things?pos_gte=${comparisonItems - 9}`, headers },
    }
  },
}

const pouchdbPackage = { name: 'pouchdb-server', version: '4.2.0' }

/** pouchdb-server: the protocol of CouchDB in Node, the most similar to thingsync. */
const pouchdbServer: ComparisonServer = {
  name: pouchdbPackage.name,
  durability: 'LevelDB, without fsync',
  clients: 64,
  install: (say) => installComparison(pouchdbPackage, say),
  start: async (bench) => {
    const folder = await bench.createFolder()
    const port = await findFreePort()
    const child = bench.children.start(
      process.execPath,
      [
        join(findComparisonFolder(pouchdbPackage), 'node_modules/pouchdb-server/bin/pouchdb-server'),
        '--no-color',
        '--no-stdout-logs',
        '--host=127.0.0.1',
        `--port=${port}`,
        `--dir=${folder}`,
      ],
      { core: 'measured', cwd: folder, stdio: 'ignore', env: { ...process.env, NODE_ENV: 'production' } },
    )
    const base = `http://127.0.0.1:${port}/things`
    await waitForComparison('pouchdb-server', child, `http://127.0.0.1:${port}/`)
    const headers = { 'content-type': 'application/json' }
    await prepare(base, { method: 'PUT' })
    const post = (path: string, value: object) =>
      prepare(`${base}${path}`, { method: 'POST', headers, body: JSON.stringify(value) })
    const things = createThings(0, comparisonItems)
    await post('/_bulk_docs', { docs: things.slice(0, -10) })
    const { update_seq: since } = JSON.parse(await prepare(base, { method: 'GET' })) as { update_seq: number }
    await post('/_bulk_docs', { docs: things.slice(-10) })

    const [thing] = createThings(7, 1)
    const body = JSON.stringify({ ...thing, title: `item {n}` })
    return {
      add: { port, method: 'POST', path: '/things', headers, body },
      download: { port, method: 'GET', path: '/things/_all_docs?include_docs=true', headers },
      incrementalSync: { port, method: 'GET', path: `/things/_changes?since=${since}&include_docs=true`, headers },
    }
  },
}

const collection = '/bench/things/'
const authorization = `Basic ${Buffer.from('bench:bench').toString('base64')}`
const cardHeaders = { authorization, 'content-type': 'text/vcard' }
const reportHeaders = { authorization, 'content-type': 'application/xml', depth: '1' }

const createCard = ({ title, tags, url }: UploadedThing, uid: string): string =>
  `BEGIN:VCARD\r\nVERSION:3.0\r\nUID:${uid}\r\nFN:${title}\r\nN:${title};;;;\r\nNOTE:${tags}\r\nURL:${url}\r\nEND:VCARD\r\n`

const syncReport = (token: string): string =>
  `<?xml version="1.0"?><sync-collection xmlns="DAV:"><sync-token>${token}</sync-token><sync-level>1</sync-level><prop><getetag/></prop></sync-collection>`

/** Returns the version. The bench installs no system programs. @throws RowUnavailable when radicale is missing */
const findVersion = async (): Promise<string> => {
  const { status, stdout } = spawnSync('radicale', ['--version'], { encoding: 'utf8' })
  if (status !== 0) throw new RowUnavailable('radicale is not installed here; on Debian: apt-get install radicale')
  return stdout.trim()
}

const serve = async (bench: Bench, folder: string) => {
  const port = await findFreePort()
  const settings = ['--config=', '--auth-type=none', '--logging-level=error', `--storage-filesystem-folder=${folder}`]
  const child = bench.children.start('radicale', [`--server-hosts=127.0.0.1:${port}`, ...settings], {
    core: 'measured',
    cwd: folder,
    stdio: 'ignore',
  })
  await waitForComparison('radicale', child, `http://127.0.0.1:${port}/.web/`)
  return { port, child }
}

/** Fills a collection. Returns the sync token from before the last ten items. */
const fill = async (port: number): Promise<string> => {
  const collectionUrl = `http://127.0.0.1:${port}${collection}`
  const things = createThings(0, comparisonItems)
  const cards = things.slice(0, -10).map((thing, index) => createCard(thing, `card-${index}`))
  await prepare(collectionUrl, { method: 'PUT', headers: cardHeaders, body: cards.join('') })
  const report = await prepare(collectionUrl, { method: 'REPORT', headers: reportHeaders, body: syncReport('') })
  for (const [index, thing] of things.slice(-10).entries()) {
    const init = { method: 'PUT', headers: cardHeaders, body: createCard(thing, `last-${index}`) }
    await prepare(`${collectionUrl}last-${index}.vcf`, init)
  }
  return /<sync-token>([^<]+)</.exec(report)?.[1] ?? ''
}

/** Returns a filled folder in the user's cache. It fills the folder at first use, because filling takes minutes. */
const findFilled = async (bench: Bench): Promise<string> => {
  const filled = findComparisonFolder({ name: 'radicale', version: `${await findVersion()}-with-${comparisonItems}` })
  if (existsSync(filled)) return filled
  bench.say('filling radicale, once for all runs: a minute or two')
  const partial = join(await bench.createFolder(), 'filled')
  await mkdir(join(partial, 'data'), { recursive: true })
  const { port, child } = await serve(bench, join(partial, 'data'))
  await writeFile(join(partial, 'token'), await fill(port))
  await endChild(child)
  await mkdir(dirname(filled), { recursive: true })
  // A rename at the end, so that an interrupted copy never looks complete.
  await cp(partial, `${filled}.${process.pid}`, { recursive: true, preserveTimestamps: true })
  await rename(`${filled}.${process.pid}`, filled)
  return filled
}

/** radicale: a CardDAV server in Python, of a similar scope. Its items are small address cards. */
const radicale: ComparisonServer = {
  name: 'radicale',
  durability: 'a file for each item, with fsync',
  clients: 4,
  install: findVersion,
  start: async (bench) => {
    const filled = await findFilled(bench)
    const folder = await bench.createFolder()
    await cp(join(filled, 'data'), folder, { recursive: true, preserveTimestamps: true })
    const { port } = await serve(bench, folder)
    const token = await readFile(join(filled, 'token'), 'utf8')
    const [thing] = createThings(7, 1)
    const body = thing ? createCard(thing, 'added-{n}') : ''
    return {
      add: { port, method: 'PUT', path: `${collection}added-{n}.vcf`, headers: cardHeaders, body },
      download: { port, method: 'GET', path: collection, headers: { authorization } },
      incrementalSync: { port, method: 'REPORT', path: collection, headers: reportHeaders, body: syncReport(token) },
    }
  },
}

/** Creates a row for one comparison server. Each side has two servers, because added items would lengthen downloads. */
const compareWith = (comparison: ComparisonServer, addGoal?: Goal): Row => ({
  id: `compared-${comparison.name}`,
  work: `add one item · download 10,000 · incremental sync after 10 changes`,
  against: `${comparison.name}, durability: ${comparison.durability} (ours: fdatasync before the response)`,
  measured: 'ms per request; value: how many times faster ours is',
  needsComparisons: true,
  figures: {
    addMany: { title: `add, ${comparison.clients} clients`, unit: 'x', ...(addGoal ? { goal: addGoal } : {}) },
    addOne: { title: 'add, one client', unit: 'x' },
    download: { title: 'download', unit: 'x' },
    incremental: { title: 'incremental sync', unit: 'x' },
  },
  open: async (bench) => {
    const version = await comparison.install(bench.say)
    bench.say(`starting and filling two of ${comparison.name} and two of ours`)
    const [theirs, theirsToFill] = [await comparison.start(bench), await comparison.start(bench)]
    const [thingsync, oursToFill] = [await startThingsync(bench), await startThingsync(bench)]
    const { rateSeconds } = bench
    const measureMs = async (request: ComparedRequest, connections: number) => {
      const { seconds, count } = await bench.load({ ...request, connections, seconds: rateSeconds })
      return (seconds * 1000) / count
    }
    const round = async (index: number) => {
      const compare = async (theirRequest: ComparedRequest, ourRequest: ComparedRequest, connections: number) => {
        const [baseline, candidate] = await interleave(
          index,
          () => measureMs(theirRequest, connections),
          () => measureMs(ourRequest, connections),
        )
        return { value: baseline / candidate, candidate, baseline }
      }
      return {
        addMany: await compare(theirsToFill.add, oursToFill.add, comparison.clients),
        addOne: await compare(theirsToFill.add, oursToFill.add, 1),
        download: await compare(theirs.download, thingsync.download, 1),
        incremental: await compare(theirs.incrementalSync, thingsync.incrementalSync, 1),
      }
    }
    return {
      round,
      notes: [`${comparison.name} ${version}; ${comparisonItems.toLocaleString('en')} items each, those added stay`],
    }
  },
})

/** The row against json-server, which rewrites one file for each change. */
export const compareJsonServer = compareWith(jsonServer, { is: 'least', limit: 30 })

/** The row against pouchdb-server, the most similar server. */
export const comparePouchdbServer = compareWith(pouchdbServer, { is: 'least', limit: 2 })

/** The row against radicale, which writes with fsync. */
export const compareRadicale = compareWith(radicale)
