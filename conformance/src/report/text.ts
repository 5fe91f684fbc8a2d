import type { Requirement } from '../rule.ts'
import { anchorOfRule, compareSections } from '../specification.ts'
import { type Cause, findCauses, orderForFixing } from './causes.ts'
import { type Paint, visible } from './paint.ts'
import {
  collectFailureParts,
  describeExchange,
  type FinishedRun,
  type ReportedResult,
  shortenActual,
} from './reported-result.ts'

/** Number of findings that are shown in full; the others are shown by their IDs. */
const maxFindings = 3

/** Maximum number of IDs in one line. */
const maxIds = 6

const maxLineLength = 150

/** Maximum length of a line of IDs. */
const maxListLength = 118

/** Renders the report on one screen: what to fix first, the first findings, the verdict. `repeat` finds a command. */
export function renderBrief(run: FinishedRun, paint: Paint, repeat: (id: string) => string | undefined): string {
  const decides = (result: ReportedResult): boolean => result.level === 'must' || run.level === 'should'
  const open = run.results.filter((result) => result.expectedFailure === undefined).toSorted(compareSections)
  const wrong = open.filter(({ status }) => status === 'failed' || status === 'blocked' || status === 'error')
  const { causes, rest } = findCauses(wrong.filter(decides))
  const failed = orderForFixing(rest.filter(({ status }) => status === 'failed'))
  const blockedResults = rest.filter(({ status }) => status !== 'failed')
  const skipped = open.filter(({ status }) => status === 'skipped')
  const aside = wrong.filter((result) => !decides(result))
  const blocks = [
    ...causes.flatMap((cause, index) => renderCause(cause, index, paint, repeat)),
    ...(failed.length === 0 ? [] : [paint.bad(causes.length === 0 ? 'FAILED' : 'THEN')]),
    ...failed.slice(0, maxFindings).flatMap((result) => renderFinding(result, paint, repeat)),
    ...listIds('more failed', failed.slice(maxFindings)),
    ...line('blocked', blockedResults),
    ...blockedResults
      .slice(0, 1)
      .flatMap(({ message = '' }) => renderReason(message, causes.length + failed.length === 0)),
    ...listIds('SHOULD failures (do not affect the verdict)', aside),
    ...run.results
      .filter((result) => result.expectedFailure !== undefined)
      .map(
        (result) =>
          `  ${result.id}  ${cut(result.title)}\n      expected because ${visible(result.expectedFailure ?? '')}`,
      ),
    ...(run.staleExpectedFailures.length === 0
      ? []
      : [
          `Expected failures that passed: remove them from the list\n\n${run.staleExpectedFailures.map(({ id, reason }) => `  ${id}  (${visible(reason)})`).join('\n')}`,
        ]),
    ...renderSkipped(skipped),
    ...(run.notes ?? []).map((note) => `  note: ${visible(note)}`),
    ...(wrong.length === 0 ? [] : ['  full report: --verbose, or --report html=FILE', '']),
  ]
  return [...blocks, renderEnd(run, paint)].join('\n')
}

function renderCause(
  { sentence, extent, results, example }: Cause,
  index: number,
  paint: Paint,
  repeat: (id: string) => string | undefined,
): string[] {
  const heading = paint.bad(index === 0 ? `FIX THIS FIRST: ${sentence}` : `Then: ${sentence}`)
  if (example !== undefined)
    return [heading, `    ${extent}; this one shows it:`, ...renderFinding(example, paint, repeat), '']
  const [first] = results
  const curl = first?.curl?.startsWith('curl') === true ? first.curl.replaceAll(/\s*\\\n\s*/g, ' ') : undefined
  const expected = first?.expected === undefined ? '' : `Expected ${cut(first.expected)}; actual: `
  const message = first?.actual ?? first?.message?.split('\n')[0] ?? ''
  return [
    heading,
    `    ${extent}. ${expected}${cut(message)}`,
    ...(curl === undefined ? [] : [`    ${visible(curl).slice(0, 400)}`]),
    '',
  ]
}

