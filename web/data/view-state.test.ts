import { expect, test } from 'vitest'
import { readAddLine } from './add-line.ts'
import { readSafeUrl } from './urls.ts'
import { readViewState, writeViewState } from './view-state.ts'

test('a view survives writing and reading a query string', () => {
  const views = [
    { screen: 'things', query: '' },
    { screen: 'things', query: '#a&b is:open +' },
    { screen: 'things', query: 'x', thing: 'abc', isEditing: true },
    { screen: 'tags', query: '' },
  ] as const

  expect(views.map((view) => readViewState(writeViewState(view)))).toEqual(views)
  expect(writeViewState(views[0])).toBe('')
})

test('shared text becomes one line to add, once', () => {
  const view = readViewState('?title=A+title&text=https%3A%2F%2Fexample.com%2F&url=https%3A%2F%2Fexample.com%2F')

  expect(view).toEqual({ screen: 'things', query: '', added: 'https://example.com/ A title' })
  expect(writeViewState(view)).toBe('')
})

test('number signs of a shared title stay in the title and create no tags', () => {
  const { added = '' } = readViewState(
    '?title=Issue+%23123+fix+%5C%23x+%23%23y+C%23&url=https%3A%2F%2Fexample.com%2F%23a',
  )

  expect(readAddLine(added)).toEqual({
    title: 'Issue #123 fix \\#x ##y C#',
    tags: '',
    url: 'https://example.com/#a',
  })
})

test('an invalid query string shows the list', () => {
  expect(readViewState('?screen=__proto__&thing=&edit')).toEqual({ screen: 'things', query: '' })
})

test('only http, https, mailto and tel URLs are safe to open', () => {
  const urls = ['https://a.example', 'mailto:a@b.example', 'JavaScript:alert(1)', 'data:text/html,x', 'no URL']

  expect(urls.map((url) => readSafeUrl(url)?.protocol)).toEqual(['https:', 'mailto:', undefined, undefined, undefined])
})

test('the order of the list and hidden done items survive in the URL; the defaults and unknown values are not in it', () => {
  const view = { screen: 'things', query: '#a', list: { sort: 'title', hidesDone: true } } as const

  expect(writeViewState(view)).toBe('?q=%23a&sort=title&done=hidden')
  expect(readViewState(writeViewState(view))).toEqual(view)
  expect(writeViewState({ ...view, list: { sort: 'newest', hidesDone: false } })).toBe('?q=%23a')
  expect(readViewState('?sort=constructor&done=no')).toEqual({ screen: 'things', query: '' })
})
