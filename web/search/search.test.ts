import { expect, test } from 'vitest'
import { createInProcessSearch } from '../../test/support/web/search-here.ts'

const things = Array.from({ length: 2_000 }, (_, number) => ({
  number,
  id: `${number}`,
  title: `thing ${number}`,
  tags: '',
  date: number,
  archived: false,
  isPending: false,
}))

/** Creates a search that takes a second for a few hundred items. */
const createSlowSearch = () => {
  let time = 0
  return createInProcessSearch(() => (time += 1_000))
}

test('a search that the next one ends is partial, and the next one is complete', async () => {
  const search = createSlowSearch()
  search.put(things)

  const [first, second] = await Promise.all([search.search('thing'), search.search('thing 47 -471')])

  expect([first.isWhole, first.found.length < things.length]).toEqual([false, true])
  expect(second.isWhole).toBe(true)
  expect([...second.found]).toEqual(expect.arrayContaining([1_947, 470, 47]))
})

test('a partial result comes first, then the whole result', async () => {
  const search = createSlowSearch()
  search.put(things)
  const parts: number[] = []

  const { found, isWhole } = await search.search('thing', (part) => parts.push(part.length))

  expect([isWhole, found.length, parts.length]).toEqual([true, things.length, 1])
  expect(parts[0]).toBeLessThan(things.length)
})
