import type { Bench } from '../bench.ts'
import { changeThings } from '../candidate/fill.ts'
import { readIds, saveListing } from '../measure/listing-file.ts'
import { getJob, measureDownload } from '../measure/requests.ts'
import { interleave, type OpenRow, type Row } from '../row.ts'

const describe = (id: string, work: string, limit: number, open: Row['open']): Row => ({
  id,
  work,
  against: 'res.end of the same bytes from one prebuilt buffer',
  measured: 'ms per download, one client',
  figures: { throughput: { title: 'throughput, of the floor’s', unit: 'x', goal: { is: 'least', limit } } },
  open,
})

const openListing = async (bench: Bench, thingCount: number, isChanged: boolean): Promise<OpenRow> => {
  const account = await bench.openAccount(thingCount)
  let listing = await saveListing(bench, account)
  if (isChanged) {
    bench.say('changing every 20th thing')
    await changeThings(account.port, account.token, await readIds(listing, 20))
    listing = await saveListing(bench, account)
  }
  const { file, bytes } = listing
  const floor = await bench.startFloor('prebuilt', [file])
  const round = async (index: number) => {
    const [floorMs, ms] = await interleave(
      index,
      () => measureDownload(bench.load, getJob(floor.port, '', '/'), bytes),
      () => measureDownload(bench.load, getJob(account.port, account.token, '/v1/sync'), bytes),
    )
    return { throughput: { value: floorMs / ms, candidate: ms, floor: floorMs } }
  }
  const things = `${thingCount.toLocaleString('en')} things, ${(bytes / 1e6).toFixed(1)} MB`
  return { round, notes: [isChanged ? `${things}, every 20th changed since the start` : things] }
}

/** Full listing of 100,000 things. */
export const listing100k = describe('listing-100k', 'full listing, {middle} things', 0.8, (bench) =>
  openListing(bench, bench.sizes.middle, false),
)

/** Full listing of 1,000,000 things. */
export const listing1m = describe('listing-1m', 'full listing, {large} things', 0.75, (bench) =>
  openListing(bench, bench.sizes.large, false),
)

/** The same with holes in what the server keeps. */
export const listing100kChanged = describe(
  'listing-100k-changed',
  'full listing, {middle} things, 5 % changed',
  0.8,
  (bench) => openListing(bench, bench.sizes.middle, true),
)

/** The same with holes in what the server keeps. */
export const listing1mChanged = describe(
  'listing-1m-changed',
  'full listing, {large} things, 5 % changed',
  0.75,
  (bench) => openListing(bench, bench.sizes.large, true),
)
