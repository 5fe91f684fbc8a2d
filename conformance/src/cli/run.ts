import { randomInt } from 'node:crypto'
import type { Clause } from '../clauses/clause.ts'
import { Blocked } from '../finding.ts'
import { suiteVersion } from '../package-root.ts'
import { openReceiver, type Receiver, type ReceiverOptions } from '../receiver/receiver.ts'
import { renderBrief } from '../report/brief.ts'
import type { FinishedRun } from '../report/finished-run.ts'
import { createPaint, wantsColours } from '../report/paint.ts'
import { renderText } from '../report/text.ts'
import { decideVerdict, findStaleDeviations, markKnownDeviations } from '../report/verdict.ts'
import { clearReports, type ReportTarget, writeReports } from '../report/write-reports.ts'
import type { RunReport } from '../result.ts'
import type { Rule } from '../rule.ts'
import { runRules } from '../runner.ts'
import type { Target } from '../target.ts'
import { readExpectations } from './expectations.ts'
import { inspectServer, layOut, reserveTime } from './preflight.ts'
import { createProgress } from './progress.ts'
import type { Arguments } from './read-arguments.ts'
import { restartBy } from './restart-command.ts'
import { refuseEmptySelection, selectRules } from './select-rules.ts'
import { readRunSettings, readSelection, readTarget, type Selection } from './settings.ts'
import type { Surroundings } from './surroundings.ts'
import { UsageError } from './usage-error.ts'
import { writeScripts } from './write-scripts.ts'

/** Judges a server: runs the selected rules, prints and writes the reports, and resolves to the exit code. */
export async function run(given: Arguments, surroundings: Surroundings, clauses: readonly Clause[]): Promise<number> {
  const { output, errors, environment, signal } = surroundings
  const target = readTarget(given)
  const selection = readSelection(given)
  const settings = readRunSettings(given)
  const selected = selectRules(surroundings.rules, selection)
  // Without a history played, a history rule would pass without having judged anything.
  const rules = selected.filter((rule) => settings.histories !== 0 || !rule.id.startsWith('HISTORY-'))
  refuseEmptySelection(rules, selection)
  const allIds = surroundings.rules.map((rule) => rule.id)
  const known = settings.expectFile === undefined ? [] : await readExpectations(settings.expectFile, allIds)
  await prepareReports(settings.reports)
  const seed = settings.seed ?? randomInt(2 ** 32)
  const finish = async (finished: FinishedRun): Promise<number> => {
    const paint = createPaint(wantsColours(output.isTerminal, environment))
    const repeat = await writeScripts(finished.results, settings.scripts)
    output.write(settings.verbose ? renderText(finished, clauses, paint) : renderBrief(finished, paint, repeat))
    await writeReports(settings.reports, finished, clauses)
    return finished.exitCode
  }

  const startedAt = performance.now()
  const preflight = await Promise.race([inspectServer(target), whenAborted(signal)])
  if (preflight === undefined) {
    const verdict = 'INTERRUPTED: before the first rule.'
    return finish(describeRunWithoutResults({ target, selection, seed, exitCode: interruptedCode(signal), verdict }))
  }
  const { trouble, latencyMs, isOneByOne } = preflight
  if (trouble !== undefined) {
    return finish(describeRunWithoutResults({ target, selection, seed, exitCode: 2, verdict: `NOT RUN: ${trouble}.` }))
  }
  const alone = rules.filter((rule) => rule.alone === true && !rule.id.startsWith('HISTORY-')).length
  const hasHistories = rules.some((rule) => rule.id.startsWith('HISTORY-'))
  const layout = layOut(preflight, { together: rules.length - alone, alone, hasHistories }, settings)
  if (isOneByOne)
    errors.write('the server answers one connection at a time: one is used, and nothing runs side by side\n')
  if (layout.seconds > 30) {
    const advice = settings.budgetMs === undefined ? '; --budget 60s judges what fits into a minute' : ''
    errors.write(
      `an answer takes about ${latencyMs} ms: the run will take about ${describeTime(layout.seconds)}${advice}\n`,
    )
  }
  const way = isOneByOne ? { ...target, connections: 1 } : target
  const spentMs = reserveTime(preflight, performance.now() - startedAt)
  const receiver = settings.receiver === undefined ? undefined : await listen(settings.receiver)
  const playing = { ...settings, ...layout, receiver, seed, spentMs }
  const report = await judge(way, rules, selection, playing, surroundings).finally(() => receiver?.close())
  if (signal.aborted && typeof report !== 'string') {
    const exitCode = interruptedCode(signal)
    const seen = report.results.filter(({ status }) => status !== 'blocked').length
    const failed =
      report.summary.mustFailed === 0 ? 'no MUST failed so far' : `${report.summary.mustFailed} MUST failed so far`
    const verdict = `INTERRUPTED: ${seen} of ${report.results.length} rules were judged, ${failed}.`
    const results = markKnownDeviations(report.results, known)
    const { summary } = decideVerdict(results, selection.level, selection.profile)
    return finish({ ...report, level: selection.level, results, summary, staleDeviations: [], exitCode, verdict })
  }
  if (typeof report === 'string') {
    return finish(
      describeRunWithoutResults({ target, selection, seed, exitCode: 3, verdict: `INCONCLUSIVE: ${report}.` }),
    )
  }
  const results = markKnownDeviations(report.results, known)
  const verdict = decideVerdict(results, selection.level, selection.profile)
  return finish({
    ...report,
    ...verdict,
    level: selection.level,
    results,
    staleDeviations: findStaleDeviations(results, known),
  })
}

