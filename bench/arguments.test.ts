import { expect, test } from 'vitest'
import { readArguments } from './arguments.ts'

test('without arguments everything but the peers is measured, 7 rounds at full size', () => {
  expect(readArguments([])).toEqual({
    rows: [],
    rounds: 7,
    isQuick: false,
    withPeers: false,
    isHelp: false,
    out: 'docs/benchmarks',
    note: undefined,
  })
})

test('rows can be chosen, and rounds', () => {
  const { rows, rounds, isQuick } = readArguments(['--row', 'a', '--row', 'b', '--rounds', '3', '--quick'])

  expect({ rows, rounds, isQuick }).toEqual({ rows: ['a', 'b'], rounds: 3, isQuick: true })
})

test('rounds that are none and unknown options are refused', () => {
  expect(() => readArguments(['--rounds', '0'])).toThrow('--rounds must be a whole number from 1 on')
  expect(() => readArguments(['--fast'])).toThrow("Unknown option '--fast'")
})
