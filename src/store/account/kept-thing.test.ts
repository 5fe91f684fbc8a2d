import { expect, test } from 'vitest'
import { createThingScanner, type KeptThing } from './kept-thing.ts'

const thing = {
  id: 'id 1',
  title: 'Gr\u00fc\u00dfe "and"\n\\more\\',
  tags: 'red "blue"',
  date: -1_700_000_000,
  url: 'https://example.org/\t',
  html: '<p>😀</p>',
  archived: true,
  todoStatus: false,
  position: 123_456_789_012_345,
  createdPosition: 7,
  writer: 'a session',
  othersPosition: 0,
}
const scan = createThingScanner()
const scanJson = (json: string) => scan(Buffer.from(json), 0)

const read = (kept: KeptThing) => {
  const text = (start: number, end: number): unknown =>
    end === 0 ? '' : JSON.parse(kept.bytes.toString('utf8', start, end))
  const { archived, todoStatus, position, createdPosition, othersPosition } = kept
  return {
    ...JSON.parse(`${kept.bytes.toString('utf8', kept.start, kept.contentEnd)}}`),
    id: text(kept.idStart, kept.idEnd),
    tags: text(kept.tagsStart, kept.tagsEnd),
    ...(kept.urlEnd === 0 ? {} : { url: text(kept.urlStart, kept.urlEnd) }),
    archived,
    todoStatus,
    position,
    createdPosition,
    writer: text(kept.writerStart, kept.writerEnd),
    othersPosition,
  }
}

test('the parts of a thing are found, with what may be missing or not', () => {
  const { url, html, ...bare } = thing
  for (const kept of [thing, { ...thing, html: undefined }, { ...thing, url: undefined }, bare]) {
    const found = scanJson(JSON.stringify(kept))
    expect(found && read(found)).toEqual(JSON.parse(JSON.stringify(kept)))
  }
  expect([url, html]).toHaveLength(2)
})

test.each([
  ['another order of keys', JSON.stringify(Object.fromEntries(Object.entries(thing).reverse()))],
  ['a space', JSON.stringify(thing).replace(',"title"', ', "title"')],
  ['an escape that JSON.stringify does not write', JSON.stringify(thing).replace('id 1', 'id\\u00201')],
  ['a slash with a backslash', JSON.stringify(thing).replace('example.org/', 'example.org\\/')],
  ['a line break inside a text', JSON.stringify(thing).replace('\\n', '\n')],
  ['an empty url', JSON.stringify({ ...thing, url: '' })],
  ['an empty html', JSON.stringify({ ...thing, html: '' })],
  ['a number with an exponent', JSON.stringify({ ...thing, date: 1e25 })],
  ['a number with a fraction', JSON.stringify({ ...thing, date: 1.5 })],
  ['a number that is too long', JSON.stringify(thing).replace('345,', '3456,')],
  ['a zero too many', JSON.stringify(thing).replace('"createdPosition":7', '"createdPosition":07')],
  ['a negative zero', JSON.stringify(thing).replace('-1700000000', '-0')],
  ['a flag that is none', JSON.stringify({ ...thing, archived: 1 })],
  ['a key too many', JSON.stringify({ ...thing, more: 1 })],
  ['a key too few', JSON.stringify({ ...thing, writer: undefined })],
])('a thing with %s is left to JSON.parse', (_, json) => {
  expect(scanJson(json)).toBeUndefined()
})

test('a thing with one other byte is left to JSON.parse, or is what JSON.parse makes of it', () => {
  const json = Buffer.from(JSON.stringify(thing))
  let taken = 0

  for (let at = 0; at < json.length; at += 1)
    for (const byte of Buffer.from('"\\{}[],:0-9ax \n')) {
      const changed = Buffer.from(json)
      changed[at] = byte
      const found = scan(changed, 0)
      if (found === undefined) continue
      expect(read(found)).toEqual(JSON.parse(changed.toString()))
      taken += 1
    }

  expect(taken).toBeGreaterThan(100)
})

test('a thing that is cut anywhere is none', () => {
  const json = Buffer.from(JSON.stringify(thing))

  const found = Array.from(json, (_, end) => scan(json.subarray(0, end), 0))

  expect(new Set(found)).toEqual(new Set([undefined]))
})
