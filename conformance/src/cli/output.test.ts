import { expect, test } from 'vitest'
import { createPaint, wantsColors } from '../report/paint.ts'
import type { RuleResult, Status } from '../result.ts'
import { findNearMatches } from './arguments.ts'
import { createProgress } from './output.ts'

const resultOf = (id: string, status: Status): RuleResult => ({
  ...{
    id,
    status,
    title: 'MUST respond',
    level: 'must',
    basis: 'specified',
    profile: 'core',
    section: '4.3',
    requirements: [],
    ms: 3,
  },
})

const show = (isTerminal: boolean, colors: boolean): string => {
  let written = ''
  const write = (text: string) => {
    written += text
  }
  const progress = createProgress({ write, isTerminal, columns: 30 }, 2, createPaint(colors))
  progress.show(resultOf('SYNC-FULL-01', 'passed'))
  progress.show(resultOf('SYNC-FULL-02-WITH-A-LONG-NAME', 'failed'))
  progress.end()
  return written
}

test('on a terminal progress is one line that is rewritten, never longer than the terminal is wide', () => {
  expect(show(true, false)).toBe('\r\u001b[K1/2  last: SYNC-FULL-01\r\u001b[K2/2  1 failed  last: SYNC-FUL\r\u001b[K')
})

test('elsewhere progress is plain lines without control characters', () => {
  expect(show(false, false)).toBe('1/2  last: SYNC-FULL-01\n2/2  1 failed  last: SYNC-FULL-02-WITH-A-LONG-NAME\n\n')
})

test('elsewhere progress is ten lines in all, however many rules there are', () => {
  const lines: string[] = []
  const output = { write: (text: string) => void lines.push(text), isTerminal: false, columns: 80 }
  const progress = createProgress(output, 333, createPaint(false))

  for (let count = 1; count <= 333; count++) progress.show(resultOf(`SYNC-FULL-${count}`, 'passed'))

  expect(lines).toHaveLength(10)
  expect([lines[0], lines[9]]).toEqual([' 34/333  last: SYNC-FULL-34\n', '333/333  last: SYNC-FULL-333\n'])
})

test('NO_COLOR forbids colors on a terminal, FORCE_COLOR requires them elsewhere', () => {
  const cases: [boolean, NodeJS.ProcessEnv][] = [
    [true, {}],
    [true, { NO_COLOR: '1' }],
    [true, { NO_COLOR: '', TERM: 'dumb' }],
    [false, {}],
    [false, { FORCE_COLOR: '1' }],
    [false, { FORCE_COLOR: '1', NO_COLOR: '1' }],
  ]

  expect(cases.map(([isTerminal, environment]) => wantsColors(isTerminal, environment))).toEqual([
    true,
    false,
    false,
    false,
    true,
    false,
  ])
})

test('near matches are few, nearest first, and none when nothing is near', () => {
  const known = ['SYNC-INCREMENTAL-01', 'SYNC-INCREMENTAL-02', 'SYNC-FULL-01', 'TOKEN-GRANT-01']

  expect(findNearMatches('SYNC-INCREMNTAL-02', known)).toEqual(['SYNC-INCREMENTAL-02', 'SYNC-INCREMENTAL-01'])
  expect(findNearMatches('grant', known)).toEqual(['TOKEN-GRANT-01'])
  expect(findNearMatches('WEBHOOK-77', known)).toEqual([])
})
