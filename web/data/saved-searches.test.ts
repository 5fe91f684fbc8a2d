import { expect, test } from 'vitest'
import { maxSavedSearches, openSavedSearches } from './saved-searches.ts'

const createDraft = (text = '') => {
  let current = text
  return {
    read: () => current,
    write: (next: string) => {
      current = next
      return true
    },
  }
}

test('saved searches are there again at the next visit, in the order of saving', () => {
  const draft = createDraft()
  const searches = openSavedSearches(draft)
  searches.save({ name: 'Shopping', query: ' #shop   is:open ' })
  searches.save({ name: ' ', query: '#read' })

  expect(openSavedSearches(draft).all.read()).toEqual([
    { name: 'Shopping', query: '#shop is:open' },
    { name: '#read', query: '#read' },
  ])
})

test('saving the same query again replaces its name, and a removed search is gone', () => {
  const draft = createDraft()
  const searches = openSavedSearches(draft)
  searches.save({ name: 'Old', query: '#a' })
  searches.save({ name: 'Other', query: '#b' })
  searches.save({ name: 'New', query: '#a' })
  searches.remove('#b')

  expect(searches.all.read()).toEqual([{ name: 'New', query: '#a' }])
  searches.remove('#a')
  expect(draft.read()).toBe('')
})

test('the oldest searches make room, and other data in the draft is ignored', () => {
  const searches = openSavedSearches(createDraft('[1,{"name":"x"},{"name":"Kept","query":"#kept"}]'))
  expect(searches.all.read()).toEqual([{ name: 'Kept', query: '#kept' }])
  for (let number = 0; number < maxSavedSearches; number++) searches.save({ name: '', query: `#${number}` })

  expect(searches.all.read()).toHaveLength(maxSavedSearches)
  expect(searches.all.read()[0]?.query).toBe('#0')
})
