import { expect, test } from 'vitest'
import { planAdding, readAddLine, readPastedLines, splitPasted } from './add-line.ts'

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

/** Returns the parts of a line as [title, tags, url]. */
const read = (line: string) => {
  const { title, tags, url } = readAddLine(line) ?? { title: undefined, tags: '', url: undefined }
  return [title, tags, url].filter((part, index) => index < 2 || part !== undefined)
}

test.each([
  ['Milk #home, #shop', ['Milk', 'home shop']],
  ['Milk #home,#shop; #work.', ['Milk', 'home shop work']],
  ['Milk #home#shop', ['Milk', 'home shop']],
  ['Milk, #home', ['Milk', 'home']],
  ['Milk (#home)', ['Milk', 'home']],
  ['Milk #home/kitchen/', ['Milk', 'home/kitchen']],
  ['Learn #C++ and #C#', ['Learn and', 'C++ C#']],
  ['Party #🎉 #日本語', ['Party', '🎉 日本語']],
])('punctuation around tags is no part of them: %s', (line, expected) => {
  expect(read(line)).toEqual(expected)
})

test.each([
  'We are #1 today',
  '#1',
  'fix issue #12, then #13.',
  'C# is nice',
  'v1.2.3 is out',
  'read index.html and main.rs and README.md',
  'and so on...',
  '... well',
  'mail bob@example.org or mailto:bob@example.org',
  'e.g. this, i.e. that, z.B. dies',
  'ASP.NET and Node.js',
  'Buy milk.Then eggs',
  'at 10.30 pay 1.000,50',
  'ratio 3:4 and a.b',
  'version 1.2.3.4',
  'localhost is here',
  'main.rs:12 fails',
])('a line without tags and links stays a title: %s', (line) => {
  expect(readAddLine(line)).toEqual({ title: line, tags: '' })
})

test.each([
  ['https://example.org/a, worth reading', ['worth reading', '', 'https://example.org/a']],
  ['https://example.org/a - worth reading', ['worth reading', '', 'https://example.org/a']],
  ['Worth reading: https://example.org/a.', ['Worth reading:', '', 'https://example.org/a']],
  ['"https://example.org/a" he said', ['he said', '', 'https://example.org/a']],
  ['<https://example.org/a>', ['https://example.org/a', '', 'https://example.org/a']],
  ['Look (https://example.org/a)', ['Look', '', 'https://example.org/a']],
  [
    'https://en.example.org/wiki/Foo_(bar)',
    ['https://en.example.org/wiki/Foo_(bar)', '', 'https://en.example.org/wiki/Foo_(bar)'],
  ],
  ['[A page](https://example.org/a) #read', ['A page', 'read', 'https://example.org/a']],
  ['github.com/x/y', ['https://github.com/x/y', '', 'https://github.com/x/y']],
  ['medium.com/@x, good', ['good', '', 'https://medium.com/@x']],
  ['docs.rs/tokio', ['https://docs.rs/tokio', '', 'https://docs.rs/tokio']],
  ['example.org', ['https://example.org', '', 'https://example.org']],
  ['example.org, worth it', ['worth it', '', 'https://example.org']],
  ['Renew example.org soon', ['Renew example.org soon', '', 'https://example.org']],
  ['localhost:3000', ['http://localhost:3000', '', 'http://localhost:3000']],
  ['router 192.168.1.1/admin', ['router', '', 'http://192.168.1.1/admin']],
  ['müller.de/a', ['https://müller.de/a', '', 'https://müller.de/a']],
  ['пример.рф', ['https://пример.рф', '', 'https://пример.рф']],
  ['http://[broken', ['http://[broken', '']],
])('a link loses the punctuation around it: %s', (line, expected) => {
  expect(read(line)).toEqual(expected)
})

test('a checkbox at the beginning makes a to-do', () => {
  expect(['[] milk', '[ ] milk', '- [ ] milk #shop', '[x] milk', '[y] milk', '[]milk'].map(readAddLine)).toEqual([
    { title: 'milk', tags: '', todo: 'open' },
    { title: 'milk', tags: '', todo: 'open' },
    { title: 'milk', tags: 'shop', todo: 'open' },
    { title: 'milk', tags: '', todo: 'done' },
    { title: '[y] milk', tags: '' },
    { title: '[]milk', tags: '' },
  ])
  expect(readAddLine('[ ]')).toBe(undefined)
})

test('each pasted line is an item, without bullets, and nothing is lost', () => {
  const lines = splitPasted('- one #a\r\n\n  * https://two.example/ \n3. third line\n- [ ] todo\n#only')

  expect(lines).toEqual(['one #a', 'https://two.example/', 'third line', '[ ] todo', '#only'])
  expect(readPastedLines(lines)).toEqual([
    { title: 'one', tags: 'a' },
    { title: 'https://two.example/', tags: '', url: 'https://two.example/' },
    { title: 'third line', tags: '' },
    { title: 'todo', tags: '', todo: 'open' },
    { title: '#only', tags: '' },
  ])
})

test('the first checkbox makes `todo` a to-do tag, and later ones take the to-do tag of the account', () => {
  const lines = readPastedLines(['[] milk #shop', '[x] bread', 'book'])
  const task = { favorite: false, color: false, todo: 'dont-strike' } as const

  expect(planAdding(lines, new Map(), new Map())).toEqual([
    { kind: 'tag', name: 'todo', change: { todo: 'strike' } },
    { kind: 'create', fields: { title: 'milk', tags: 'shop todo' } },
    { kind: 'create', fields: { title: 'bread', tags: 'todo', todoStatus: true } },
    { kind: 'create', fields: { title: 'book', tags: '' } },
  ])
  expect(planAdding(lines.slice(0, 1), new Map([['task', task]]), new Map())).toEqual([
    { kind: 'create', fields: { title: 'milk', tags: 'shop task' } },
  ])
  expect(planAdding(readPastedLines(['[] milk #task']), new Map([['task', task]]), new Map())).toEqual([
    { kind: 'create', fields: { title: 'milk', tags: 'task' } },
  ])
})
