import { randomInt } from 'node:crypto'
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writePasswordGrant } from '../access-tokens.ts'
import { type Client, openClient, type Target } from '../client.ts'
import { openReceiver, type Receiver, type ReceiverOptions } from '../receiver/receiver.ts'
import { createPaint, wantsColors } from '../report/paint.ts'
import type { ExpectedFailure, FinishedRun, ReportedResult } from '../report/reported-result.ts'
import { renderBrief, renderText } from '../report/text.ts'
import { decideVerdict, findStaleExpectedFailures, markExpectedFailures } from '../report/verdict.ts'
import { clearReports, type ReportTarget, writeReports } from '../report/write-reports.ts'
import { type Restart, restartBy, restartManually } from '../restart.ts'
import { Blocked, NoResponse, type RunReport } from '../result.ts'
import type { Requirement, Rule } from '../rule.ts'
import { runRules } from '../runner.ts'
import { suiteVersion } from '../specification.ts'
import {
  type Arguments,
  offerNearMatches,
  readRunSettings,
  readSelection,
  readTarget,
  type Selection,
  UsageError,
} from './arguments.ts'
import { findConnectionProblem } from './doctor.ts'
import { type CommandContext, createProgress } from './output.ts'
import { checkSelection, selectRules } from './rule-lists.ts'

/** Findings about a server before the first rule. */
interface Preflight {
  /** Why a run would be pointless, in one sentence. */
  readonly problem?: string
  /** Shortest time of a sync response, in milliseconds. */
  readonly latencyMs: number
  /** Whether the server handles one connection after the other: a second one waits until the first is closed. */
  readonly isOneByOne: boolean
}

/** Checks before a run whether the server responds, how long it takes, and how many connections it serves at once. */
async function inspectServer(target: Target): Promise<Preflight> {
  const problem = await findConnectionProblem(target)
  if (problem !== undefined) return { problem, latencyMs: 0, isOneByOne: false }
  const first = openClient(target)
  try {
    const latencyMs = await measureLatency(first, target)
    return { latencyMs, isOneByOne: latencyMs > 0 && (await isSecondConnectionBlocked(target, latencyMs)) }
  } finally {
    first.close()
  }
}

/** Measures the latency, in milliseconds; 0 when that was not possible. The client's connection stays open. */
async function measureLatency(client: Client, target: Target): Promise<number> {
  try {
    const reply = await client.send({ path: 'token', form: writePasswordGrant(target, 0) }, () => {})
    const token = reply.json?.access_token
    const query = [['limit', '1'], ...(typeof token === 'string' ? [['access_token', token] as const] : [])] as const
    const times: number[] = []
    for (let count = 0; count < 3; count += 1) {
      const response = await client.send({ path: 'sync', query }, () => {})
      times.push(response.exchange.ms)
    }
    return Math.max(1, Math.min(...times))
  } catch (error) {
    if (error instanceof NoResponse || error instanceof Blocked) return 0
    throw error
  }
}

async function isSecondConnectionBlocked(target: Target, latencyMs: number): Promise<boolean> {
  const second = openClient({ ...target, timeoutMs: Math.max(1500, latencyMs * 5) })
  try {
    await second.send({ path: 'sync' }, () => {})
    return false
  } catch (error) {
    if (error instanceof NoResponse) return error.isSilence
    if (error instanceof Blocked) return false
    throw error
  } finally {
    second.close()
  }
}

/** Number of responses that the clean-up waits for, and its longest time, in milliseconds. */
const cleanUp = { responses: 5, maxMs: 10_000 }

/** Returns the milliseconds of the budget that are not for the rules: spent before them, or kept for the clean-up. */
function reserveTime({ latencyMs }: Preflight, spentMs: number): number {
  return spentMs + Math.min(cleanUp.maxMs, cleanUp.responses * latencyMs)
}

