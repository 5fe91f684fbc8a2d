import { once } from 'node:events'
import { join } from 'node:path'
import { enrol, signIn } from '../candidate/accounts.ts'
import { nextMessage } from '../machine/start-script.ts'
import { readMemory } from '../machine/usage.ts'
import { saveListing } from '../measure/listing-file.ts'
import { getJob } from '../measure/requests.ts'
import type { Row } from '../row.ts'

/** How long everybody waits after a crash. */
export const openAfterCrash: Row = {
  id: 'open-after-crash',
  work: 'opening {large} things after kill -9, to the first answer',
  against: 'JSON.parse of one file with the same, and a Map by id',
  measured: 'ms · MB at the peak, both beyond the same server with an empty account (floor: beyond an empty Node)',
  startsAnew: true,
  figures: {
    time: { title: 'time', unit: 'x', goal: { is: 'most', limit: 0.75 } },
    memory: { title: 'memory', unit: 'x', goal: { is: 'most', limit: 0.45 } },
  },
  open: async (bench) => {
    const first = await bench.openAccount(bench.sizes.large)
    const listing = await saveListing(bench, first)
    await first.kill()
    const emptyFolder = join(await bench.makeFolder(), 'data')
    const emptyEnrolment = await enrol(emptyFolder, 1)

    const startAndAsk = async (folder: string, token: string) => {
      const start = performance.now()
      const server = await bench.start({ folder })
      await bench.load({ ...getJob(server.port, token, '/v1/sync?from=1&limit=0'), connections: 1, count: 1 })
      const ms = performance.now() - start
      const { peakMb } = await readMemory(server.pid)
      await server.kill()
      return { ms, peakMb }
    }
    const emptyServer = await bench.start({ folder: emptyFolder })
    const emptyToken = await signIn(emptyServer.port, emptyEnrolment)
    await emptyServer.kill()
    const round = async () => {
      const floorScript = bench.startScript('floors/load-one-file.ts', [listing.file])
      const floor = await nextMessage<{ count: number; ms: number; peakMb: number }>(floorScript)
      if (floorScript.exitCode === null) await once(floorScript, 'exit')
      const empty = await startAndAsk(emptyFolder, emptyToken)
      // A new copy each time: the first start after the crash may have tidied up.
      const { folder, token } = await bench.copyFilled(bench.sizes.large)
      const full = await startAndAsk(folder, token)
      const ms = full.ms - empty.ms
      const mb = full.peakMb - empty.peakMb
      return {
        time: { value: ms / floor.ms, candidate: ms, floor: floor.ms },
        memory: { value: mb / floor.peakMb, candidate: mb, floor: floor.peakMb },
      }
    }
    return { round, notes: [`${bench.sizes.large.toLocaleString('en')} things; files in the page cache`] }
  },
}