function renderFinding(result: ReportedResult, paint: Paint, repeat: (id: string) => string | undefined): string[] {
  const command = repeat(result.id)
  const exchange = result.exchange === undefined ? [] : describeExchange(result.exchange).split('\n')
  return [
    `  ${paint.strong(result.id)}  ${cut(result.title)}`,
    `      expected  ${cut(result.expected ?? result.message ?? '')}`,
    ...(result.actual === undefined ? [] : [`      actual    ${cut(shortenActual(result.actual))}`]),
    ...exchange.map((text, index) => `      ${index === 0 ? 'exchange' : '        '}  ${cut(text)}`),
    `      read      ${anchorOfRule(result)}`,
    ...(command === undefined ? [] : [`      repeat    ${command}`]),
  ]
}

/** Renders the reason, and the lines with advice where nothing else has to be fixed first. */
function renderReason(message: string, isAlone: boolean): string[] {
  const [reason = '', ...advice] = message.split('\n')
  const shown = isAlone ? advice.slice(0, 3) : []
  return [`    because ${cut(reason)}`, ...shown.map((text) => `      ${visible(text).slice(0, 600)}`)]
}

function line(what: string, results: readonly ReportedResult[]): string[] {
  if (results.length === 0) return []
  if (results.length <= maxIds) return [`  ${results.length} ${what}: ${results.map(({ id }) => id).join(', ')}`]
  const counts = new Map<string, number>()
  for (const { id } of results) {
    const topic = id.replace(/-\d+$/, '')
    counts.set(topic, (counts.get(topic) ?? 0) + 1)
  }
  return [`  ${results.length} ${what}: ${[...counts].map(([topic, count]) => `${count} ${topic}`).join(', ')}`]
}

/** Renders all IDs, so that each rule can be repeated, in lines of a terminal. */
function listIds(what: string, results: readonly ReportedResult[]): string[] {
  if (results.length === 0) return []
  const lines = [`  ${results.length} ${what}:`]
  for (const [index, { id }] of results.entries()) {
    const word = ` ${id}${index + 1 === results.length ? '' : ','}`
    const last = lines.at(-1) ?? ''
    if (last.length + word.length > maxListLength) lines.push(`   ${word}`)
    else lines[lines.length - 1] = last + word
  }
  return lines
}

/** Groups skipped rules by their reason, the most rules first. */
function groupByReason(results: readonly ReportedResult[]): [reason: string, results: readonly ReportedResult[]][] {
  const groups = new Map<string, ReportedResult[]>()
  for (const result of results) {
    const reason = result.message ?? 'it does not apply'
    groups.set(reason, [...(groups.get(reason) ?? []), result])
  }
  return [...groups].sort(([, one], [, other]) => other.length - one.length)
}

/** Renders skipped rules in one line: the IDs and the reason where they are few, otherwise how many need what. */
function renderSkipped(results: readonly ReportedResult[]): string[] {
  if (results.length === 0) return []
  const isFew = results.length <= maxIds
  const groups = groupByReason(results).map(([reason, group]) => {
    const needs = isFew ? undefined : group[0]?.needs
    const subject = isFew ? group.map(({ id }) => id).join(', ') : String(group.length)
    return needs === undefined
      ? `${subject}, because ${cut(reason)}`
      : `${subject} that ${group.length === 1 ? 'needs' : 'need'} ${needs}`
  })
  return [`  ${results.length} skipped: ${groups.join('; ')}`]
}

/** Renders each reason with the IDs of all rules that were skipped for it. */
function renderAllSkipped(results: readonly ReportedResult[]): string[] {
  return groupByReason(results).map(([reason, group]) => `${listIds(`because ${visible(reason)}`, group).join('\n')}\n`)
}

function cut(text: string): string {
  const first = visible(text).split('\n')[0] ?? ''
  return first.length > maxLineLength ? `${first.slice(0, maxLineLength)}…` : first
}