/** Concurrency and size of a run against one server. */
interface RunPlan {
  readonly jobs: number
  readonly histories: number
  /** Estimated time of the run, in seconds. */
  readonly seconds: number
}

/** Average number of requests that rules send. */
const requestsOf = { rule: 6, aloneRule: 14, history: 46 }

/** Longest time for random histories when the user gives no number of them. */
const historiesMs = 20_000

/** Plans a run: more jobs where responses take long, fewer histories for slow servers. */
function planRun(
  { latencyMs, isOneByOne }: Preflight,
  count: { readonly together: number; readonly alone: number; readonly hasHistories: boolean },
  requested: { readonly jobs?: number | undefined; readonly histories?: number | undefined },
): RunPlan {
  const jobs = requested.jobs ?? (isOneByOne ? 1 : latencyMs > 50 ? 16 : 4)
  const fitting = Math.floor(historiesMs / (requestsOf.history * Math.max(1, latencyMs)))
  const histories = requested.histories ?? Math.max(2, Math.min(20, fitting))
  const requests =
    (count.together * requestsOf.rule) / jobs +
    count.alone * requestsOf.aloneRule +
    (count.hasHistories ? Math.max(4, histories) * requestsOf.history : 0)
  return { jobs, histories, seconds: (requests * Math.max(latencyMs, 5)) / 1000 }
}

/** Reads the file of `--expect`, a JSON array of `{id, reason}`. @throws UsageError that says what is wrong with it. */
export async function readExpectedFailures(
  file: string,
  knownIds: readonly string[],
): Promise<readonly ExpectedFailure[]> {
  const entries = parseList(file, await readText(file))
  const expectedFailures = entries.map((entry, index) => readEntry(file, entry, index))
  const ids = expectedFailures.map(({ id }) => id)
  for (const [index, id] of ids.entries()) {
    if (!knownIds.includes(id))
      throw new UsageError(`--expect ${file}: there is no rule ${id}${offerNearMatches(id, knownIds)}`)
    if (ids.indexOf(id) !== index) throw new UsageError(`--expect ${file} names ${id} twice; keep one entry`)
  }
  return expectedFailures
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error)
      throw new UsageError(`--expect ${file} cannot be read (${error.code}); give a readable file`)
    throw error
  }
}

function parseList(file: string, text: string): readonly unknown[] {
  const list = parse(file, text)
  if (Array.isArray(list)) return list
  throw new UsageError(`--expect ${file} must contain a JSON array of {"id", "reason"} objects`)
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`--expect ${file} is not JSON: ${error.message}`)
    throw error
  }
}

function readEntry(file: string, entry: unknown, index: number): ExpectedFailure {
  const { id, reason } = (typeof entry === 'object' && entry !== null ? entry : {}) as {
    id?: unknown
    reason?: unknown
  }
  // IDs are written in capitals, and read in any case.
  if (typeof id === 'string' && typeof reason === 'string' && reason.trim() !== '')
    return { id: id.toUpperCase(), reason }
  throw new UsageError(
    `--expect ${file}: entry ${index + 1} needs an "id" (a rule's) and a "reason" (why it fails), both texts`,
  )
}

/** Writes the script of each failed rule into the folder, by default a new one; returns the command that repeats a rule. */
async function writeScripts(
  results: readonly ReportedResult[],
  folder: string | undefined,
): Promise<(id: string) => string | undefined> {
  const written = results.flatMap(({ id, script }) => (script === undefined ? [] : [{ id, script }]))
  if (written.length === 0) return () => undefined
  const target = folder ?? (await mkdtemp(join(tmpdir(), 'thingsync-conformance-')))
  await mkdir(target, { recursive: true })
  for (const { id, script } of written) await writeFile(join(target, `${id}.sh`), script)
  return (id) => (written.some((each) => each.id === id) ? `sh ${join(target, `${id}.sh`)}` : undefined)
}

