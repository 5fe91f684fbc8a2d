import { expect, test } from 'vitest'
import { readArguments, UsageError } from './arguments.ts'

test('without arguments everything is measured, 5 rounds at full size', () => {
  expect(readArguments([])).toEqual({
    only: [],
    rounds: 5,
    isQuick: false,
    withComparisons: true,
    isHelp: false,
    out: 'docs/benchmarks',
    note: undefined,
  })
})

test('rows can be chosen, rounds and the absence of peers', () => {
  const args = ['--only', 'a', '--only', 'b', '--rounds', '7', '--quick', '--no-peers']

  expect(readArguments(args)).toMatchObject({ only: ['a', 'b'], rounds: 7, isQuick: true, withComparisons: false })
})

test('rounds that are none and unknown options are refused in a sentence', () => {
  expect(() => readArguments(['--rounds', '0'])).toThrow(new UsageError('--rounds must be a whole number from 1 on'))
  expect(() => readArguments(['--fast'])).toThrow(UsageError)
})
