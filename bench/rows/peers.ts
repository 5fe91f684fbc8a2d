import { jsonServer } from '../peers/json-server.ts'
import { startOurs } from '../peers/ours.ts'
import { type Ask, type Peer, peerItems } from '../peers/peer.ts'
import { pouchdbServer } from '../peers/pouchdb-server.ts'
import { radicale } from '../peers/radicale.ts'
import { type Goal, interleave, type Row } from '../row.ts'

/** A row that compares with one peer. Each side has two servers: what is added must not make downloads longer. */
const compareWith = (peer: Peer, addGoal?: Goal): Row => ({
  id: `peer-${peer.name}`,
  work: `add one item · download 10,000 · delta after 10 changes`,
  against: `${peer.name}, durability: ${peer.durability} (ours: fdatasync before the answer)`,
  measured: 'ms per request; value: how many times faster ours is',
  needsPeers: true,
  figures: {
    addMany: { title: `add, ${peer.clients} clients`, unit: 'x', ...(addGoal ? { goal: addGoal } : {}) },
    addOne: { title: 'add, one client', unit: 'x' },
    download: { title: 'download', unit: 'x' },
    delta: { title: 'delta', unit: 'x' },
  },
  open: async (bench) => {
    const version = await peer.install(bench.say)
    bench.say(`starting and filling two of ${peer.name} and two of ours`)
    const [theirs, theirsToFill] = [await peer.start(bench), await peer.start(bench)]
    const [ours, oursToFill] = [await startOurs(bench), await startOurs(bench)]
    const { rateSeconds } = bench
    const rate = async (ask: Ask, connections: number) => {
      const { seconds, count } = await bench.load({ ...ask, connections, seconds: rateSeconds })
      return (seconds * 1000) / count
    }
    const round = async (index: number) => {
      const compare = async (theirAsk: Ask, ourAsk: Ask, connections: number) => {
        const [floor, candidate] = await interleave(
          index,
          () => rate(theirAsk, connections),
          () => rate(ourAsk, connections),
        )
        return { value: floor / candidate, candidate, floor }
      }
      return {
        addMany: await compare(theirsToFill.add, oursToFill.add, peer.clients),
        addOne: await compare(theirsToFill.add, oursToFill.add, 1),
        download: await compare(theirs.download, ours.download, 1),
        delta: await compare(theirs.delta, ours.delta, 1),
      }
    }
    return { round, notes: [`${peer.name} ${version}; ${peerItems.toLocaleString('en')} items each, those added stay`] }
  },
})

/** json-server, for the size of the gap to a file that is rewritten for each change. */
export const peerJsonServer = compareWith(jsonServer, { is: 'least', limit: 30 })

/** pouchdb-server, the closest in kind. */
export const peerPouchdbServer = compareWith(pouchdbServer, { is: 'least', limit: 2 })

/** radicale, a server that syncs to the disk too. */
export const peerRadicale = compareWith(radicale)
