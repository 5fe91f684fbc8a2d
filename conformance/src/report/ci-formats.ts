import type { Requirement } from '../rule.ts'
import { compareSections, groupBySection, titleOfSection } from '../specification.ts'
import { visible } from './paint.ts'
import { collectFailureParts, type FinishedRun, type ReportedResult } from './reported-result.ts'

/**
 * Renders the report for CI systems: a suite per section, a case per rule. `<failure>` and `<error>` hold only what
 * decides the verdict. An expected failure, or a SHOULD that does not decide, is `<skipped>`: the CI shows what the
 * exit code says.
 */
export function renderJunit(run: FinishedRun, requirements: readonly Requirement[]): string {
  const suites = groupBySection(run.results).map(([section, results]) =>
    renderSuite(run, section, results, requirements),
  )
  const withProblem = run.results.length === 0
  const counts = countOutcomes(run, run.results)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="thingsync-conformance" tests="${run.results.length + (withProblem ? 1 : 0)}" failures="${counts.failure}" errors="${counts.error + (withProblem ? 1 : 0)}" skipped="${counts.skipped}" time="${seconds(run.ms)}">`,
    ...suites,
    ...(withProblem ? [renderProblem(run)] : []),
    '</testsuites>',
    '',
  ].join('\n')
}

/** The outcome of a result in JUnit's terms. */
type Outcome = 'success' | 'failure' | 'error' | 'skipped'

function outcomeOf(run: FinishedRun, result: ReportedResult): Outcome {
  if (result.status === 'passed') return 'success'
  const decides = result.level === 'must' || run.level === 'should'
  if (result.status === 'skipped' || result.expectedFailure !== undefined || !decides) return 'skipped'
  return result.status === 'failed' ? 'failure' : 'error'
}

function countOutcomes(run: FinishedRun, results: readonly ReportedResult[]): Record<Outcome, number> {
  const counts = { success: 0, failure: 0, error: 0, skipped: 0 }
  for (const result of results) counts[outcomeOf(run, result)] += 1
  return counts
}

function renderSuite(
  run: FinishedRun,
  section: string,
  results: ReportedResult[],
  requirements: readonly Requirement[],
): string {
  const counts = countOutcomes(run, results)
  const time = seconds(results.reduce((sum, result) => sum + result.ms, 0))
  return [
    `  <testsuite name="${attribute(`${section} ${titleOfSection(section)}`)}" tests="${results.length}" failures="${counts.failure}" errors="${counts.error}" skipped="${counts.skipped}" time="${time}" timestamp="${run.startedAt.slice(0, 19)}">`,
    '    <properties>',
    ...Object.entries({ target: run.target, profile: run.profile, seed: String(run.seed) }).map(
      ([name, value]) => `      <property name="${name}" value="${attribute(value)}"/>`,
    ),
    '    </properties>',
    ...results.map((result) => renderCase(run, result, requirements)),
    '  </testsuite>',
  ].join('\n')
}

function renderCase(run: FinishedRun, result: ReportedResult, requirements: readonly Requirement[]): string {
  const open = `    <testcase classname="thingsync.${result.section.replaceAll('.', '_')}" name="${attribute(`${result.id} ${result.title}`)}" time="${seconds(result.ms)}"`
  const outcome = outcomeOf(run, result)
  if (outcome === 'success') return `${open}/>`
  const parts = collectFailureParts(result, requirements)
  const { source, read, expected, actual, curl, requirements: specified } = parts
  const why = result.expectedFailure === undefined ? '' : `expected failure: ${result.expectedFailure}; `
  const short = `${why}${result.message ?? result.title}`
  const lines = [
    `rule: ${source}`,
    ...specified,
    `read: ${read}`,
    `finding: ${result.message ?? ''}`,
    `expected: ${expected ?? ''}`,
    `actual: ${actual ?? ''}`,
    `exchange: ${parts.exchange ?? ''}`,
    `story: ${parts.story ?? ''}`,
    `repeat: ${curl ?? ''}`,
  ]
  const body = content(lines.filter((line) => !line.endsWith(': ')).join('\n'))
  const element =
    outcome === 'skipped'
      ? [
          `      <skipped message="${attribute(short)}"/>`,
          ...(result.status === 'skipped' ? [] : [`      <system-out>${body}</system-out>`]),
        ]
      : [`      <${outcome} type="${result.status}" message="${attribute(short)}">${body}</${outcome}>`]
  return [`${open}>`, ...element, '    </testcase>'].join('\n')
}

function renderProblem(run: FinishedRun): string {
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

/** Renders the report in TAP version 14. A failure that does not decide is TODO, which TAP does not count as failed. */
export function renderTap(run: FinishedRun, requirements: readonly Requirement[]): string {
  const results = run.results.toSorted(compareSections)
  return [
    'TAP version 14',
    `1..${results.length}`,
    `# ${oneLine(run.target)} profile ${run.profile} seed ${run.seed}`,
    ...results.map((result, index) => renderPoint(run, result, index + 1, requirements)),
    `# ${oneLine(run.verdict)}`,
    ...(run.results.length === 0 ? [`Bail out! ${oneLine(run.verdict)}`] : []),
    '',
  ].join('\n')
}

function renderPoint(
  run: FinishedRun,
  result: ReportedResult,
  number: number,
  requirements: readonly Requirement[],
): string {
  const good = result.status === 'passed' || result.status === 'skipped'
  const line = `${good ? 'ok' : 'not ok'} ${number} - ${escapeHashes(`${result.id} ${result.title}`)}${renderDirective(run, result)}`
  if (good) return line
  const { source, requirements: specified, ...parts } = collectFailureParts(result, requirements)
  const fields = {
    status: result.status,
    level: result.level,
    rule: source,
    requirements: specified.join('\n'),
    ...parts,
  }
  const rows = Object.entries(fields).filter(([, value]) => value !== '')
  // A JSON string is a YAML string.
  return [line, '  ---', ...rows.map(([name, value]) => `  ${name}: ${JSON.stringify(visible(value))}`), '  ...'].join(
    '\n',
  )
}

function renderDirective(run: FinishedRun, result: ReportedResult): string {
  if (result.status === 'skipped') return ` # SKIP ${escapeHashes(result.message ?? 'skipped')}`
  if (result.status === 'passed') return ''
  if (result.expectedFailure !== undefined) return ` # TODO expected failure: ${escapeHashes(result.expectedFailure)}`
  return result.level === 'must' || run.level === 'should' ? '' : ' # TODO a failed SHOULD does not affect the verdict'
}

function escapeHashes(text: string): string {
  return oneLine(text).replaceAll('\\', '\\\\').replaceAll('#', '\\#')
}

function oneLine(text: string): string {
  return visible(text).replaceAll(/\s+/g, ' ')
}