/** Checks a server: runs the selected rules, prints and writes the reports, and resolves to the exit code. */
export async function run(
  given: Arguments,
  context: CommandContext,
  requirements: readonly Requirement[],
): Promise<number> {
  const { output, errors, environment, signal } = context
  const target = readTarget(given)
  const selection = readSelection(given)
  const settings = readRunSettings(given)
  const selected = selectRules(context.rules, selection)
  // With no history played, a history rule would pass without checking anything.
  const rules = selected.filter((rule) => settings.histories !== 0 || !rule.id.startsWith('HISTORY-'))
  checkSelection(rules, selection)
  const allIds = context.rules.map((rule) => rule.id)
  const expectedFailures =
    settings.expectFile === undefined ? [] : await readExpectedFailures(settings.expectFile, allIds)
  const restart = chooseRestart(settings, context)
  await prepareReports(settings.reports)
  const seed = settings.seed ?? randomInt(2 ** 32)
  const finish = async (finished: FinishedRun): Promise<number> => {
    const paint = createPaint(wantsColors(output.isTerminal, environment))
    const repeat = await writeScripts(finished.results, settings.scripts)
    output.write(settings.verbose ? renderText(finished, requirements, paint) : renderBrief(finished, paint, repeat))
    await writeReports(settings.reports, finished, requirements)
    return finished.exitCode
  }

  const startedAt = performance.now()
  const preflight = await Promise.race([inspectServer(target), whenAborted(signal)])
  if (preflight === undefined) {
    const verdict = 'INTERRUPTED: before the first rule.'
    return finish(describeRunWithoutResults({ target, selection, seed, exitCode: interruptedCode(signal), verdict }))
  }
  const { problem, latencyMs, isOneByOne } = preflight
  if (problem !== undefined) {
    return finish(describeRunWithoutResults({ target, selection, seed, exitCode: 2, verdict: `NOT RUN: ${problem}.` }))
  }
  const alone = rules.filter((rule) => rule.alone === true && !rule.id.startsWith('HISTORY-')).length
  const hasHistories = rules.some((rule) => rule.id.startsWith('HISTORY-'))
  const runPlan = planRun(preflight, { together: rules.length - alone, alone, hasHistories }, settings)
  if (isOneByOne)
    errors.write('the server handles one connection at a time: the suite uses one, and runs no rules side by side\n')
  if (runPlan.seconds > 30) {
    const advice = settings.budgetMs === undefined ? '; --budget 60s checks what fits into a minute' : ''
    errors.write(
      `a response takes about ${latencyMs} ms: the run will take about ${describeTime(runPlan.seconds)}${advice}\n`,
    )
  }
  const adjustedTarget = isOneByOne ? { ...target, connections: 1 } : target
  const spentMs = reserveTime(preflight, performance.now() - startedAt)
  const receiver = settings.receiver === undefined ? undefined : await listen(settings.receiver)
  const runSettings = { ...settings, ...runPlan, receiver, restart, seed, spentMs }
  const report = await checkServer(adjustedTarget, rules, selection, runSettings, context).finally(() =>
    receiver?.close(),
  )
  if (signal.aborted && typeof report !== 'string') {
    const exitCode = interruptedCode(signal)
    const seen = report.results.filter(({ status }) => status !== 'blocked').length
    const failed =
      report.summary.mustFailed === 0 ? 'no MUST failed so far' : `${report.summary.mustFailed} MUST failed so far`
    const verdict = `INTERRUPTED: ${seen} of ${report.results.length} rules were checked, ${failed}.`
    const results = markExpectedFailures(report.results, expectedFailures)
    const { summary } = decideVerdict(results, selection.level, selection.profile)
    return finish({ ...report, level: selection.level, results, summary, staleExpectedFailures: [], exitCode, verdict })
  }
  if (typeof report === 'string') {
    return finish(
      describeRunWithoutResults({ target, selection, seed, exitCode: 3, verdict: `INCONCLUSIVE: ${report}.` }),
    )
  }
  const results = markExpectedFailures(report.results, expectedFailures)
  const verdict = decideVerdict(results, selection.level, selection.profile)
  return finish({
    ...report,
    ...verdict,
    level: selection.level,
    results,
    staleExpectedFailures: findStaleExpectedFailures(results, expectedFailures),
  })
}

