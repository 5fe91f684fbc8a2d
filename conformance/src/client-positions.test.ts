import { expect, test } from 'vitest'
import { createPositions } from './client.ts'

test('positions that fit stay, and others are written back as they came', () => {
  const positions = createPositions()
  const read = (pos: string) =>
    JSON.parse(
      positions.normalizeResponse(
        `{"pos": ${pos}, "things": {"changed": [{"title": "\\"pos\\": 99999999999999999999"}]}}`,
      ),
    ).pos

  const seen = ['41', '9007199254740991', '9007199254740993', '9007199254740994', '18446744073709551615'].map(read)

  expect(seen[0]).toBe(41)
  expect(seen).toEqual([...seen].sort((a, b) => a - b))
  expect(new Set(seen).size).toBe(5)
  const wire = seen.map((pos) => positions.restorePairs([['from', String(pos)]])[0]?.[1])
  expect(wire).toEqual(['41', '9007199254740991', '9007199254740993', '9007199254740994', '18446744073709551615'])
  expect(positions.restoreJson(`{"from":${seen[2]}}`)).toBe('{"from":9007199254740993}')
})

test('decimals that a number would round are kept', () => {
  const positions = createPositions()
  const text = '1795312345.123456789'
  const { pos } = JSON.parse(positions.normalizeResponse(`{"pos":${text}}`))

  expect(positions.restorePairs([['from', String(pos)]])).toEqual([['from', text]])
})

test('positions stay in order when they cross 2^53 during a run, or when only some have many decimals', () => {
  for (const written of [
    ['9007199254740990', '9007199254740991', '9007199254740992', '9007199254740993', '9007199254740995'],
    ['1795312345.5', '1795312345.523456789', '1795312346', '1795312346.000123456'],
  ]) {
    const positions = createPositions()
    const seen = written.map((pos) => JSON.parse(positions.normalizeResponse(`{"pos":${pos}}`)).pos as number)

    expect(seen).toEqual([...seen].sort((a, b) => a - b))
    expect(new Set(seen).size).toBe(written.length)
    expect(seen.map((pos) => positions.restorePairs([['from', String(pos)]])[0]?.[1])).toEqual(written)
  }
})
