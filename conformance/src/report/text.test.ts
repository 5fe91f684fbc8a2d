import { expect, test } from 'vitest'
import { allFaults } from '../../selftest/all-faults.ts'
import { checkServer, rulesOf } from '../../selftest/check-server.ts'
import type { Behavior } from '../model/behavior.ts'
import { allRules } from '../rules/all-rules.ts'
import { createPaint } from './paint.ts'
import { renderBrief } from './text.ts'

const behaviorOf = (id: string): Partial<Behavior> => allFaults.find((fault) => fault.id === id)?.behavior ?? {}

/** Returns the text for a terminal after a run of the rules against a server with the fault. */
const show = async (behavior: Partial<Behavior>, ...begin: string[]): Promise<string> => {
  const rules = rulesOf(allRules, 'core').filter(({ id }) => begin.some((start) => id.startsWith(start)))
  const report = await checkServer({ behavior }, { rules, profile: 'core' })
  const summary = { ...report.summary, expectedFailures: 0 }
  return renderBrief(
    { ...report, summary, level: 'must', staleExpectedFailures: [] },
    createPaint(false),
    () => undefined,
  )
}

test('positions that are too coarse are shown before the failures that they cause', async () => {
  const text = await show(behaviorOf('pos-second-granularity'), 'SYNC-POS', 'SYNC-INCREMENTAL', 'TOKEN-REFRESH')

  expect(text.match(/^ {2}(\S+-\d+) /m)?.[1]).toBe('SYNC-POS-03')
})

test('a wrong error is shown with the expected error, not as an operation without a useful response', async () => {
  const errorBody = () => ({ error: 'invalid_grant', error_description: 'no' })
  const text = await show({ errorBody }, 'TOKEN-AUTH')

  expect(text).not.toContain('FIX THIS FIRST')
  expect(text).toContain('The access token provided is invalid')
})

test('a field that must be left out is not expected as null', async () => {
  const text = await show(behaviorOf('change-archived-kept'), 'THING-CHANGE-ARCHIVED-03')

  expect(text).toContain('expected  no archived, because phone changed the thing without it')
})

test('skipped rules are shown with the reason, in one line', async () => {
  const text = await show({}, 'TOKEN-EXPIRE-01')

  expect(text).toMatch(/1 skipped: TOKEN-EXPIRE-01, because \S.*\n/)
})
