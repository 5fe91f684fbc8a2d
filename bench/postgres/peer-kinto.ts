import { join } from 'node:path'
import { enrol, signIn } from '../candidate/accounts.ts'
import { fill } from '../candidate/fill.ts'
import { runCommand } from '../candidate/run-command.ts'
import { readCpuSeconds } from '../machine/usage.ts'
import { describeOurs } from '../peers/ours.ts'
import { type Ask, peerItems } from '../peers/peer.ts'
import { interleave, type Row } from '../row.ts'
import { kintoVersion, startKinto } from './kinto.ts'
import { describeSettings, openBenchDatabase } from './open-database.ts'
import { startOneStatement } from './start-one-statement.ts'

/** What a row of an item holds. */
const rowBytes = 250

/** Kinto, which keeps collections in step on PostgreSQL: both on the same one, each in a database of its own. */
export const peerKinto: Row = {
  id: 'postgres-peer-kinto',
  work: 'add one item · delta after 10 changes · list 10,000, on PostgreSQL',
  against: `kinto ${kintoVersion} on the same PostgreSQL, durable as ours`,
  measured: 'ms per request; for CPU: µs of server and database for each; value: how many times less ours is',
  needsPeers: true,
  figures: {
    addOne: { title: 'add, one client', unit: 'x', goal: { is: 'least', limit: 5 } },
    delta: { title: 'delta', unit: 'x', goal: { is: 'least', limit: 5 } },
    download: { title: 'list 10,000', unit: 'x', goal: { is: 'least', limit: 20 } },
    bare: { title: 'add, one client: bare Koa that inserts one row', unit: 'x' },
    addOneCpu: { title: 'add: CPU of server and database', unit: 'x' },
    addOneDatabase: { title: 'add: CPU of the database', unit: 'x' },
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

    const bareUrl = postgres.make('bare')
    postgres.runSql('bare', 'create table item (text text not null)')
    const insert = `insert into item values ('${'x'.repeat(rowBytes)}')`
    const bare = await startOneStatement(bench, bareUrl, insert, {})

    const measure = async (ask: Ask, pid: number) => {
      const [before, databaseBefore] = [await readCpuSeconds(pid), await postgres.readCpuSeconds()]
      const { seconds, count } = await bench.load({ ...ask, connections: 1, seconds: bench.rateSeconds, rests: true })
      const database = ((await postgres.readCpuSeconds()) - databaseBefore) * (1e6 / count)
      return {
        ms: (seconds * 1000) / count,
        cpu: ((await readCpuSeconds(pid)) - before) * (1e6 / count) + database,
        database,
      }
    }
    const round = async (index: number) => {
      const compare = async (theirAsk: Ask, ourAsk: Ask) => {
        const [floor, candidate] = await interleave(
          index,
          () => measure(theirAsk, theirs.pid),
          () => measure(ourAsk, server.pid),
        )
        return (figure: 'ms' | 'cpu' | 'database') => ({
          ...{ value: floor[figure] / candidate[figure], candidate: candidate[figure], floor: floor[figure] },
        })
      }
      const add = await compare(theirs.add, oursToAdd.add)
      const { ms: bareMs } = await measure({ ...oursToAdd.add, port: bare.port }, bare.pid)
      const delta = await compare(theirs.delta, ours.delta)
      const download = await compare(theirs.download, ours.download)
      return {
        ...{ addOne: add('ms'), delta: delta('ms'), download: download('ms') },
        bare: { value: add('ms').floor / bareMs, candidate: bareMs, floor: add('ms').floor },
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
