import { expect, test } from 'vitest'
import { checkReport, type Report } from '../../../scripts/schemathesis/report.ts'

const rates = (accepted: number) => ({ fuzzing: { accepted } })
const good: Report = {
  complete: true,
  operations: { total: 2, tested: 2 },
  test_cases: { generated: 2_000 },
  failures: [],
  errors: [],
  valid_rates: { 'GET /sync': rates(3), 'POST /sync': rates(1) },
}

test('a complete run without failures passes', () => {
  expect(checkReport(good)).toEqual({
    summary: '2000 cases over 2 operations, 2 of which succeeded at least once',
    problems: [],
  })
})

test.each<[string, Partial<Report>, string]>([
  [
    'a failure',
    { failures: [{ title: 'Undocumented status code', operations: ['GET /sync', 'GET /test'] }] },
    'Undocumented status code: GET /sync, GET /test',
  ],
  ['an error of Schemathesis itself', { errors: [{}] }, 'Schemathesis itself met 1 errors'],
  ['a run that was cut off', { complete: false }, 'the run was not complete'],
  ['an operation left out', { operations: { total: 2, tested: 1 } }, 'not every operation was tested'],
  ['too few cases', { test_cases: { generated: 1_999 } }, 'fewer than 2000 cases'],
  [
    'an operation that never succeeded',
    { valid_rates: { 'GET /sync': rates(3), 'POST /sync': rates(0) } },
    '1 operations never succeeded',
  ],
])('%s does not pass', (_name, part, problem) => {
  expect(checkReport({ ...good, ...part }).problems).toEqual([problem])
})

test('a stream may be left out, and nothing beside it', () => {
  const problemsOf = (total: number) => checkReport({ ...good, operations: { total, tested: 2 } }, 1).problems

  expect([problemsOf(3), problemsOf(4)]).toEqual([
    [],
    ['not every operation was tested', '1 operations never succeeded'],
  ])
})
