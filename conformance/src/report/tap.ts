import type { Clause } from '../clauses/clause.ts'
import { collectFailureParts } from './failure.ts'
import type { FinishedRun, ReportedResult } from './finished-run.ts'
import { compareSections } from './sections.ts'
import { visible } from './visible.ts'

/** The report in TAP version 14. What does not decide the verdict is marked TODO, which TAP does not count as failed. */
export function renderTap(run: FinishedRun, clauses: readonly Clause[]): string {
  const results = run.results.toSorted(compareSections)
  return [
    'TAP version 14',
    `1..${results.length}`,
    `# ${oneLine(run.target)} profile ${run.profile} seed ${run.seed}`,
    ...results.map((result, index) => renderPoint(run, result, index + 1, clauses)),
    `# ${oneLine(run.verdict)}`,
    ...(run.results.length === 0 ? [`Bail out! ${oneLine(run.verdict)}`] : []),
    '',
  ].join('\n')
}

function renderPoint(run: FinishedRun, result: ReportedResult, number: number, clauses: readonly Clause[]): string {
  const good = result.status === 'passed' || result.status === 'inapplicable'
  const line = `${good ? 'ok' : 'not ok'} ${number} - ${escapeHashes(`${result.id} ${result.title}`)}${renderDirective(run, result)}`
  if (good) return line
  const { source, clauses: stated, ...parts } = collectFailureParts(result, clauses)
  const fields = { status: result.status, level: result.level, rule: source, clauses: stated.join('\n'), ...parts }
  const rows = Object.entries(fields).filter(([, value]) => value !== '')
  // A JSON string is a YAML string.
  return [line, '  ---', ...rows.map(([name, value]) => `  ${name}: ${JSON.stringify(visible(value))}`), '  ...'].join(
    '\n',
  )
}

function renderDirective(run: FinishedRun, result: ReportedResult): string {
  if (result.status === 'inapplicable') return ` # SKIP ${escapeHashes(result.message ?? 'does not apply')}`
  if (result.status === 'passed') return ''
  if (result.knownDeviation !== undefined) return ` # TODO known deviation: ${escapeHashes(result.knownDeviation)}`
  return result.level === 'must' || run.level === 'should' ? '' : ' # TODO a SHOULD does not decide'
}

function escapeHashes(text: string): string {
  return oneLine(text).replaceAll('\\', '\\\\').replaceAll('#', '\\#')
}

function oneLine(text: string): string {
  return visible(text).replaceAll(/\s+/g, ' ')
}
