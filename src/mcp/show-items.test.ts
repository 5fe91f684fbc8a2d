import { expect, test } from 'vitest'
import type { ReplicaThing } from '../../client/src/replica-records.ts'
import { createResult, cutText, maxShown, readNote, showItem, showTime } from './show-items.ts'

const item: ReplicaThing = { id: 'a', title: 'one', tags: '', date: 0, archived: false, isPending: false }

test('an item has the words of users: kind, tags as a list, a date, and a note as text', () => {
  const thing = { ...item, tags: ' home  work home ', url: 'https://a.example/', html: '<p>a&amp;b</p><p>c</p>' }

  expect(showItem({ ...thing, todoStatus: true, archived: true, isPending: true })).toEqual({
    id: 'a',
    kind: 'to-do',
    title: 'one',
    url: 'https://a.example/',
    tags: ['home', 'work'],
    created: '1970-01-01T00:00:00.000Z',
    archived: true,
    done: true,
    excerpt: 'a&b c',
    note_length: 22,
    waiting: true,
  })
  expect(showItem(thing).kind).toBe('link')
  expect(showItem(item)).toEqual({
    id: 'a',
    kind: 'note',
    title: 'one',
    tags: [],
    created: '1970-01-01T00:00:00.000Z',
    archived: false,
    note_length: 0,
    waiting: false,
  })
})

test('long parts are cut, and an excerpt is around the first word that was searched', () => {
  const html = `<p>${'before '.repeat(200)}Nééd ${'after '.repeat(200)}</p>`
  const tags = Array.from({ length: 60 }, (_, index) => `t${index}`).join(' ')

  const shown = showItem({ ...item, title: 'x'.repeat(600), url: 'y'.repeat(3_000), tags, html }, ['need'])

  expect(shown.title).toBe(`${'x'.repeat(499)}…`)
  expect(shown.url).toHaveLength(maxShown.url)
  expect(shown.tags).toHaveLength(maxShown.tags)
  expect(shown.excerpt).toMatch(/^…(?:e? ?before )+Nééd (?:after )+/)
  expect(shown.excerpt?.length).toBeLessThanOrEqual(maxShown.excerpt)
  expect(showItem({ ...item, html }, ['missing']).excerpt).toMatch(/^before /)
})

test('a cut never splits a character of two code units', () => {
  expect(cutText('a😀b', 0, 2)).toBe('a')
  expect(cutText('a😀b', 0, 3)).toBe('a😀')
  expect(cutText('a😀b', 2, 2)).toBe('b')
})

test('a date that no calendar has is null', () => {
  expect([1.5, 8.64e12, 8.64e12 + 1, -1e300].map(showTime)).toEqual([
    '1970-01-01T00:00:01.500Z',
    '+275760-09-13T00:00:00.000Z',
    null,
    null,
  ])
})

test('invisible characters are replaced, except line breaks, tabs and parts of emoji', () => {
  const html = '<pre>a\tb\r\nc\u202e\u200b 👩‍🚀</pre>'

  expect(readNote({ ...item, html })).toBe('a\tb\nc?? 👩‍🚀')
  expect(showItem({ ...item, title: 'a\u0007\u{e0041}b\nc' }).title).toBe('a??b c')
})

test('a result has facts outside and saved text inside of marks, which differ each time', () => {
  const { content, structuredContent } = createResult('Found.', { total: 1 }, { items: [{ title: 'x' }], note: 'y\nz' })
  const [{ text = '' } = {}] = content

  const mark = /<(untrusted-[\da-f]{16})>/u.exec(text)?.[1]
  expect(text.split('\n')).toEqual([
    'Found.',
    '{"total":1}',
    structuredContent.notice,
    `<${mark}>`,
    'items:',
    '{"title":"x"}',
    'note:',
    'y',
    'z',
    `</${mark}>`,
  ])
  expect(structuredContent).toEqual({ notice: expect.any(String), total: 1, items: [{ title: 'x' }], note: 'y\nz' })
  expect(createResult('', {}, {}).content[0]?.text).not.toContain(mark)
})