/** Returns how the server is restarted; undefined when it is not. @throws UsageError without a terminal to ask on. */
function chooseRestart(
  { restart, isRestartedManually }: { readonly restart: string | undefined; readonly isRestartedManually: boolean },
  { errors, input }: CommandContext,
): Restart | undefined {
  if (restart !== undefined) return restartBy(restart)
  if (!isRestartedManually) return undefined
  if (input === undefined)
    throw new UsageError('--restart-manually needs a terminal; give a command with --restart instead')
  return restartManually({ say: errors.write, waitForEnter: input.waitForEnter })
}

async function listen(options: ReceiverOptions): Promise<Receiver> {
  try {
    return await openReceiver(options)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    const { host, port } = options
    throw new UsageError(
      `--webhook-listen: cannot listen on ${host}:${port} (${String(error.code)}); give another address`,
    )
  }
}

/** Resolves to nothing once the signal is aborted. */
function whenAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined)
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
}

/** Returns 143 for SIGTERM, else 130. */
export function interruptedCode(signal: AbortSignal): 130 | 143 {
  return signal.reason === 'SIGTERM' ? 143 : 130
}

function describeTime(seconds: number): string {
  return seconds < 90 ? `${Math.round(seconds / 10) * 10} s` : `${Math.round(seconds / 60)} min`
}

interface CheckSettings {
  readonly seed: number
  readonly jobs: number
  readonly histories: number
  readonly budgetMs: number | undefined
  readonly spentMs: number
  readonly restart: Restart | undefined
  readonly receiver: Receiver | undefined
  readonly wipe: boolean
}

/** Runs the rules and resolves to the report, or to a sentence that says why there is none. */
async function checkServer(
  target: Target,
  rules: readonly Rule[],
  selection: Selection,
  settings: CheckSettings,
  { errors, environment, signal }: CommandContext,
): Promise<RunReport | string> {
  const { seed, jobs, histories, budgetMs, spentMs, restart, wipe, receiver } = settings
  const progress = createProgress(errors, rules.length, createPaint(wantsColors(errors.isTerminal, environment)))
  const leftovers: string[] = []
  try {
    return await runRules({
      ...{ target, rules, profile: selection.profile, level: selection.level, seed, wipe, signal, jobs, histories },
      ...(budgetMs === undefined ? {} : { budgetMs, spentMs }),
      ...(restart === undefined ? {} : { restart }),
      ...(receiver === undefined ? {} : { receiver }),
      onResult: progress.show,
      onLeftover: (sentence) => leftovers.push(sentence),
    })
  } catch (error) {
    if (error instanceof Blocked) return error.message
    throw error
  } finally {
    progress.end()
    for (const sentence of leftovers) errors.write(`clean-up (not part of the verdict): ${sentence}\n`)
  }
}

export async function prepareReports(reports: readonly ReportTarget[]): Promise<void> {
  try {
    await clearReports(reports)
  } catch (error) {
    if (!(error instanceof Error && 'path' in error && 'code' in error)) throw error
    throw new UsageError(
      `--report: ${String(error.path)} cannot be written (${String(error.code)}); give a file in a writable folder`,
    )
  }
}

interface RunWithoutResults {
  readonly target: Target
  readonly selection: Selection
  readonly seed: number
  readonly exitCode: 2 | 3 | 130 | 143
  readonly verdict: string
}

/** Describes a run without results in the shape of a finished run, so that no report keeps an older verdict. */
function describeRunWithoutResults({ target, selection, seed, exitCode, verdict }: RunWithoutResults): FinishedRun {
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
    staleExpectedFailures: [],
  }
}
