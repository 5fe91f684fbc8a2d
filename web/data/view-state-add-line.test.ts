import { expect, test } from 'vitest'
import { readAddLine, readSafeUrl } from './view-state.ts'

test('an address, a title and tags are read out of one line in any order', () => {
  const line = '#read  https://example.com/a?b=c#d A  long #read #später read'

  expect(readAddLine(line)).toEqual({
    title: 'A long read',
    tags: 'read später',
    url: 'https://example.com/a?b=c#d',
  })
})

test('an address alone is its own title, and one that begins with www gets a scheme', () => {
  expect(readAddLine('www.example.com/x')).toEqual({
    title: 'https://www.example.com/x',
    tags: '',
    url: 'https://www.example.com/x',
  })
})

test('number signs that begin no tag stay in the title', () => {
  expect(readAddLine('C# and # and ## and \\#1')).toEqual({ title: 'C# and # and ## and #1', tags: '' })
})

test('a second address stays in the title, and an address that runs a script is text', () => {
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

test('only addresses of pages, mail and telephones may be opened', () => {
  const addresses = ['https://a.example', 'mailto:a@b.example', 'JavaScript:alert(1)', 'data:text/html,x', 'no address']

  expect(addresses.map((address) => readSafeUrl(address)?.protocol)).toEqual([
    'https:',
    'mailto:',
    undefined,
    undefined,
    undefined,
  ])
})
