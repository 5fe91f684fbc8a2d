import { expect, test } from 'vitest'
import { createThingScanner, type EncodedThing } from './encoded-thing.ts'

const thing = {
  _id: 'id 1',
  title: 'Gr\u00fc\u00dfe "and"\n\\more\\',
  tags: 'red "blue"',
  date: -1_700_000_000,
  url: 'https://example.org/\t',
  html: '<p>😀</p>',
  archived: true,
  todoStatus: false,
}
const step = { thing, at: [123_456_789_012_345, 7, 0], by: 'a session' }
const scan = createThingScanner()
const start = '{"thing":'.length
const scanJson = (json: string) => scan(Buffer.from(json), start)
const change = (changes: object) => JSON.stringify({ ...step, thing: { ...thing, ...changes } })

const read = (kept: EncodedThing) => {
  const text = (from: number, to: number): unknown =>
    to === 0 ? '' : JSON.parse(kept.bytes.toString('utf8', from, to))
  const { archived, todoStatus, hasTodoStatus } = kept
  return {
    thing: {
      ...JSON.parse(`${kept.bytes.toString('utf8', kept.start, kept.contentEnd)}}`),
      _id: text(kept.idStart, kept.idEnd),
      tags: text(kept.tagsStart, kept.tagsEnd),
      ...(kept.urlEnd === 0 ? {} : { url: text(kept.urlStart, kept.urlEnd) }),
      ...(archived ? { archived } : {}),
      ...(hasTodoStatus ? { todoStatus } : {}),
    },
    at: [kept.position, kept.createdPosition, kept.othersPosition],
    by: text(kept.writerStart, kept.writerEnd),
    ...(todoStatus && !hasTodoStatus ? { todoStatus } : {}),
  }
}

test('the parts of a thing are found, with and without optional parts', () => {
  const missing = ['url', 'html', 'archived', 'todoStatus']
  for (let some = 0; some < 1 << missing.length; some += 1) {
    const without = Object.fromEntries(missing.filter((_, bit) => some & (1 << bit)).map((name) => [name, undefined]))
    const json = change(without)
    const found = scanJson(json)
    expect(found && read(found)).toEqual(JSON.parse(json))
  }
  const hidden = { thing: { ...thing, todoStatus: undefined }, at: step.at, by: step.by, todoStatus: true }
  const found = scanJson(JSON.stringify(hidden))
  expect(found && read(found)).toEqual(JSON.parse(JSON.stringify(hidden)))
})

test.each([1e25, 1.5, -0.5, 5e-324, -1.7976931348623157e308, 123456789012345680000, 0, 100, 1e21])(
  'the number %s is accepted',
  (date) => {
    const found = scanJson(change({ date, title: '\u0000\u001f\ud800' }))
    expect(found && read(found)).toEqual(JSON.parse(change({ date, title: '\u0000\u001f\ud800' })))
  },
)

test.each([
  ['another order of keys', JSON.stringify({ ...step, thing: Object.fromEntries(Object.entries(thing).reverse()) })],
  ['a space', JSON.stringify(step).replace(',"title"', ', "title"')],
  ['an escape that JSON.stringify does not write', JSON.stringify(step).replace('id 1', 'id\\u00201')],
  ['a slash with a backslash', JSON.stringify(step).replace('example.org/', 'example.org\\/')],
  ['a line break inside a text', JSON.stringify(step).replace('\\n', '\n')],
  ['an empty url', change({ url: '' })],
  ['an empty html', change({ html: '' })],
  ['a number with a zero behind its fraction', JSON.stringify(step).replace('-1700000000', '1.50')],
  ['a number that ends in a dot', JSON.stringify(step).replace('-1700000000', '1.')],
  ['a position that is too long', JSON.stringify(step).replace('345,', '3456,')],
  ['a zero too many', JSON.stringify(step).replace(',7,', ',07,')],
  ['a negative zero', JSON.stringify(step).replace('-1700000000', '-0')],
  ['a flag that is none', change({ archived: 1 })],
  ['a key too many', JSON.stringify({ ...step, more: 1 })],
  ['a key too few', JSON.stringify({ ...step, by: undefined })],
  ['its todoStatus twice', JSON.stringify({ ...step, todoStatus: true })],
])('a thing with %s is left to JSON.parse', (_, json) => {
  expect(scanJson(json)).toBeUndefined()
})

test('a thing with one changed byte is left to JSON.parse, or equals its result', () => {
  const json = Buffer.from(JSON.stringify(step))
  let taken = 0

  for (let at = start; at < json.length; at += 1)
    for (const byte of Buffer.from('"\\{}[],:0-9ax \n')) {
      const changed = Buffer.from(json)
      changed[at] = byte
      const found = scan(changed, start)
      if (found === undefined) continue
      expect(read(found)).toEqual(JSON.parse(changed.toString()))
      taken += 1
    }

  expect(taken).toBeGreaterThan(100)
})

test('a thing that is cut anywhere is rejected', () => {
  const json = Buffer.from(JSON.stringify(step))

  const found = Array.from(json, (_, end) => scan(json.subarray(0, end), start))

  expect(new Set(found)).toEqual(new Set([undefined]))
})
