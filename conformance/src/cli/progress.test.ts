import { expect, test } from 'vitest'
import { createPaint, wantsColours } from '../report/paint.ts'
import type { RuleResult, Status } from '../result.ts'
import { findNearMatches } from './near-matches.ts'
import { createProgress } from './progress.ts'

const resultOf = (id: string, status: Status): RuleResult => ({
  ...{
    id,
    status,
    title: 'MUST answer',
    level: 'must',
    basis: 'given',
    profile: 'core',
    section: '4.3',
    clauses: [],
    ms: 3,
  },
})

const show = (isTerminal: boolean, colours: boolean): string => {
  let written = ''
  const write = (text: string) => {
    written += text
  }
  const progress = createProgress({ write, isTerminal, columns: 30 }, 2, createPaint(colours))
  progress.show(resultOf('SYNC-FULL-01', 'passed'))
  progress.show(resultOf('SYNC-FULL-02-WITH-A-LONG-NAME', 'failed'))
  progress.end()
  return written
}

test('on a terminal progress is one line that is rewritten, never longer than the terminal is wide', () => {
  expect(show(true, false)).toBe('\r\u001b[K1/2  SYNC-FULL-01\r\u001b[K2/2  1 not kept  SYNC-FULL-02\r\u001b[K')
})

test('elsewhere progress is a line for each rule without control characters', () => {
  expect(show(false, false)).toBe(
    '1/2 passed: SYNC-FULL-01 MUST answer (3 ms)\n2/2 failed: SYNC-FULL-02-WITH-A-LONG-NAME MUST answer (3 ms)\n\n',
  )
})

test('NO_COLOR forbids colours on a terminal, FORCE_COLOR asks for them elsewhere', () => {
  const cases: [boolean, NodeJS.ProcessEnv][] = [
    [true, {}],
    [true, { NO_COLOR: '1' }],
    [true, { NO_COLOR: '', TERM: 'dumb' }],
    [false, {}],
    [false, { FORCE_COLOR: '1' }],
    [false, { FORCE_COLOR: '1', NO_COLOR: '1' }],
  ]

  expect(cases.map(([isTerminal, environment]) => wantsColours(isTerminal, environment))).toEqual([
    true,
    false,
    false,
    false,
    true,
    false,
  ])
})

test('near matches are few, nearest first, and none when nothing is near', () => {
  const known = ['SYNC-DELTA-01', 'SYNC-DELTA-02', 'SYNC-FULL-01', 'TOKEN-GRANT-01']

  expect(findNearMatches('SYNC-DLTA-02', known)).toEqual(['SYNC-DELTA-02', 'SYNC-DELTA-01'])
  expect(findNearMatches('grant', known)).toEqual(['TOKEN-GRANT-01'])
  expect(findNearMatches('WEBHOOK-77', known)).toEqual([])
})
