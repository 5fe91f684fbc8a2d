import { expect, test } from 'vitest'
import { createOpenListings } from './open-listings.ts'
import { pagedDownloadSeconds } from './store.ts'

const makeListing = (position: number) => ({ position, after: 0, omit: new Set<string>(), goneIds: new Set<string>() })

test('a session that opens listing after listing loses its oldest ones, and no other session loses any', () => {
  const listings = createOpenListings(() => 0)
  listings.remember('ann', 'laptop', 'one', makeListing(1))

  for (let n = 0; n < 50_000; n += 1) listings.remember('ann', 'phone', `${n}`, makeListing(n))

  expect(listings.find('ann', 'laptop', 'one')).toEqual(makeListing(1))
  expect(listings.find('ann', 'phone', '49999')).toEqual(makeListing(49_999))
  expect(listings.find('ann', 'phone', '0')).toBeUndefined()
})

test('the lowest position is that of the listings of one user that are still open', () => {
  let now = 0
  const listings = createOpenListings(() => now)
  listings.remember('ann', 'phone', 'one', makeListing(3))
  now += 1000
  listings.remember('ann', 'laptop', 'one', makeListing(5))
  listings.remember('anna', 'phone', 'one', makeListing(1))

  expect(listings.lowestPosition('ann')).toBe(3)
  expect(listings.lowestPosition('bob')).toBeUndefined()
  now = pagedDownloadSeconds * 1000
  expect(listings.lowestPosition('ann')).toBe(5)
})

test('of too many sessions those that were longest idle are forgotten', () => {
  const listings = createOpenListings(() => 0)

  for (let n = 0; n < 10_001; n += 1) listings.remember('ann', `${n}`, 'one', makeListing(n))

  expect(listings.find('ann', '0', 'one')).toBeUndefined()
  expect(listings.find('ann', '1', 'one')).toEqual(makeListing(1))
})
