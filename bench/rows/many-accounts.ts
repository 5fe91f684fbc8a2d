import { join } from 'node:path'
import { addManyAccounts, enrol } from '../candidate/accounts.ts'
import { interleave, type Row } from '../row.ts'

const accountCount = 10_000
const thingsEach = 5

/** Accounts are opened on demand, so they cost nothing at the start. */
export const manyAccounts: Row = {
  id: 'many-accounts',
  work: 'start with 10,000 accounts',
  against: 'start with none',
  measured: 'ms from the command to the first request accepted',
  figures: { time: { title: 'time', unit: 'x', goal: { is: 'most', limit: 1.5 } } },
  open: async (bench) => {
    const [noFolder, manyFolder] = [join(await bench.makeFolder(), 'data'), join(await bench.makeFolder(), 'data')]
    await enrol(noFolder, 0)
    bench.say('making the accounts')
    await addManyAccounts(manyFolder, accountCount, thingsEach)
    const measure = async (folder: string) => {
      const start = performance.now()
      const server = await bench.start({ folder })
      const ms = performance.now() - start
      await server.stop()
      return ms
    }
    const round = async (index: number) => {
      const [noMs, manyMs] = await interleave(
        index,
        () => measure(noFolder),
        () => measure(manyFolder),
      )
      return { time: { value: manyMs / noMs, candidate: manyMs, floor: noMs } }
    }
    return { round, notes: [`${thingsEach} things in each account, stopped in order; Node’s own start is in both`] }
  },
}
