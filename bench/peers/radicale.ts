import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { findFreePort } from '../../test/free-port.ts'
import type { Bench } from '../bench.ts'
import { makeThings, type UploadedThing } from '../candidate/make-things.ts'
import { endChild } from '../machine/children.ts'
import { RowUnavailable } from '../row.ts'
import { findPeerFolder } from './install-peer.ts'
import { type Peer, peerItems, prepare, waitForPeer } from './peer.ts'

const collection = '/bench/things/'
const authorization = `Basic ${Buffer.from('bench:bench').toString('base64')}`
const cardHeaders = { authorization, 'content-type': 'text/vcard' }
const reportHeaders = { authorization, 'content-type': 'application/xml', depth: '1' }

const makeCard = ({ title, tags, url }: UploadedThing, uid: string): string =>
  `BEGIN:VCARD\r\nVERSION:3.0\r\nUID:${uid}\r\nFN:${title}\r\nN:${title};;;;\r\nNOTE:${tags}\r\nURL:${url}\r\nEND:VCARD\r\n`

const syncReport = (token: string): string =>
  `<?xml version="1.0"?><sync-collection xmlns="DAV:"><sync-token>${token}</sync-token><sync-level>1</sync-level><prop><getetag/></prop></sync-collection>`

/** Tells the version. Programs of the system are its owner's to install: what is missing is named, everywhere alike. */
const findVersion = async (): Promise<string> => {
  const asked = spawnSync('radicale', ['--version'], { encoding: 'utf8' })
  if (asked.status !== 0)
    throw new RowUnavailable('radicale is not installed here; on Debian: apt-get install radicale')
  return asked.stdout.trim()
}

const serve = async (bench: Bench, folder: string) => {
  const port = await findFreePort()
  const settings = ['--config=', '--auth-type=none', '--logging-level=error', `--storage-filesystem-folder=${folder}`]
  const child = bench.children.start('radicale', [`--server-hosts=127.0.0.1:${port}`, ...settings], {
    core: 'measured',
    cwd: folder,
    stdio: 'ignore',
  })
  await waitForPeer('radicale', child, `http://127.0.0.1:${port}/.web/`)
  return { port, child }
}

/** Fills a collection; ten items are put after the position whose token is returned. */
const fill = async (port: number): Promise<string> => {
  const address = `http://127.0.0.1:${port}${collection}`
  const things = makeThings(0, peerItems)
  const cards = things.slice(0, -10).map((thing, index) => makeCard(thing, `card-${index}`))
  await prepare(address, { method: 'PUT', headers: cardHeaders, body: cards.join('') })
  const report = await prepare(address, { method: 'REPORT', headers: reportHeaders, body: syncReport('') })
  for (const [index, thing] of things.slice(-10).entries()) {
    const init = { method: 'PUT', headers: cardHeaders, body: makeCard(thing, `last-${index}`) }
    await prepare(`${address}last-${index}.vcf`, init)
  }
  return /<sync-token>([^<]+)</.exec(report)?.[1] ?? ''
}

/** A filled folder, kept in the user's cache: filling takes radicale more than a minute. */
const findFilled = async (bench: Bench): Promise<string> => {
  const filled = findPeerFolder({ name: 'radicale', version: `${await findVersion()}-with-${peerItems}` })
  if (existsSync(filled)) return filled
  bench.say('filling radicale, once for all runs: a minute or two')
  const aside = join(await bench.makeFolder(), 'filled')
  await mkdir(join(aside, 'data'), { recursive: true })
  const { port, child } = await serve(bench, join(aside, 'data'))
  await writeFile(join(aside, 'token'), await fill(port))
  await endChild(child)
  await mkdir(dirname(filled), { recursive: true })
  // Copied beside its place and then renamed, so that what was broken off is never taken for a whole one.
  await cp(aside, `${filled}.${process.pid}`, { recursive: true, preserveTimestamps: true })
  await rename(`${filled}.${process.pid}`, filled)
  return filled
}

/** radicale: a CardDAV server of the same size of ambition, in Python; its items are small address cards. */
export const radicale: Peer = {
  name: 'radicale',
  durability: 'a file for each item, with fsync',
  clients: 4,
  install: findVersion,
  start: async (bench) => {
    const filled = await findFilled(bench)
    const folder = await bench.makeFolder()
    await cp(join(filled, 'data'), folder, { recursive: true, preserveTimestamps: true })
    const { port } = await serve(bench, folder)
    const token = await readFile(join(filled, 'token'), 'utf8')
    const [thing] = makeThings(7, 1)
    const body = thing ? makeCard(thing, 'added-{n}') : ''
    return {
      add: { port, method: 'PUT', path: `${collection}added-{n}.vcf`, headers: cardHeaders, body },
      download: { port, method: 'GET', path: collection, headers: { authorization } },
      delta: { port, method: 'REPORT', path: collection, headers: reportHeaders, body: syncReport(token) },
    }
  },
}
