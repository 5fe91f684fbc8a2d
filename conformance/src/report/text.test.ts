import { expect, test } from 'vitest'
import { allFaults } from '../../selftest/all-faults.ts'
import { checkServer, rulesOf } from '../../selftest/check-server.ts'
import type { Behavior } from '../model/behavior.ts'
import { allRules } from '../rules/all-rules.ts'
import { createPaint } from './paint.ts'
import { describeSource, type FinishedRun, type ReportedResult } from './reported-result.ts'
import { renderBrief, renderText } from './text.ts'
import { decideVerdict } from './verdict.ts'

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

test('a few skipped rules are shown with their IDs and the reason', async () => {
  const text = await show({}, 'TOKEN-EXPIRE-01')

  expect(text).toMatch(/ {2}1 skipped: TOKEN-EXPIRE-01, because \S.*\n/)
})

const rule = {
  title: 'MUST work',
  level: 'must',
  basis: 'implied',
  profile: 'api',
  section: '4.3',
  requirements: ['D-4.3-8'],
  ms: 1,
} as const

/** Returns a finished run of a client with these results. */
const runOf = (results: readonly ReportedResult[]): FinishedRun => ({
  ...{ suite: 'thingsync-conformance', version: '1.0.0', target: 'a client', profile: 'api', seed: 1, ms: 1 },
  ...{ startedAt: '2026-11-21T12:00:00.000Z', level: 'must', results, staleExpectedFailures: [] },
  ...decideVerdict(results, 'must', 'api'),
})

const renderBriefly = (results: readonly ReportedResult[]): string =>
  renderBrief(runOf(results), createPaint(false), () => undefined)

const skippedFor = (needs: string, count: number): ReportedResult[] =>
  Array.from({ length: count }, (_, index) => ({
    ...({ ...rule, id: `CLIENT-${needs.toUpperCase()}-${index}`, status: 'skipped', needs } as const),
    message: `the adapter does not declare the feature ${needs}`,
  }))

test('many skipped rules are grouped by the feature that they need, also in the verdict', () => {
  const results = [...skippedFor('list', 3), ...skippedFor('paging', 9)]

  const [brief, whole] = [renderBriefly(results), renderText(runOf(results), [], createPaint(false))]

  expect(brief).toContain('  12 skipped: 9 that need paging; 3 that need list\n')
  expect(brief).toContain(
    'Not checked, because the adapter does not declare these features: 9 rules of paging, 3 of list.',
  )
  expect(whole).toContain(
    '  3 because the adapter does not declare the feature list: CLIENT-LIST-0, CLIENT-LIST-1, CLIENT-LIST-2\n',
  )
})

test('the screen names every failed rule, in lines that fit a terminal', () => {
  const failed = Array.from({ length: 40 }, (_, index): ReportedResult => {
    const id = `CLIENT-LISTING-${String(index).padStart(2, '0')}`
    return { ...rule, id, status: 'failed', expected: 'a', actual: 'b', level: index < 20 ? 'must' : 'should' }
  })

  const text = renderBriefly(failed)

  expect(failed.filter(({ id }) => !text.includes(id))).toEqual([])
  expect(text).toContain('  17 more failed: CLIENT-LISTING-03, CLIENT-LISTING-04, ')
  expect(text.split('\n').filter((line) => line.includes('CLIENT-LISTING') && line.length > 118)).toEqual([])
})

test('rules that fail with almost any fault of a client come after the others', () => {
  const failed = ['CLIENT-LEGAL-01', 'CLIENT-HISTORY-01', 'CLIENT-LOST-01'].map(
    (id) => ({ ...rule, id, status: 'failed', expected: 'a', actual: 'b' }) as const,
  )

  expect(renderBriefly(failed).match(/CLIENT-[A-Z]+-01/)?.[0]).toBe('CLIENT-LOST-01')
})

test('what clients lose stands where no requirement says it, and nowhere else', () => {
  const source = { section: '4.3', basis: 'implied' } as const

  expect(describeSource({ ...source, requirements: ['D-4.3-8'] })).toBe('protocol 4.3, follows from it')
  expect(describeSource({ ...source, requirements: [] })).toBe(
    'protocol 4.3, follows from it: without this, clients lose or repeat things',
  )
})

test('the whole report tells the story of a failed rule line by line', () => {
  const story = 'phone > sync\n    GET /v1/sync  from=0\nphone < {}'
  const failed: ReportedResult = { ...rule, id: 'CLIENT-LOST-01', status: 'failed', expected: 'a', actual: 'b', story }

  expect(renderText(runOf([failed]), [], createPaint(false))).toContain(
    ['    story     phone > sync', '                  GET /v1/sync  from=0', '              phone < {}'].join('\n'),
  )
})
