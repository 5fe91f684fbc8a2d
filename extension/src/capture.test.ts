import { expect, test } from 'vitest'
import type { ReplicaThing } from '../../client/src/index.ts'
import {
  captureMenu,
  captureTab,
  completeTag,
  isEmptyCapture,
  readServerUrl,
  suggestNextTags,
  toAddedFields,
  toChangedFields,
  toNewFields,
} from './capture.ts'

const item: ReplicaThing = {
  id: '1',
  title: 'A page',
  url: 'https://a.example/',
  tags: 'one two',
  date: 1,
  archived: false,
  html: '<p>old</p>',
  isPending: false,
}
const capture = { title: 'A page', url: 'https://a.example/', tags: 'one two', note: '' }

test.each([
  [' HTTPS://A.example ', 'https://a.example/'],
  ['https://a.example/#part', 'https://a.example/#part'],
  ['https://a.example/#:~:text=some%20words', 'https://a.example/'],
  ['https://a.example/#part:~:text=words', 'https://a.example/#part'],
  ['no url', 'no url'],
])('%s is stored as %s', (url, stored) => {
  expect(toNewFields({ ...capture, url })).toMatchObject({ url: stored })
})

test('pages that only this browser can open become an empty note', () => {
  expect(captureTab({ title: 'New tab', url: 'chrome://newtab/' })).toEqual({ title: '', url: '', tags: '', note: '' })
  expect(captureTab({ url: 'https://a.example/some-words' })).toMatchObject({ title: 'a.example – some words' })
})

test('the context menu captures pages, links and selections', () => {
  const tab = { title: 'Page', url: 'https://a.example/' }

  expect(captureMenu({ menuItemId: 'page' }, tab)).toEqual({ ...capture, title: 'Page', tags: '', quote: '' })
  expect(captureMenu({ menuItemId: 'link', linkUrl: 'https://b.example/one-two' }, tab)).toMatchObject({
    title: 'b.example – one two',
    url: 'https://b.example/one-two',
  })
  expect(captureMenu({ menuItemId: 'link', linkUrl: 'https://b.example/', linkText: ' B ' }, tab)?.title).toBe('B')
  expect(captureMenu({ menuItemId: 'link', linkUrl: 'javascript:alert(1)' }, tab)).toBeUndefined()
  expect(captureMenu({ menuItemId: 'page', pageUrl: 'about:config' })).toBeUndefined()
  expect(captureMenu({ menuItemId: 'selection', selectionText: ' words ' }, tab)).toMatchObject({
    title: 'Page',
    url: 'https://a.example/',
    quote: 'words',
  })
  expect(captureMenu({ menuItemId: 'selection', selectionText: 'in a file', pageUrl: 'file:///x' })).toMatchObject({
    title: 'in a file',
    url: '',
  })
})

test('a new item gets what was typed, and a title in every case', () => {
  expect(toNewFields({ ...capture, title: ' ', tags: '#a, b a', note: 'n' }, 'q')).toEqual({
    title: 'a.example',
    url: 'https://a.example/',
    tags: 'a b',
    html: '<blockquote><p>q</p></blockquote><p>n</p>',
  })
  expect(toNewFields({ title: '', url: '', tags: '', note: 'first line\nsecond' })).toEqual({
    title: 'first line',
    tags: '',
    html: '<p>first line<br>second</p>',
  })
})

test('an edited item changes only where the user changed it, and its note grows', () => {
  expect(toChangedFields(item, capture)).toEqual({})
  expect(toChangedFields(item, { title: 'New', url: 'https://b.example', tags: '', note: 'more' })).toEqual({
    title: 'New',
    url: 'https://b.example/',
    tags: '',
    html: '<p>old</p><p>more</p>',
  })
})

test('a page that is saved again keeps its title, gets the further tags, and leaves the archive', () => {
  expect(toAddedFields(item, { ...capture, title: 'Other', tags: 'two' })).toEqual({})
  expect(toAddedFields({ ...item, archived: true }, { ...capture, tags: 'three' }, 'q')).toEqual({
    tags: 'one two three',
    archived: false,
    html: '<p>old</p><blockquote><p>q</p></blockquote>',
  })
})

test.each([
  ['things.example', 'https://things.example/', 'https://things.example/*'],
  [' https://things.example:8443/mine/v1/ ', 'https://things.example:8443/mine/', 'https://things.example/*'],
  ['localhost:8484', 'http://localhost:8484/', 'http://localhost/*'],
  ['http://127.0.0.1:8484/v1', 'http://127.0.0.1:8484/', 'http://127.0.0.1/*'],
])('%s is the server %s', (typed, home, origin) => {
  expect(readServerUrl(typed)).toEqual({ isValid: true, home, baseUrl: `${home}v1/`, origins: [origin] })
})

test.each([
  ['  ', 'url_empty'],
  ['http://things.example', 'url_insecure'],
  ['http://localhost.evil.example', 'url_insecure'],
  ['ftp://things.example', 'url_invalid'],
  ['https://anna:secret@things.example', 'url_invalid'],
  ['https://', 'url_invalid'],
  ['two words', 'url_invalid'],
])('%s is rejected with %s', (typed, code) => {
  expect(readServerUrl(typed)).toEqual({ isValid: false, code })
})

test('tags are suggested for the begun word, the most used first, and each once', () => {
  const known = ['news', 'reading', 'new', 'renew', 'home']

  expect(suggestNextTags('', known, 3)).toEqual(['news', 'reading', 'new'])
  expect(suggestNextTags('home #ne', known, 6)).toEqual(['news', 'new', 'renew'])
  expect(suggestNextTags('news home ', known, 6)).toEqual(['reading', 'new', 'renew'])
  expect(completeTag('home #ne', 'news')).toBe('home news ')
})

test('only a capture without title, URL and note is empty', () => {
  expect(isEmptyCapture({ title: ' ', url: '', tags: 'a', note: '\n' })).toBe(true)
  expect(isEmptyCapture({ title: '', url: '', tags: '', note: 'a' })).toBe(false)
})
