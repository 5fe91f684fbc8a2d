import { expect, test } from 'vitest'
import { createOpenListings } from './create-store.ts'
import { pagedDownloadSeconds } from './store.ts'

const makeListing = (position: number) => ({
  position,
  after: 0,
  omit: new Set<string>(),
  missingIds: new Set<string>(),
})

test('a session that opens many listings loses its oldest ones, and no listing of another session', () => {
  const listings = createOpenListings(() => 0)
  listings.remember('ann', 'laptop', 'one', makeListing(1))

  for (let n = 0; n < 50_000; n += 1) listings.remember('ann', 'phone', `${n}`, makeListing(n))

  expect(listings.find('ann', 'laptop', 'one')).toEqual(makeListing(1))
  expect(listings.find('ann', 'phone', '49999')).toEqual(makeListing(49_999))
  expect(listings.find('ann', 'phone', '0')).toBeUndefined()
})

test('the lowest position is the lowest of the open listings of one user', () => {
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

test('of too many sessions, the longest idle ones are dropped', () => {
  const listings = createOpenListings(() => 0)

  for (let n = 0; n < 10_001; n += 1) listings.remember('ann', `${n}`, 'one', makeListing(n))

  expect(listings.find('ann', '0', 'one')).toBeUndefined()
  expect(listings.find('ann', '1', 'one')).toEqual(makeListing(1))
})

test('expired listings are freed, and the other listings stay', () => {
  let elapsedMs = 0
  const listings = createOpenListings(() => elapsedMs)
  listings.remember('ann', 'phone', 'one', makeListing(1))
  elapsedMs = 1000
  listings.remember('ann', 'phone', 'two', makeListing(2))
  listings.remember('bob', 'phone', 'one', makeListing(3))

  elapsedMs = pagedDownloadSeconds * 1000
  listings.dropExpired()

  // As if no time had passed: a listing that is found is still in memory.
  elapsedMs = 0
  expect(listings.find('ann', 'phone', 'one')).toBeUndefined()
  expect(listings.find('ann', 'phone', 'two')).toEqual(makeListing(2))
  expect(listings.find('bob', 'phone', 'one')).toEqual(makeListing(3))
  expect([listings.lowestPosition('ann'), listings.lowestPosition('bob')]).toEqual([2, 3])
})

test('the listings of a removed user are dropped', () => {
  const listings = createOpenListings(() => 0)
  listings.remember('ann', 'phone', 'one', makeListing(1))
  listings.remember('anna', 'phone', 'one', makeListing(2))

  listings.forget('ann')

  expect(listings.find('ann', 'phone', 'one')).toBeUndefined()
  expect(listings.lowestPosition('ann')).toBeUndefined()
  expect(listings.find('anna', 'phone', 'one')).toEqual(makeListing(2))
})