async function listen(options: ReceiverOptions): Promise<Receiver> {
  try {
    return await openReceiver(options)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    const { host, port } = options
    throw new UsageError(`--webhook-listen: can't listen on ${host}:${port} (${String(error.code)}); name another`)
  }
}

/** Resolves to nothing once the signal is aborted. */
function whenAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined)
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
}

/** 143 for SIGTERM, else 130. */
function interruptedCode(signal: AbortSignal): 130 | 143 {
  return signal.reason === 'SIGTERM' ? 143 : 130
}

function describeTime(seconds: number): string {
  return seconds < 90 ? `${Math.round(seconds / 10) * 10} s` : `${Math.round(seconds / 60)} min`
}

interface Playing {
  readonly seed: number
  readonly jobs: number
  readonly histories: number
  readonly budgetMs: number | undefined
  readonly spentMs: number
  readonly restart: string | undefined
  readonly receiver: Receiver | undefined
  readonly wipe: boolean
}

/** The report of the run, or the sentence why there is none. */
async function judge(
  target: Target,
  rules: readonly Rule[],
  selection: Selection,
  settings: Playing,
  { errors, environment, signal }: Surroundings,
): Promise<RunReport | string> {
  const { seed, jobs, histories, budgetMs, spentMs, restart, wipe, receiver } = settings
  const progress = createProgress(errors, rules.length, createPaint(wantsColours(errors.isTerminal, environment)))
  const leftovers: string[] = []
  try {
    return await runRules({
      ...{ target, rules, profile: selection.profile, level: selection.level, seed, wipe, signal, jobs, histories },
      ...(budgetMs === undefined ? {} : { budgetMs, spentMs }),
      ...(restart === undefined ? {} : { restart: restartBy(restart) }),
      ...(receiver === undefined ? {} : { receiver }),
      onResult: progress.show,
      onLeftover: (sentence) => leftovers.push(sentence),
    })
  } catch (error) {
    if (error instanceof Blocked) return error.message
    throw error
  } finally {
    progress.end()
    for (const sentence of leftovers) errors.write(`clean-up, which decides nothing: ${sentence}\n`)
  }
}

async function prepareReports(reports: readonly ReportTarget[]): Promise<void> {
  try {
    await clearReports(reports)
  } catch (error) {
    if (!(error instanceof Error && 'path' in error && 'code' in error)) throw error
    throw new UsageError(
      `--report: ${String(error.path)} can't be written (${String(error.code)}); name a file in a folder that can`,
    )
  }
}

interface Unrun {
  readonly target: Target
  readonly selection: Selection
  readonly seed: number
  readonly exitCode: 2 | 3 | 130 | 143
  readonly verdict: string
}

/** The run that did not take place, in the shape of one that did, so that no report keeps an older verdict. */
function describeRunWithoutResults({ target, selection, seed, exitCode, verdict }: Unrun): FinishedRun {
  return {
    suite: 'thingsync-conformance',
    version: suiteVersion,
    target: target.baseUrl,
    profile: selection.profile,
    seed,
    startedAt: new Date().toISOString(),
    ms: 0,
    exitCode,
    verdict,
    level: selection.level,
    summary: decideVerdict([], selection.level, selection.profile).summary,
    results: [],
    staleDeviations: [],
  }
}
