import { join } from 'node:path'
import { enrol, signIn } from '../candidate/accounts.ts'
import { fill } from '../candidate/fill.ts'
import { runCommand } from '../candidate/run-command.ts'
import { describeOurs } from '../peers/ours.ts'
import { type Ask, peerItems } from '../peers/peer.ts'
import { interleave, type Row } from '../row.ts'
import { kintoVersion, startKinto } from './kinto.ts'
import { describeSettings, openBenchDatabase } from './open-database.ts'

/** Kinto, which keeps collections in step on PostgreSQL: both on the same one, each in a database of its own. */
export const peerKinto: Row = {
  id: 'postgres-peer-kinto',
  work: 'add one item · delta after 10 changes · list 10,000, on PostgreSQL',
  against: `kinto ${kintoVersion} on the same PostgreSQL, durable as ours`,
  measured: 'ms per request; value: how many times faster ours is',
  needsPeers: true,
  figures: {
    addOne: { title: 'add, one client', unit: 'x', goal: { is: 'least', limit: 5 } },
    delta: { title: 'delta', unit: 'x', goal: { is: 'least', limit: 5 } },
    download: { title: 'list 10,000', unit: 'x', goal: { is: 'least', limit: 20 } },
  },
  open: async (bench) => {
    const postgres = await openBenchDatabase(bench)
    const theirs = await startKinto(bench, postgres.make('kinto'))
    const data = join(await bench.makeFolder(), 'data')
    const enrolment = await enrol(data, 2)
    const url = postgres.make('things')
    await runCommand(bench, ['copy', data, url])
    const server = await bench.start({ folder: data, store: url, core: 'any' })
    const [token, addToken] = [
      await signIn(server.port, enrolment, 'user-0'),
      await signIn(server.port, enrolment, 'user-1'),
    ]
    bench.say('filling ours')
    await fill(server.port, token, peerItems)
    const ours = await describeOurs(server.port, token)
    const oursToAdd = await describeOurs(server.port, addToken)

    const rate = async (ask: Ask) => {
      const { seconds, count } = await bench.load({ ...ask, connections: 1, seconds: bench.rateSeconds, rests: true })
      return (seconds * 1000) / count
    }
    const round = async (index: number) => {
      const compare = async (theirAsk: Ask, ourAsk: Ask) => {
        const [floor, candidate] = await interleave(
          index,
          () => rate(theirAsk),
          () => rate(ourAsk),
        )
        return { value: floor / candidate, candidate, floor }
      }
      return {
        addOne: await compare(theirs.add, oursToAdd.add),
        delta: await compare(theirs.delta, ours.delta),
        download: await compare(theirs.download, ours.download),
      }
    }
    const notes = [
      'one process each; kinto is served by waitress, as `kinto start` does, and caches in memory',
      describeSettings,
    ]
    return { round, notes }
  },
}
