import { saveListing } from '../measure/listing-file.ts'
import { getJob } from '../measure/requests.ts'
import { interleave, type Row } from '../row.ts'

/** Whether asking for gzip pays even on a wire that costs nothing. */
export const gzipListing: Row = {
  id: 'gzip-listing',
  work: 'gzip of a full listing of {large} things',
  against: 'the same uncompressed',
  measured: 'ms per download · MB sent',
  figures: {
    time: { title: 'time, of uncompressed', unit: 'x', goal: { is: 'most', limit: 0.5 } },
    bytes: { title: 'bytes, of uncompressed', unit: 'x', goal: { is: 'most', limit: 0.16 } },
  },
  open: async (bench) => {
    const account = await bench.openAccount(bench.sizes.large)
    const { bytes } = await saveListing(bench, account)
    const job = getJob(account.port, account.token, '/v1/sync')
    const download = (encoding: string) =>
      bench.load({ ...job, headers: { ...job.headers, 'accept-encoding': encoding }, connections: 1, count: 1 })
    const round = async (index: number) => {
      const [plain, packed] = await interleave(
        index,
        () => download('identity'),
        () => download('gzip'),
      )
      const value = packed.seconds / plain.seconds
      return {
        time: { value, candidate: packed.seconds * 1000, floor: plain.seconds * 1000 },
        bytes: { value: packed.bytes / plain.bytes, candidate: packed.bytes / 1e6, floor: plain.bytes / 1e6 },
      }
    }
    return { round, notes: [`${bench.sizes.large.toLocaleString('en')} things, ${(bytes / 1e6).toFixed(1)} MB`] }
  },
}
