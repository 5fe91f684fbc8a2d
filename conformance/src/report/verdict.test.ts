import { expect, test } from 'vitest'
import type { Level, RuleResult, Status } from '../result.ts'
import { decideVerdict, findStaleExpectedFailures, markExpectedFailures } from './verdict.ts'

const table: [rules: string, level: Level, known: string[], exitCode: number, word: string][] = [
  ['must passed', 'must', [], 0, 'PASSED'],
  ['must passed, must failed', 'must', [], 1, 'FAILED'],
  ['must passed, should failed', 'must', [], 0, 'PASSED'],
  ['must passed, should failed', 'should', [], 1, 'FAILED'],
  ['must passed, should blocked', 'must', [], 0, 'PASSED'],
  ['must passed, should blocked', 'should', [], 3, 'INCONCLUSIVE'],
  ['must passed, must blocked', 'must', [], 3, 'INCONCLUSIVE'],
  ['must passed, must error', 'must', [], 3, 'INCONCLUSIVE'],
  ['must failed, must blocked', 'must', [], 1, 'FAILED'],
  ['must failed, must error', 'must', [], 1, 'FAILED'],
  ['must passed, must skipped', 'must', [], 0, 'PASSED'],
  ['must skipped', 'must', [], 3, 'INCONCLUSIVE'],
  ['should passed', 'must', [], 3, 'INCONCLUSIVE'],
  ['', 'must', [], 3, 'INCONCLUSIVE'],
  ['must passed, must failed', 'must', ['RULE-1'], 0, 'PASSED'],
  ['must failed, must failed', 'must', ['RULE-1'], 1, 'FAILED'],
  ['must passed, must blocked', 'must', ['RULE-1'], 0, 'PASSED'],
  ['must passed, must error', 'must', ['RULE-1'], 3, 'INCONCLUSIVE'],
]

test.each(table)('%s at level %s with known %j exits %i as %s', (rules, level, known, exitCode, word) => {
  const expectedFailures = known.map((id) => ({ id, reason: 'known' }))

  const extensionRule = decideVerdict(markExpectedFailures(resultsOf(rules), expectedFailures), level, 'core')

  expect([extensionRule.exitCode, extensionRule.verdict.split(':')[0]]).toEqual([exitCode, word])
})

test('expected failures do not count in what decides, but count by status', () => {
  const results = resultsOf(
    'must failed, must failed, must blocked, must passed, should failed, must skipped, must error',
  )

  const marked = markExpectedFailures(results, [{ id: 'RULE-0', reason: 'old client' }])

  expect(decideVerdict(marked, 'must', 'full')).toEqual({
    exitCode: 1,
    verdict: 'FAILED: 1 of 6 MUST rules of profile full failed, 2 blocked, 1 expected failure aside.',
    summary: {
      passed: 1,
      failed: 3,
      blocked: 1,
      skipped: 1,
      error: 1,
      mustFailed: 1,
      mustBlocked: 2,
      expectedFailures: 1,
    },
  })
})

test('the verdict says how many rules were not checked for want of which option', () => {
  const skipped = resultsOf('must passed, must skipped, must skipped, must skipped, should skipped, must skipped')
  const needs = [undefined, '--other-client', '--restart or --restart-manually', '--restart or --restart-manually']
  const results = skipped.map((result, index) => {
    const needed = needs[index] ?? (result.level === 'should' ? '--other-client' : undefined)
    return needed === undefined ? result : { ...result, needs: needed }
  })

  expect(decideVerdict(results, 'must', 'core').verdict).toBe(
    'PASSED: 1 MUST rule of profile core passed, 4 skipped. Not checked: 2 rules without --restart or --restart-manually, 1 without --other-client.',
  )
})

test('an expected failure whose rule passes is stale', () => {
  const known = [
    { id: 'RULE-0', reason: 'fixed since' },
    { id: 'RULE-1', reason: 'still so' },
  ]

  expect(findStaleExpectedFailures(resultsOf('must passed, must failed'), known)).toEqual([
    { id: 'RULE-0', reason: 'fixed since' },
  ])
})

function resultsOf(rules: string): RuleResult[] {
  const words = rules === '' ? [] : rules.split(', ')
  return words.map((rule, index) => {
    const [level, status] = rule.split(' ') as [Level, Status]
    return {
      id: `RULE-${index}`,
      title: 'MUST',
      level,
      basis: 'specified',
      profile: 'core',
      section: '4.3',
      requirements: [],
      status,
      ms: 1,
    }
  })
}
