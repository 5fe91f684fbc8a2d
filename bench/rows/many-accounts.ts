import { join } from 'node:path'
import { addManyUsers, enrol } from '../candidate/accounts.ts'
import { interleave, type Row } from '../row.ts'

const accountCount = 10_000

/** Accounts are opened on demand, so they cost nothing at the start. */
export const manyAccounts: Row = {
  id: 'many-accounts',
  work: 'start with 10,000 accounts',
  against: 'start with one',
  measured: 'ms from the command to the first request accepted',
  figures: { time: { title: 'time', unit: 'x', goal: { is: 'most', limit: 1.5 } } },
  open: async (bench) => {
    const [fewFolder, manyFolder] = [join(await bench.makeFolder(), 'data'), join(await bench.makeFolder(), 'data')]
    await enrol(fewFolder, 1)
    await addManyUsers(manyFolder, accountCount)
    const measure = async (folder: string) => {
      const start = performance.now()
      const server = await bench.start({ folder })
      const ms = performance.now() - start
      await server.kill()
      return ms
    }
    const round = async (index: number) => {
      const [fewMs, manyMs] = await interleave(
        index,
        () => measure(fewFolder),
        () => measure(manyFolder),
      )
      return { time: { value: manyMs / fewMs, candidate: manyMs, floor: fewMs } }
    }
    return { round, notes: ['accounts of users that have uploaded nothing yet; Node’s own start is in both'] }
  },
}
