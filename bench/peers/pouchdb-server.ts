import { join } from 'node:path'
import { findFreePort } from '../../test/free-port.ts'
import { makeThings } from '../candidate/make-things.ts'
import { findPeerFolder, installPeer } from './install-peer.ts'
import { type Peer, peerItems, prepare, waitForPeer } from './peer.ts'

const peerPackage = { name: 'pouchdb-server', version: '4.2.0' }

/** pouchdb-server: CouchDB's protocol in Node, the closest in kind to what thingsync does. */
export const pouchdbServer: Peer = {
  name: peerPackage.name,
  durability: 'LevelDB, without fsync',
  clients: 64,
  install: (say) => installPeer(peerPackage, say),
  start: async (bench) => {
    const folder = await bench.makeFolder()
    const port = await findFreePort()
    const child = bench.children.start(
      process.execPath,
      [
        join(findPeerFolder(peerPackage), 'node_modules/pouchdb-server/bin/pouchdb-server'),
        '--no-color',
        '--no-stdout-logs',
        '--host=127.0.0.1',
        `--port=${port}`,
        `--dir=${folder}`,
      ],
      { core: 'measured', cwd: folder, stdio: 'ignore', env: { ...process.env, NODE_ENV: 'production' } },
    )
    const base = `http://127.0.0.1:${port}/things`
    await waitForPeer('pouchdb-server', child, `http://127.0.0.1:${port}/`)
    const headers = { 'content-type': 'application/json' }
    await prepare(base, { method: 'PUT' })
    const post = (path: string, value: object) =>
      prepare(`${base}${path}`, { method: 'POST', headers, body: JSON.stringify(value) })
    const things = makeThings(0, peerItems)
    await post('/_bulk_docs', { docs: things.slice(0, -10) })
    const { update_seq: since } = JSON.parse(await prepare(base, { method: 'GET' })) as { update_seq: number }
    await post('/_bulk_docs', { docs: things.slice(-10) })

    const [thing] = makeThings(7, 1)
    const body = JSON.stringify({ ...thing, title: `item {n}` })
    return {
      add: { port, method: 'POST', path: '/things', headers, body },
      download: { port, method: 'GET', path: '/things/_all_docs?include_docs=true', headers },
      delta: { port, method: 'GET', path: `/things/_changes?since=${since}&include_docs=true`, headers },
    }
  },
}
