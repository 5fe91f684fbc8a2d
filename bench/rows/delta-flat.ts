import type { OpenAccount } from '../bench.ts'
import { changeOne, changeThings, listIds, readPosition } from '../candidate/fill.ts'
import { getJob, measureCpuPerRequest } from '../measure/requests.ts'
import type { Row } from '../row.ts'

const smallCount = 1_000
const changedCount = 10
/** A page of 100 things at nine tenths of a full listing. */
const pageAt = (thingCount: number): string => `/v1/sync?skip=${thingCount * 0.9}&limit=100`

/** Ten things change after the position that is returned, the last of them `repeats` times. */
const makeChanges = async ({ port, token }: OpenAccount, repeats: number): Promise<number> => {
  const ids = await listIds(port, token, { skip: 0, limit: changedCount })
  const from = await readPosition(port, token)
  await changeThings(port, token, ids)
  if (repeats > 1) await changeOne(port, token, ids.at(-1) ?? '', repeats)
  return from
}

/** A delta costs what it lists, not what is stored. */
export const deltaFlat: Row = {
  id: 'delta-flat',
  work: 'delta of 10 changes, and a page at 0.9 of the listing, with {large} things',
  against: 'the same with 1,000 things',
  measured: 'µs of CPU per request of the server, 8 clients',
  figures: {
    delta: { title: 'delta of 10 changes', unit: 'x', goal: { is: 'most', limit: 1.2 } },
    hot: { title: 'the same, one of them {repeats} times', unit: 'x', goal: { is: 'most', limit: 1.2 } },
    page: { title: 'page of 100 at 0.9 of the listing', unit: 'x', goal: { is: 'most', limit: 1.5 } },
    hotPage: { title: 'the same, {repeats} changes later', unit: 'x', goal: { is: 'most', limit: 1.5 } },
  },
  open: async (bench) => {
    const { repeats } = bench.sizes
    const small = await bench.openAccount(smallCount)
    const large = await bench.openAccount(bench.sizes.large)
    const hot = await bench.openAccount(bench.sizes.large)
    const smallFrom = await makeChanges(small, 1)
    const largeFrom = await makeChanges(large, 1)
    bench.say(`changing one thing ${repeats} times`)
    const hotFrom = await makeChanges(hot, repeats)

    const measure = (account: OpenAccount, path: string) =>
      measureCpuPerRequest(bench.load, account.pid, {
        ...getJob(account.port, account.token, path),
        connections: 8,
        seconds: bench.rateSeconds,
      })
    const compare = (candidate: number, floor: number) => ({ value: candidate / floor, candidate, floor })
    const round = async () => {
      const smallDelta = await measure(small, `/v1/sync?from=${smallFrom}`)
      const largeDelta = await measure(large, `/v1/sync?from=${largeFrom}`)
      const hotDelta = await measure(hot, `/v1/sync?from=${hotFrom}`)
      const smallPage = await measure(small, pageAt(smallCount))
      const largePage = await measure(large, pageAt(bench.sizes.large))
      const hotPage = await measure(hot, pageAt(bench.sizes.large))
      return {
        delta: compare(largeDelta, smallDelta),
        hot: compare(hotDelta, smallDelta),
        page: compare(largePage, smallPage),
        hotPage: compare(hotPage, smallPage),
      }
    }
    const notes = [
      `${bench.sizes.large.toLocaleString('en')} things; one thing changed ${repeats.toLocaleString('en')} times`,
    ]
    return { round, notes }
  },
}
