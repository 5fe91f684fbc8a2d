import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEventSplitter } from './api.ts'

const event = (data: string, type = 'message', id = '') => ({ kind: 'event', type, id, data })

test('events, comments and fields are read as the standard says', () => {
  const text = [
    '\uFEFF: hello',
    '',
    'data: first',
    'data:second',
    'data',
    '',
    'event: changed',
    'id: 7',
    'retry: 10',
    'unknown: x',
    'data: {"pos": 7}',
    '',
    'event: without data',
    '',
    'data:  two spaces: and colons',
    '',
    'data: never ended',
  ].join('\n')

  expect(createEventSplitter()(text)).toEqual([
    { kind: 'comment' },
    event('first\nsecond\n'),
    event('{"pos": 7}', 'changed', '7'),
    event(' two spaces: and colons', 'message', '7'),
  ])
})

test('an event counts as soon as its empty line is there, whatever ends the lines', () => {
  for (const end of ['\n', '\r\n', '\r']) expect(createEventSplitter()(`data: x${end}${end}`)).toEqual([event('x')])
})

test('wherever the text is cut, the events are the same', () => {
  const end = fc.constantFrom('\n', '\r\n', '\r')
  const line = fc.constantFrom('data: a', 'data:ключ', 'data', ': c', 'event: e', 'id: 1', '', '', 'x', '\uFEFFdata: b')
  const text = fc.array(fc.tuple(line, end)).map((lines) => lines.flat().join(''))

  fc.assert(
    fc.property(text, fc.array(fc.nat(12)), (whole, cuts) => {
      const split = createEventSplitter()
      const events = []
      let rest = whole
      for (const length of cuts) {
        events.push(...split(rest.slice(0, length)))
        rest = rest.slice(length)
      }
      events.push(...split(rest))

      expect(events).toEqual(createEventSplitter()(whole))
    }),
  )
})

test('a line without an end is no event stream', () => {
  const split = createEventSplitter()

  expect(() => {
    for (let index = 0; index < 20; index++) split('x'.repeat(100_000))
  }).toThrow('a line of the stream is too long')
})
