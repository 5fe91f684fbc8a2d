import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFreePort } from '../../test/free-port.ts'
import { makeThings } from '../candidate/make-things.ts'
import { findPeerFolder, installPeer } from './install-peer.ts'
import { type Peer, peerItems, waitForPeer } from './peer.ts'

const peerPackage = { name: 'json-server', version: '0.17.4' }

/** json-server: a whole REST API from one JSON file, on an old lowdb. It has no deltas but a filter. */
export const jsonServer: Peer = {
  name: peerPackage.name,
  durability: 'rewrites its one file for each change, without fsync',
  clients: 64,
  install: (say) => installPeer(peerPackage, say),
  start: async (bench) => {
    const folder = await bench.makeFolder()
    const things = makeThings(0, peerItems).map((thing, index) => ({ id: index + 1, ...thing, pos: index + 1 }))
    await writeFile(join(folder, 'db.json'), JSON.stringify({ things }))
    const port = await findFreePort()
    const child = bench.children.start(
      process.execPath,
      [
        join(findPeerFolder(peerPackage), 'node_modules/json-server/lib/cli/bin.js'),
        '--quiet',
        '--host=127.0.0.1',
        `--port=${port}`,
        join(folder, 'db.json'),
      ],
      { core: 'measured', cwd: folder, stdio: 'ignore', env: { ...process.env, NODE_ENV: 'production' } },
    )
    await waitForPeer('json-server', child, `http://127.0.0.1:${port}/things/1`)
    const [thing] = makeThings(7, 1)
    const body = JSON.stringify({ ...thing, title: `item {n}` })
    const headers = { 'content-type': 'application/json' }
    return {
      add: { port, method: 'POST', path: '/things', headers, body },
      download: { port, method: 'GET', path: '/things', headers },
      delta: { port, method: 'GET', path: `/things?pos_gte=${peerItems - 9}`, headers },
    }
  },
}
