import { addressOfRule } from '../specification.ts'
import { type Cause, findCauses } from './causes.ts'
import type { FinishedRun, ReportedResult } from './finished-run.ts'
import { orderToMend } from './order.ts'
import type { Paint } from './paint.ts'
import { compareSections } from './sections.ts'
import { visible } from './visible.ts'

/** Findings that are shown with what was expected and what came; the others by their ids. */
const mostFindings = 3

/** Most ids in one line of them. */
const mostIds = 6

const longestLine = 150

/** The report on one screen: the verdict, what to mend first, the first findings. `repeat` names the script of a rule. */
export function renderBrief(run: FinishedRun, paint: Paint, repeat: (id: string) => string | undefined): string {
  const decides = (result: ReportedResult): boolean => result.level === 'must' || run.level === 'should'
  const open = run.results.filter((result) => result.knownDeviation === undefined).toSorted(compareSections)
  const wrong = open.filter(({ status }) => status === 'failed' || status === 'blocked' || status === 'error')
  const { causes, rest } = findCauses(wrong.filter(decides))
  const failed = orderToMend(rest.filter(({ status }) => status === 'failed'))
  const unjudged = rest.filter(({ status }) => status !== 'failed')
  const inapplicable = open.filter(({ status }) => status === 'inapplicable')
  const aside = wrong.filter((result) => !decides(result))
  const blocks = [
    ...causes.flatMap((cause, index) => renderCause(cause, index, paint, repeat)),
    ...(failed.length === 0 ? [] : [paint.bad(causes.length === 0 ? 'NOT KEPT' : 'THEN')]),
    ...failed.slice(0, mostFindings).flatMap((result) => renderFinding(result, paint, repeat)),
    ...line('more not kept', failed.slice(mostFindings)),
    ...line('could not be judged', unjudged),
    ...unjudged.slice(0, 1).flatMap(({ message = '' }) => renderReason(message, causes.length + failed.length === 0)),
    ...line('SHOULD, not kept (does not decide)', aside),
    ...run.results
      .filter((result) => result.knownDeviation !== undefined)
      .map(
        (result) => `  ${result.id}  ${cut(result.title)}\n      known because ${visible(result.knownDeviation ?? '')}`,
      ),
    ...(run.staleDeviations.length === 0
      ? []
      : [
          `Known deviations that are none any more: take them off the list\n\n${run.staleDeviations.map(({ id, reason }) => `  ${id}  (${visible(reason)})`).join('\n')}`,
        ]),
    ...line('did not apply', inapplicable).map((text) => `${text}${becauseOf(inapplicable)}`),
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
    `      read      ${addressOfRule(result)}`,
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
  if (results.length <= mostIds) return [`  ${results.length} ${what}: ${results.map(({ id }) => id).join(', ')}`]
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
  return first.length > longestLine ? `${first.slice(0, longestLine)}…` : first
}

/** The last lines of every text: counts and the verdict. */
export function renderEnd(run: FinishedRun, paint: Paint): string {
  const { passed, failed, blocked, inapplicable, error } = run.summary
  const colour = run.exitCode === 0 ? paint.good : run.exitCode === 3 ? paint.doubt : paint.bad
  return [
    `${run.target}  profile ${run.profile}, seed ${run.seed}, ${(run.ms / 1000).toFixed(1)} s`,
    `${passed} passed, ${failed} failed, ${blocked} blocked, ${error} errors of the suite, ${inapplicable} did not apply`,
    colour(run.verdict),
    '',
  ].join('\n')
}
