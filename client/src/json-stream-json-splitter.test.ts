import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createJsonSplitter, type IsOpened, type JsonPiece } from './json-stream.ts'

/** Cuts a text at the given offsets, which count modulo its length. */
const cut = (text: string, offsets: readonly number[]): string[] => {
  const sorted = [0, ...offsets.map((offset) => offset % (text.length + 1)), text.length].sort((a, b) => a - b)
  return sorted.slice(1).map((end, index) => text.slice(sorted[index], end))
}

const split = (chunks: readonly string[], isOpened: IsOpened): JsonPiece[] => {
  const splitter = createJsonSplitter(isOpened)
  const pieces = chunks.flatMap((chunk) => splitter.push(chunk))
  return [...pieces, ...splitter.finish()]
}

/** Splits the result of JSON.parse as the splitter should do it. */
const expectedPieces = (value: unknown, isOpened: IsOpened): JsonPiece[] => {
  const walk = (inner: unknown, path: (string | number)[], key: string | number | undefined): JsonPiece[] => {
    const isContainer = typeof inner === 'object' && inner !== null
    if (!isContainer || (key !== undefined && !isOpened(path, key))) return [{ path, key, value: inner }]
    const here = key === undefined ? [] : [...path, key]
    const entries: [string | number, unknown][] = Array.isArray(inner) ? [...inner.entries()] : Object.entries(inner)
    return entries.flatMap(([name, one]) => walk(one, here, name))
  }
  return walk(value, [], undefined)
}

const text = fc
  .tuple(fc.jsonValue({ noUnicodeString: false }), fc.constantFrom(0, 1, '\t', ' \r\n'))
  .map(([value, indent]) => JSON.stringify(value, undefined, indent as string))
const offsets = fc.array(fc.nat(), { maxLength: 40 })
const openings = fc.integer({ min: 1, max: 4 }).map(
  (depth): IsOpened =>
    (path, key) =>
      path.length < depth && key !== 'a',
)

test('any JSON, cut anywhere, gives the result of JSON.parse', () => {
  fc.assert(
    fc.property(text, offsets, openings, (json, at, isOpened) => {
      expect(split(cut(json, at), isOpened)).toEqual(expectedPieces(JSON.parse(json), isOpened))
    }),
    { numRuns: 3000 },
  )
})

test('escapes, surrogates and numbers are whole when every character comes alone', () => {
  const json =
    '{"a\\"\\\\":["\\ud83d\\ude00\\u00e9\\n",-1.5e+10,[],{},"\u{1F600}"],"__proto__":{"x":[null,true,false]}}'

  const pieces = split(json.split(''), () => true)

  expect(pieces).toEqual(expectedPieces(JSON.parse(json), () => true))
})

const isInvalid = (json: string): boolean => {
  try {
    JSON.parse(json)
    return false
  } catch {
    return true
  }
}

test('every text that JSON.parse rejects is rejected, and no other', () => {
  const damaged = fc
    .tuple(
      text,
      fc.nat(),
      fc.constantFrom('', '{', '}', '[', ']', ',', ':', '"', '\\', '1', '-', 'e', ' ', 'true', '\n'),
    )
    .map(([json, at, put]) => {
      const offset = at % (json.length + 1)
      return json.slice(0, offset) + put + json.slice(offset + 1)
    })
  fc.assert(
    fc.property(damaged, offsets, openings, (json, at, isOpened) => {
      if (isInvalid(json)) {
        expect(() => split(cut(json, at), isOpened)).toThrow(expect.objectContaining({ code: 'unexpected_response' }))
      } else expect(split(cut(json, at), isOpened)).toBeInstanceOf(Array)
    }),
    { numRuns: 5000 },
  )
})

test('every beginning of an object is rejected as cut off', () => {
  const json = '{"things":{"changed":[{"_id":"a","title":"\\u00e9"}]},"pos":1}'
  for (let length = 0; length < json.length; length++) {
    expect(() => split([json.slice(0, length)], (path) => path.length < 2)).toThrow('cut off')
  }
})

test('at most one whole value is held in memory', () => {
  const value = JSON.stringify({ title: 'x'.repeat(500) })
  const splitter = createJsonSplitter(() => false)
  let most = 0
  splitter.push('[')
  for (let count = 0; count < 1000; count++) {
    for (const chunk of [value.slice(0, 300), value.slice(300), ',']) {
      splitter.push(chunk)
      most = Math.max(most, splitter.heldCharacters())
    }
  }

  expect(most).toBe(300)
})
