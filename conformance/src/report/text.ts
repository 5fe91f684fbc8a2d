import type { Clause } from '../clauses/clause.ts'
import { renderEnd } from './brief.ts'
import { findCauses } from './causes.ts'
import { collectFailureParts } from './failure.ts'
import type { FinishedRun, ReportedResult } from './finished-run.ts'
import type { Paint } from './paint.ts'
import { compareSections } from './sections.ts'
import { visible } from './visible.ts'

/** The report for a person at a terminal: what was not kept, each with what to do, and the verdict last. */
export function renderText(run: FinishedRun, clauses: readonly Clause[], paint: Paint): string {
  const decides = (result: ReportedResult) => result.level === 'must' || run.level === 'should'
  const open = run.results.filter((result) => result.knownDeviation === undefined).toSorted(compareSections)
  const failed = open.filter((result) => result.status === 'failed')
  const unjudged = open.filter((result) => result.status === 'blocked' || result.status === 'error')
  const { causes } = findCauses([...failed, ...unjudged].filter(decides))
  const known = run.results.filter((result) => result.knownDeviation !== undefined)
  const details = (results: readonly ReportedResult[]) => results.map((result) => renderDetails(result, clauses, paint))
  return [
    ...section(
      paint.bad('MEND FIRST'),
      causes.map(({ sentence, extent }) => `  ${sentence}; ${extent}\n`),
    ),
    ...section(paint.bad('NOT KEPT'), details(failed.filter(decides))),
    ...section(paint.doubt('SHOULD, not kept (does not decide)'), details(failed.filter((result) => !decides(result)))),
    ...section(
      paint.doubt('COULD NOT BE JUDGED'),
      unjudged.map((result) => renderUnjudged(result, paint)),
    ),
    ...section(
      paint.doubt('Known deviations'),
      known.map(
        (result) =>
          `  ${result.id}  ${visible(result.title)}\n      known because ${visible(result.knownDeviation ?? '')}\n`,
      ),
    ),
    ...section(
      paint.doubt('Known deviations that are none any more: take them off the list'),
      run.staleDeviations.map(({ id, reason }) => `  ${id}  (${visible(reason)})\n`),
    ),
    ...section(
      'Did not apply',
      open
        .filter((result) => result.status === 'inapplicable')
        .map((result) => `  ${result.id}  ${visible(result.message ?? result.title)}\n`),
    ),
    ...section(
      'Notes',
      (run.notes ?? []).map((note) => `  ${visible(note)}\n`),
    ),
    renderEnd(run, paint),
  ].join('\n')
}

function section(heading: string, entries: readonly string[]): string[] {
  return entries.length === 0 ? [] : [`${heading}\n`, ...entries]
}

/** Short, because one missing operation blocks a hundred rules; the request that repeats it stands in the other reports. */
function renderUnjudged(result: ReportedResult, paint: Paint): string {
  const reason = result.message ?? ''
  const short = result.status === 'error' || reason.length <= 400 ? reason : `${reason.slice(0, 400)}…`
  return `  ${paint.strong(result.id)}  ${visible(result.title)}\n${row('reason', short, paint)}\n`
}

function renderDetails(result: ReportedResult, clauses: readonly Clause[], paint: Paint): string {
  const parts = collectFailureParts(result, clauses)
  const lines = [
    `  ${paint.strong(result.id)}  ${visible(result.title)}`,
    row('rule', [parts.source, ...parts.clauses].join('\n'), paint),
    row('read', parts.read, paint),
    row('finding', parts.message, paint),
    row('expected', parts.expected, paint),
    row('came', parts.actual, paint),
    row('repeat', parts.curl, paint),
  ]
  return `${lines.filter((line) => line !== '').join('\n')}\n`
}

function row(label: string, text: string | undefined, paint: Paint): string {
  if (text === undefined) return ''
  const [first = '', ...rest] = visible(text).split('\n')
  return [`    ${paint.faint(label.padEnd(9))} ${first}`, ...rest.map((line) => `              ${line}`)].join('\n')
}
