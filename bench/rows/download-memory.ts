import type { LoadJob } from '../load/job.ts'
import { readMemory, resetPeak } from '../machine/usage.ts'
import { getJob } from '../measure/requests.ts'
import type { Row } from '../row.ts'

const readerCount = 50
const manyReaders = 100
/** More than the kernel's socket buffers take, so that readers are waited for. */
const slowThings = 100_000
const slowBytesPerSecond = 4e6
/** Compressed bytes are made for their readers, and are few: only slower readers are waited for. */
const packedReaders = 200
const packedBytesPerSecond = 5e5

/** What a download holds while it runs. */
export const downloadMemory: Row = {
  id: 'download-memory',
  work: 'memory of a full listing',
  against: 'the server at rest, after garbage collection',
  measured: 'MB resident at the peak · at rest',
  figures: {
    one: { title: 'one download of {large} things', unit: 'MB', goal: { is: 'most', limit: 2 } },
    slow: { title: '50 slow readers of 100,000 things', unit: 'MB each', goal: { is: 'most', limit: 0.25 } },
    many: { title: '100 slow readers of 100,000 things', unit: 'MB together', goal: { is: 'most', limit: 25 } },
    packed: { title: '200 slower readers of the same as gzip', unit: 'MB together', goal: { is: 'most', limit: 50 } },
  },
  open: async (bench) => {
    const account = await bench.openAccount(bench.sizes.large)
    const slow = slowThings === bench.sizes.large ? account : await bench.openAccount(slowThings)
    const measure = async (
      server: typeof account,
      job: Pick<LoadJob, 'connections' | 'bytesPerSecond'>,
      encoding = 'identity',
    ) => {
      await server.collectGarbage()
      await resetPeak(server.pid)
      const { residentMb } = await readMemory(server.pid)
      const request = getJob(server.port, server.token, '/v1/sync')
      const headers = { ...request.headers, 'accept-encoding': encoding }
      await bench.load({ ...request, headers, ...job, count: job.connections })
      const { peakMb } = await readMemory(server.pid)
      return { value: peakMb - residentMb, candidate: peakMb, floor: residentMb }
    }
    const measureSlow = (connections: number) => measure(slow, { connections, bytesPerSecond: slowBytesPerSecond })
    const round = async () => {
      const slowReaders = await measureSlow(readerCount)
      return {
        one: await measure(account, { connections: 1 }),
        slow: { ...slowReaders, value: slowReaders.value / readerCount },
        many: await measureSlow(manyReaders),
        packed: await measure(slow, { connections: packedReaders, bytesPerSecond: packedBytesPerSecond }, 'gzip'),
      }
    }
    const counts = `one: ${bench.sizes.large.toLocaleString('en')} things`
    const speeds = `slow readers take ${slowBytesPerSecond / 1e6} MB/s each, those of gzip ${packedBytesPerSecond / 1e6} MB/s`
    return { round, notes: [counts, speeds] }
  },
}
