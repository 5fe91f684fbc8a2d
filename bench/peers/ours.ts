import type { Bench } from '../bench.ts'
import { changeThings, listIds, readPosition } from '../candidate/fill.ts'
import { makeThings } from '../candidate/make-things.ts'
import { formHeaders } from '../measure/requests.ts'
import { type PeerServer, peerItems } from './peer.ts'

/** What is asked of our server, in an account of which ten things are changed now. Each answered change is on the disk. */
export const describeOurs = async (port: number, token: string): Promise<PeerServer> => {
  const ids = await listIds(port, token, { skip: 0, limit: 10 })
  const from = await readPosition(port, token)
  await changeThings(port, token, ids)
  const headers = formHeaders(token)
  const [thing] = makeThings(7, 1)
  const { url = '', tags = '', html = '' } = thing ?? {}
  const body = `title=item+{n}&${new URLSearchParams({ url, tags, html })}`
  return {
    add: { port, method: 'POST', path: '/v1/thing/add', headers, body },
    download: { port, method: 'GET', path: '/v1/sync', headers },
    delta: { port, method: 'GET', path: `/v1/sync?from=${from}`, headers },
  }
}

/** Our server with what a peer's holds. */
export const startOurs = async (bench: Bench): Promise<PeerServer> => {
  const { port, token } = await bench.openAccount(peerItems)
  return describeOurs(port, token)
}
