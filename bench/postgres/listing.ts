import { signIn } from '../candidate/accounts.ts'
import { saveListing } from '../measure/listing-file.ts'
import { getJob, measureDownload } from '../measure/requests.ts'
import { interleave, type Row } from '../row.ts'
import { openBoth } from './open-both.ts'
import { describeSettings } from './open-database.ts'

/** What a process has in memory is sent as it is, whatever it was read from. */
export const postgresListing: Row = {
  id: 'postgres-listing',
  work: 'full listing, {middle} things, from a warm process on PostgreSQL',
  against: 'the same from a data folder',
  measured: 'ms per download, one client',
  figures: {
    throughput: { title: 'throughput, of the data folder’s', unit: 'x', goal: { is: 'least', limit: 0.95 } },
    first: { title: 'the first listing of a process, which reads it from the database', unit: 'ms' },
  },
  open: async (bench) => {
    const filled = await bench.copyFilled(bench.sizes.middle)
    const { folder, database, startAnother } = await openBoth(bench, filled)
    const folderToken = await signIn(folder.port, filled.enrolment)
    const token = await signIn(database.port, filled.enrolment)
    const { bytes } = await saveListing(bench, { port: database.port, token })
    const round = async (index: number) => {
      const [folderMs, ms] = await interleave(
        index,
        () => measureDownload(bench.load, getJob(folder.port, folderToken, '/v1/sync'), bytes),
        () => measureDownload(bench.load, getJob(database.port, token, '/v1/sync'), bytes),
      )
      const cold = await startAnother()
      const first = await bench.load({ ...getJob(cold.port, token, '/v1/sync'), connections: 1, count: 1 })
      await cold.stop()
      return { throughput: { value: folderMs / ms, candidate: ms, floor: folderMs }, first: { value: first.maxMs } }
    }
    const notes = [`${(bytes / 1e6).toFixed(1)} MB`, describeSettings]
    return { round, notes }
  },
}
