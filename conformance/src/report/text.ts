import type { Requirement } from '../rule.ts'
import { anchorOfRule, compareSections } from '../specification.ts'
import { type Cause, findCauses, orderForFixing } from './causes.ts'
import { type Paint, visible } from './paint.ts'
import { collectFailureParts, type FinishedRun, type ReportedResult } from './reported-result.ts'

/** Findings that are shown with what was expected and what came; the others by their ids. */
const maxFindings = 3

/** Most ids in one line of them. */
const maxIds = 6

const maxLineLength = 150

/** The report on one screen: the verdict, what to mend first, the first findings. `repeat` names the script of a rule. */
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
    ...(failed.length === 0 ? [] : [paint.bad(causes.length === 0 ? 'NOT KEPT' : 'THEN')]),
    ...failed.slice(0, maxFindings).flatMap((result) => renderFinding(result, paint, repeat)),
    ...line('more not kept', failed.slice(maxFindings)),
    ...line('could not be judged', blockedResults),
    ...blockedResults
      .slice(0, 1)
      .flatMap(({ message = '' }) => renderReason(message, causes.length + failed.length === 0)),
    ...line('SHOULD, not kept (does not decide)', aside),
    ...run.results
      .filter((result) => result.expectedFailure !== undefined)
      .map(
        (result) =>
          `  ${result.id}  ${cut(result.title)}\n      known because ${visible(result.expectedFailure ?? '')}`,
      ),
    ...(run.staleExpectedFailures.length === 0
      ? []
      : [
          `Known deviations that are none any more: take them off the list\n\n${run.staleExpectedFailures.map(({ id, reason }) => `  ${id}  (${visible(reason)})`).join('\n')}`,
        ]),
    ...line('did not apply', skipped).map((text) => `${text}${becauseOf(skipped)}`),
    ...(run.notes ?? []).map((note) => `  note: ${visible(note)}`),
    ...(wrong.length === 0 ? [] : ['  all of it: --verbose, or --report html=FILE', '']),
  ]
  return [...blocks, renderEnd(run, paint)].join('\n')
}

function renderCause(
  { sentence, extent, results, example }: Cause,
  index: number,
  paint: Paint,
  repeat: (id: string) => string | undefined,
): string[] {
  const heading = paint.bad(index === 0 ? `MEND THIS FIRST: ${sentence}` : `Then: ${sentence}`)
  if (example !== undefined)
    return [heading, `    ${extent}; this one shows it:`, ...renderFinding(example, paint, repeat), '']
  const [first] = results
  const curl = first?.curl?.startsWith('curl') === true ? first.curl.replaceAll(/\s*\\\n\s*/g, ' ') : undefined
  const expected = first?.expected === undefined ? '' : `Expected ${cut(first.expected)}; came: `
  const message = first?.actual ?? first?.message?.split('\n')[0] ?? ''
  return [
    heading,
    `    ${extent}. ${expected}${cut(message)}`,
    ...(curl === undefined ? [] : [`    ${visible(curl).slice(0, 400)}`]),
    '',
  ]
}

function renderFinding(result: ReportedResult, paint: Paint, repeat: (id: string) => string | undefined): string[] {
  const script = repeat(result.id)
  return [
    `  ${paint.strong(result.id)}  ${cut(result.title)}`,
    `      expected  ${cut(result.expected ?? result.message ?? '')}`,
    ...(result.actual === undefined ? [] : [`      came      ${cut(result.actual)}`]),
    `      read      ${anchorOfRule(result)}`,
    ...(script === undefined ? [] : [`      repeat    sh ${script}`]),
  ]
}

/** The reason; with the lines that say what to do about it, where nothing else is to be mended first. */
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

/** Why rules did not apply, each reason once, as the end of their line. */
function becauseOf(results: readonly ReportedResult[]): string {
  const reasons = new Set(results.flatMap(({ message }) => message?.split('\n')[0] ?? []))
  return reasons.size === 0 ? '' : `, because ${[...reasons].map(cut).join('; ')}`
}

function cut(text: string): string {
  const first = visible(text).split('\n')[0] ?? ''
  return first.length > maxLineLength ? `${first.slice(0, maxLineLength)}…` : first
}

/** The last lines of every text: counts and the verdict. */
function renderEnd(run: FinishedRun, paint: Paint): string {
  const { passed, failed, blocked, skipped, error } = run.summary
  const color = run.exitCode === 0 ? paint.good : run.exitCode === 3 ? paint.doubt : paint.bad
  return [
    `${run.target}  profile ${run.profile}, seed ${run.seed}, ${(run.ms / 1000).toFixed(1)} s`,
    `${passed} passed, ${failed} failed, ${blocked} blocked, ${error} errors of the suite, ${skipped} did not apply`,
    color(run.verdict),
    '',
  ].join('\n')
}

/** The report for a person at a terminal: what was not kept, each with what to do, and the verdict last. */
export function renderText(run: FinishedRun, requirements: readonly Requirement[], paint: Paint): string {
  const decides = (result: ReportedResult) => result.level === 'must' || run.level === 'should'
  const open = run.results.filter((result) => result.expectedFailure === undefined).toSorted(compareSections)
  const failed = open.filter((result) => result.status === 'failed')
  const blocked = open.filter((result) => result.status === 'blocked' || result.status === 'error')
  const { causes } = findCauses([...failed, ...blocked].filter(decides))
  const known = run.results.filter((result) => result.expectedFailure !== undefined)
  const details = (results: readonly ReportedResult[]) =>
    results.map((result) => renderDetails(result, requirements, paint))
  return [
    ...section(
      paint.bad('MEND FIRST'),
      causes.map(({ sentence, extent }) => `  ${sentence}; ${extent}\n`),
    ),
    ...section(paint.bad('NOT KEPT'), details(failed.filter(decides))),
    ...section(paint.doubt('SHOULD, not kept (does not decide)'), details(failed.filter((result) => !decides(result)))),
    ...section(
      paint.doubt('COULD NOT BE JUDGED'),
      blocked.map((result) => renderBlocked(result, paint)),
    ),
    ...section(
      paint.doubt('Known deviations'),
      known.map(
        (result) =>
          `  ${result.id}  ${visible(result.title)}\n      known because ${visible(result.expectedFailure ?? '')}\n`,
      ),
    ),
    ...section(
      paint.doubt('Known deviations that are none any more: take them off the list'),
      run.staleExpectedFailures.map(({ id, reason }) => `  ${id}  (${visible(reason)})\n`),
    ),
    ...section(
      'Did not apply',
      open
        .filter((result) => result.status === 'skipped')
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