/** Renders the last lines of every text: counts and verdict. */
function renderEnd(run: FinishedRun, paint: Paint): string {
  const { passed, failed, blocked, skipped, error } = run.summary
  const color = run.exitCode === 0 ? paint.good : run.exitCode === 3 ? paint.doubt : paint.bad
  return [
    `${run.target}  profile ${run.profile}, seed ${run.seed}, ${(run.ms / 1000).toFixed(1)} s`,
    `${passed} passed, ${failed} failed, ${blocked} blocked, ${error} errors of the suite, ${skipped} skipped`,
    color(run.verdict),
    '',
  ].join('\n')
}

/** Renders the report for a terminal: each failure with what to do, and the verdict last. */
export function renderText(run: FinishedRun, requirements: readonly Requirement[], paint: Paint): string {
  const decides = (result: ReportedResult) => result.level === 'must' || run.level === 'should'
  const open = run.results.filter((result) => result.expectedFailure === undefined).toSorted(compareSections)
  const failed = open.filter((result) => result.status === 'failed')
  const blocked = open.filter((result) => result.status === 'blocked' || result.status === 'error')
  const { causes } = findCauses([...failed, ...blocked].filter(decides))
  const expectedFailures = run.results.filter((result) => result.expectedFailure !== undefined)
  const details = (results: readonly ReportedResult[]) =>
    results.map((result) => renderDetails(result, requirements, paint))
  return [
    ...section(
      paint.bad('FIX FIRST'),
      causes.map(({ sentence, extent }) => `  ${sentence}; ${extent}\n`),
    ),
    ...section(paint.bad('FAILED'), details(failed.filter(decides))),
    ...section(
      paint.doubt('SHOULD failures (do not affect the verdict)'),
      details(failed.filter((result) => !decides(result))),
    ),
    ...section(
      paint.doubt('BLOCKED'),
      blocked.map((result) => renderBlocked(result, paint)),
    ),
    ...section(
      paint.doubt('Expected failures'),
      expectedFailures.map(
        (result) =>
          `  ${result.id}  ${visible(result.title)}\n      expected because ${visible(result.expectedFailure ?? '')}\n`,
      ),
    ),
    ...section(
      paint.doubt('Expected failures that passed: remove them from the list'),
      run.staleExpectedFailures.map(({ id, reason }) => `  ${id}  (${visible(reason)})\n`),
    ),
    ...section('Skipped', renderAllSkipped(open.filter(({ status }) => status === 'skipped'))),
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

/** Renders a blocked rule in short: one missing operation blocks a hundred rules. The other reports are complete. */
function renderBlocked(result: ReportedResult, paint: Paint): string {
  const reason = result.message ?? ''
  const short = result.status === 'error' || reason.length <= 400 ? reason : `${reason.slice(0, 400)}…`
  return `  ${paint.strong(result.id)}  ${visible(result.title)}\n${row('reason', short, paint)}\n`
}

function renderDetails(result: ReportedResult, requirements: readonly Requirement[], paint: Paint): string {
  const parts = collectFailureParts(result, requirements)
  const lines = [
    `  ${paint.strong(result.id)}  ${visible(result.title)}`,
    row('rule', [parts.source, ...parts.requirements].join('\n'), paint),
    row('read', parts.read, paint),
    row('finding', parts.message, paint),
    row('expected', parts.expected, paint),
    row('actual', parts.actual, paint),
    row('exchange', parts.exchange, paint),
    row('story', parts.story, paint),
    row('repeat', parts.curl, paint),
  ]
  return `${lines.filter((line) => line !== '').join('\n')}\n`
}

function row(label: string, text: string | undefined, paint: Paint): string {
  if (text === undefined) return ''
  const [first = '', ...rest] = visible(text).split('\n')
  return [`    ${paint.faint(label.padEnd(9))} ${first}`, ...rest.map((line) => `              ${line}`)].join('\n')
}
