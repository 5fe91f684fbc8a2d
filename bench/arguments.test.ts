import { expect, test } from 'vitest'
import { readArguments, UsageError } from './arguments.ts'

test('without arguments the bench measures every row in 5 rounds at full size', () => {
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

test('arguments select rows, rounds, the quick sizes and no comparison servers', () => {
  const args = ['--only', 'a', '--only', 'b', '--rounds', '7', '--quick', '--no-comparison']

  expect(readArguments(args)).toMatchObject({ only: ['a', 'b'], rounds: 7, isQuick: true, withComparisons: false })
})

test('an invalid number of rounds and an unknown option are usage errors', () => {
  expect(() => readArguments(['--rounds', '0'])).toThrow(new UsageError('--rounds must be a whole number from 1 on'))
  expect(() => readArguments(['--fast'])).toThrow(UsageError)
})
