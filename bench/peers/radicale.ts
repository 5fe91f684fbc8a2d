import { spawnSync } from 'node:child_process'
import { makeThings, type UploadedThing } from '../candidate/make-things.ts'
import { RowUnavailable } from '../row.ts'
import { findFreePort, type Peer, peerItems, prepare, waitForPeer } from './peer.ts'

const collection = '/bench/things/'

const makeCard = ({ title, tags, url }: UploadedThing, uid: string): string =>
  `BEGIN:VCARD\r\nVERSION:3.0\r\nUID:${uid}\r\nFN:${title}\r\nN:${title};;;;\r\nNOTE:${tags}\r\nURL:${url}\r\nEND:VCARD\r\n`

const syncReport = (token: string): string =>
  `<?xml version="1.0"?><sync-collection xmlns="DAV:"><sync-token>${token}</sync-token><sync-level>1</sync-level><prop><getetag/></prop></sync-collection>`

/** radicale: a CardDAV server of the same size of ambition, in Python; its items are small address cards. */
export const radicale: Peer = {
  name: 'radicale',
  durability: 'a file for each item, with fsync',
  clients: 4,
  install: async () => {
    // Programs of the system are its owner's to install: what is missing is named, on every machine alike.
    const asked = spawnSync('radicale', ['--version'], { encoding: 'utf8' })
    if (asked.status !== 0)
      throw new RowUnavailable('radicale is not installed here; on Debian: apt-get install radicale')
    return asked.stdout.trim()
  },
  start: async (bench) => {
    const folder = await bench.makeFolder()
    const port = await findFreePort()
    const child = bench.children.start(
      'radicale',
      [
        '--config=',
        `--server-hosts=127.0.0.1:${port}`,
        `--storage-filesystem-folder=${folder}`,
        '--auth-type=none',
        '--logging-level=error',
      ],
      { core: 'measured', cwd: folder, stdio: 'ignore' },
    )
    const base = `http://127.0.0.1:${port}`
    await waitForPeer('radicale', child, `${base}/.web/`)
    const authorization = `Basic ${Buffer.from('bench:bench').toString('base64')}`
    const cardHeaders = { authorization, 'content-type': 'text/vcard' }
    const reportHeaders = { authorization, 'content-type': 'application/xml', depth: '1' }
    const things = makeThings(0, peerItems)
    const cards = things.slice(0, -10).map((thing, index) => makeCard(thing, `card-${index}`))
    await prepare(`${base}${collection}`, { method: 'PUT', headers: cardHeaders, body: cards.join('') })
    const report = await prepare(`${base}${collection}`, {
      method: 'REPORT',
      headers: reportHeaders,
      body: syncReport(''),
    })
    const token = /<sync-token>([^<]+)</.exec(report)?.[1] ?? ''
    for (const [index, thing] of things.slice(-10).entries()) {
      const uid = `last-${index}`
      const init = { method: 'PUT', headers: cardHeaders, body: makeCard(thing, uid) }
      await prepare(`${base}${collection}${uid}.vcf`, init)
    }
    const [thing] = makeThings(7, 1)
    const body = thing ? makeCard(thing, 'added-{n}') : ''
    return {
      add: { port, method: 'PUT', path: `${collection}added-{n}.vcf`, headers: cardHeaders, body },
      download: { port, method: 'GET', path: collection, headers: { authorization } },
      delta: { port, method: 'REPORT', path: collection, headers: reportHeaders, body: syncReport(token) },
    }
  },
}
