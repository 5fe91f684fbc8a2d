import type { Clause } from '../clauses/clause.ts'
import { collectFailureParts } from './failure.ts'
import type { FinishedRun, ReportedResult } from './finished-run.ts'
import { groupBySection, titleOfSection } from './sections.ts'
import { visible } from './visible.ts'

/**
 * The report for CI systems: a suite per section, a case per rule. `<failure>` and `<error>` are only what decides the
 * verdict; a known deviation or a SHOULD that does not decide is `<skipped>`, so that the CI shows what the exit code says.
 */
export function renderJunit(run: FinishedRun, clauses: readonly Clause[]): string {
  const suites = groupBySection(run.results).map(([section, results]) => renderSuite(run, section, results, clauses))
  const troubled = run.results.length === 0
  const counts = countOutcomes(run, run.results)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="thingsync-conformance" tests="${run.results.length + (troubled ? 1 : 0)}" failures="${counts.failure}" errors="${counts.error + (troubled ? 1 : 0)}" skipped="${counts.skipped}" time="${seconds(run.ms)}">`,
    ...suites,
    ...(troubled ? [renderTrouble(run)] : []),
    '</testsuites>',
    '',
  ].join('\n')
}

/** What a result is for JUnit. */
type Outcome = 'success' | 'failure' | 'error' | 'skipped'

function outcomeOf(run: FinishedRun, result: ReportedResult): Outcome {
  if (result.status === 'passed') return 'success'
  const decides = result.level === 'must' || run.level === 'should'
  if (result.status === 'inapplicable' || result.knownDeviation !== undefined || !decides) return 'skipped'
  return result.status === 'failed' ? 'failure' : 'error'
}

function countOutcomes(run: FinishedRun, results: readonly ReportedResult[]): Record<Outcome, number> {
  const counts = { success: 0, failure: 0, error: 0, skipped: 0 }
  for (const result of results) counts[outcomeOf(run, result)] += 1
  return counts
}

function renderSuite(run: FinishedRun, section: string, results: ReportedResult[], clauses: readonly Clause[]): string {
  const counts = countOutcomes(run, results)
  const time = seconds(results.reduce((sum, result) => sum + result.ms, 0))
  return [
    `  <testsuite name="${attribute(`${section} ${titleOfSection(section)}`)}" tests="${results.length}" failures="${counts.failure}" errors="${counts.error}" skipped="${counts.skipped}" time="${time}" timestamp="${run.startedAt.slice(0, 19)}">`,
    '    <properties>',
    ...Object.entries({ target: run.target, profile: run.profile, seed: String(run.seed) }).map(
      ([name, value]) => `      <property name="${name}" value="${attribute(value)}"/>`,
    ),
    '    </properties>',
    ...results.map((result) => renderCase(run, result, clauses)),
    '  </testsuite>',
  ].join('\n')
}

function renderCase(run: FinishedRun, result: ReportedResult, clauses: readonly Clause[]): string {
  const open = `    <testcase classname="thingsync.${result.section.replaceAll('.', '_')}" name="${attribute(`${result.id} ${result.title}`)}" time="${seconds(result.ms)}"`
  const outcome = outcomeOf(run, result)
  if (outcome === 'success') return `${open}/>`
  const { source, read, expected, actual, curl, clauses: stated } = collectFailureParts(result, clauses)
  const why = result.knownDeviation === undefined ? '' : `known deviation: ${result.knownDeviation}; `
  const short = `${why}${result.message ?? result.title}`
  const lines = [
    `rule: ${source}`,
    ...stated,
    `read: ${read}`,
    `finding: ${result.message ?? ''}`,
    `expected: ${expected ?? ''}`,
    `came: ${actual ?? ''}`,
    `repeat: ${curl ?? ''}`,
  ]
  const body = content(lines.filter((line) => !line.endsWith(': ')).join('\n'))
  const element =
    outcome === 'skipped'
      ? [
          `      <skipped message="${attribute(short)}"/>`,
          ...(result.status === 'inapplicable' ? [] : [`      <system-out>${body}</system-out>`]),
        ]
      : [`      <${outcome} type="${result.status}" message="${attribute(short)}">${body}</${outcome}>`]
  return [`${open}>`, ...element, '    </testcase>'].join('\n')
}

function renderTrouble(run: FinishedRun): string {
  return [
    '  <testsuite name="connection" tests="1" failures="0" errors="1" skipped="0" time="0">',
    `    <testcase classname="thingsync" name="connection" time="0"><error type="configuration" message="${attribute(run.verdict)}"/></testcase>`,
    '  </testsuite>',
  ].join('\n')
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3)
}

function content(text: string): string {
  return visible(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function attribute(text: string): string {
  return content(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')
}
