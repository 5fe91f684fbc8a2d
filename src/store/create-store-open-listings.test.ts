import { expect, test } from 'vitest'
import { createOpenListings } from './create-store.ts'
import { pagedDownloadSeconds } from './store.ts'

const createListing = (position: number) => ({
  position,
  after: 0,
  omit: new Set<string>(),
  missingIds: new Set<string>(),
})

test('a session that opens many listings loses its oldest ones, and no listing of another session', () => {
  const listings = createOpenListings(() => 0)
  listings.remember('ann', 'laptop', 'one', createListing(1))

  for (let n = 0; n < 50_000; n += 1) listings.remember('ann', 'phone', `${n}`, createListing(n))

  expect(listings.find('ann', 'laptop', 'one')).toEqual(createListing(1))
  expect(listings.find('ann', 'phone', '49999')).toEqual(createListing(49_999))
  expect(listings.find('ann', 'phone', '0')).toBeUndefined()
})

test('the lowest position is the lowest of the open listings of one user', () => {
  let now = 0
  const listings = createOpenListings(() => now)
  listings.remember('ann', 'phone', 'one', createListing(3))
  now += 1000
  listings.remember('ann', 'laptop', 'one', createListing(5))
  listings.remember('anna', 'phone', 'one', createListing(1))

  expect(listings.lowestPosition('ann')).toBe(3)
  expect(listings.lowestPosition('bob')).toBeUndefined()
  now = pagedDownloadSeconds * 1000
  expect(listings.lowestPosition('ann')).toBe(5)
})

test('of too many sessions, the longest idle ones are dropped', () => {
  const listings = createOpenListings(() => 0)

  for (let n = 0; n < 10_001; n += 1) listings.remember('ann', `${n}`, 'one', createListing(n))

  expect(listings.find('ann', '0', 'one')).toBeUndefined()
  expect(listings.find('ann', '1', 'one')).toEqual(createListing(1))
})

test('expired listings are freed, and the other listings stay', () => {
  let elapsedMs = 0
  const listings = createOpenListings(() => elapsedMs)
  listings.remember('ann', 'phone', 'one', createListing(1))
  elapsedMs = 1000
  listings.remember('ann', 'phone', 'two', createListing(2))
  listings.remember('bob', 'phone', 'one', createListing(3))

  elapsedMs = pagedDownloadSeconds * 1000
  listings.dropExpired()

  // As if no time had passed: a listing that is found is still in memory.
  elapsedMs = 0
  expect(listings.find('ann', 'phone', 'one')).toBeUndefined()
  expect(listings.find('ann', 'phone', 'two')).toEqual(createListing(2))
  expect(listings.find('bob', 'phone', 'one')).toEqual(createListing(3))
  expect([listings.lowestPosition('ann'), listings.lowestPosition('bob')]).toEqual([2, 3])
})

test('the listings of a removed user are dropped', () => {
  const listings = createOpenListings(() => 0)
  listings.remember('ann', 'phone', 'one', createListing(1))
  listings.remember('anna', 'phone', 'one', createListing(2))

  listings.forget('ann')

  expect(listings.find('ann', 'phone', 'one')).toBeUndefined()
  expect(listings.lowestPosition('ann')).toBeUndefined()
  expect(listings.find('anna', 'phone', 'one')).toEqual(createListing(2))
})
