import { expect, test } from 'vitest'
import { createSharedText } from '../../test/support/web/shared-texts.ts'
import { maxSavedSearches, openSavedSearches } from './shared-texts.ts'

test('saved searches are there again at the next visit, in the order of saving', () => {
  const text = createSharedText()
  const searches = openSavedSearches(text)
  searches.save({ name: 'Shopping', query: ' #shop   is:open ' })
  searches.save({ name: ' ', query: '#read' })

  expect(openSavedSearches(text).all.read()).toEqual([
    { name: 'Shopping', query: '#shop is:open' },
    { name: '#read', query: '#read' },
  ])
})

test('saving the same query again replaces its name, and a removed search is gone', () => {
  const text = createSharedText()
  const searches = openSavedSearches(text)
  searches.save({ name: 'Old', query: '#a' })
  searches.save({ name: 'Other', query: '#b' })
  searches.save({ name: 'New', query: '#a' })
  searches.remove('#b')

  expect(searches.all.read()).toEqual([{ name: 'New', query: '#a' }])
  searches.remove('#a')
  expect(text.read()).toBe('')
})

test('the oldest searches make room, and other data in the text is ignored', () => {
  const searches = openSavedSearches(createSharedText('[1,{"name":"x"},{"name":"Kept","query":"#kept"}]'))
  expect(searches.all.read()).toEqual([{ name: 'Kept', query: '#kept' }])
  for (let number = 0; number < maxSavedSearches; number++) searches.save({ name: '', query: `#${number}` })

  expect(searches.all.read()).toHaveLength(maxSavedSearches)
  expect(searches.all.read()[0]?.query).toBe('#0')
})
