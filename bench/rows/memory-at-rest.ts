import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { enrol } from '../candidate/accounts.ts'
import { readMemory } from '../machine/usage.ts'
import { saveListing } from '../measure/listing-file.ts'
import { getJob } from '../measure/requests.ts'
import type { Row } from '../row.ts'

/** What a small machine must have for a big account. */
export const memoryAtRest: Row = {
  id: 'memory-at-rest',
  work: 'memory at rest with {large} things',
  against: 'the bytes of their full listing',
  measured: 'MB resident beyond the same server with nothing open · MB of listing',
  startsAnew: true,
  figures: {
    idle: { title: 'after 2 s of nothing', unit: 'x', goal: { is: 'most', limit: 2.5 } },
    collected: { title: 'after garbage collection', unit: 'x' },
  },
  open: async (bench) => {
    const account = await bench.openAccount(bench.sizes.large)
    const { bytes } = await saveListing(bench, account)
    const { folder, token } = account
    await account.kill()
    const emptyFolder = join(await bench.makeFolder(), 'data')
    await enrol(emptyFolder, 1)

    const round = async () => {
      const empty = await bench.start({ folder: emptyFolder })
      const server = await bench.start({ folder })
      await bench.load({ ...getJob(server.port, token, '/v1/sync?from=1&limit=0'), connections: 1, count: 1 })
      await sleep(2_000)
      const base = (await readMemory(empty.pid)).residentMb
      const idle = (await readMemory(server.pid)).residentMb - base
      await server.collectGarbage()
      const collected = (await readMemory(server.pid)).residentMb - base
      await Promise.all([empty.kill(), server.kill()])
      const floor = bytes / 1e6
      return {
        idle: { value: idle / floor, candidate: idle, floor },
        collected: { value: collected / floor, candidate: collected, floor },
      }
    }
    return {
      round,
      notes: [`${bench.sizes.large.toLocaleString('en')} things; started on the folder, one request answered`],
    }
  },
}
