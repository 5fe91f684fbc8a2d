import { expect, test } from 'vitest'
import { readAddLine, readSafeUrl } from './view-state.ts'

test('a line has a URL, a title and tags in any order', () => {
  const line = '#read  https://example.com/a?b=c#d A  long #read #später read'

  expect(readAddLine(line)).toEqual({
    title: 'A long read',
    tags: 'read später',
    url: 'https://example.com/a?b=c#d',
  })
})

test('a URL alone is its own title, and a URL that begins with www gets a scheme', () => {
  expect(readAddLine('www.example.com/x')).toEqual({
    title: 'https://www.example.com/x',
    tags: '',
    url: 'https://www.example.com/x',
  })
})

test('number signs that begin no tag stay in the title', () => {
  expect(readAddLine('C# and # and ## and \\#1')).toEqual({ title: 'C# and # and ## and #1', tags: '' })
})

test('a second URL stays in the title, and a javascript: URL is text', () => {
  expect(readAddLine('https://a.example/ https://b.example/')).toEqual({
    title: 'https://b.example/',
    tags: '',
    url: 'https://a.example/',
  })
  expect(readAddLine('javascript:alert(1)')).toEqual({ title: 'javascript:alert(1)', tags: '' })
})

test('a line without a title adds nothing', () => {
  expect([readAddLine(''), readAddLine(' \n'), readAddLine('#only #tags')]).toEqual([undefined, undefined, undefined])
})

test('only http, https, mailto and tel URLs are safe to open', () => {
  const urls = ['https://a.example', 'mailto:a@b.example', 'JavaScript:alert(1)', 'data:text/html,x', 'no URL']

  expect(urls.map((url) => readSafeUrl(url)?.protocol)).toEqual(['https:', 'mailto:', undefined, undefined, undefined])
})
