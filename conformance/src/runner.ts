import { setTimeout as wait } from 'node:timers/promises'
import type { Incidents, Target } from './client.ts'
import type { Mistake } from './known-mistakes.ts'
import type { Timeouts } from './lab.ts'
import type { Receiver } from './receiver/receiver.ts'
import { writeCurl, writeRepeatScript } from './repeat-script.ts'
import { decideVerdict } from './report/verdict.ts'
import { gatherForRestart, type Participant, type Restart } from './restart.ts'
import type { Exchange, Level, Profile, RuleResult, RunReport, Status } from './result.ts'
import { Blocked, Finding, NoResponse, RunEnded, Skipped } from './result.ts'
import type { Rule } from './rule.ts'
import { suiteVersion } from './specification.ts'
import { type Budget, openSuiteRun, type SuiteRun } from './suite-run.ts'

/** What to run and how. */
export interface RunOptions {
  readonly target: Target
  /** The rules to run, already selected; results come in this order. */
  readonly rules: readonly Rule[]
  readonly profile: Profile
  /** Level that decides the verdict; default `must`. */
  readonly level?: Level
  readonly seed: number
  /** Rules run at the same time; default 4. Rules marked `alone` run one by one after the others. */
  readonly jobs?: number
  /** Random histories; default 20. */
  readonly histories?: number
  /** The receiver of webhooks that the suite plays; without one the rules that need it do not apply. */
  readonly receiver?: Receiver
  /** How long to wait for what has to come; default: the target's time-out, and 20 s for what is tried again. */
  readonly timeouts?: Timeouts
  /** Delete everything in the accounts first. */
  readonly wipe?: boolean
  /** Called at each result, in the order they come. */
  readonly onResult?: (result: RuleResult) => void
  /** Called with what the clean-up could not do. */
  readonly onLeftover?: (sentence: string) => void
  /** Ends the run early: rules not finished are blocked, what was made is cleaned up as far as a second allows. */
  readonly signal?: AbortSignal
  /** Longest time for the end of a run that the signal ended, in milliseconds; default 1,800: whoever interrupts it waits. */
  readonly interruptedMs?: number
  /** Starts the server again, for the rules that look at what a restart forgets; without it they do not apply. */
  readonly restart?: Restart
  /** Longest time for the run, in milliseconds; default 600,000. What is not judged by then is blocked. */
  readonly budgetMs?: number
  /** What of the budget was spent before, or is kept for the clean-up, in milliseconds. */
  readonly spentMs?: number
}

const ignore = (): void => {}

const defaultBudgetMs = 600_000

/** Longest time for the end, in milliseconds: for the uploads under way and the clean-up after them. */
const endMs = { ended: 60_000, late: 12_000, interrupted: 1800 }

/** Share of it for the uploads under way, which a server that hangs never answers. */
const settleShare = { ended: 0.05, late: 0.2, interrupted: 0.4 }

/** Exchanges shown with a failure, the last ones. */
const shownExchanges = 12

/** Rules that wait side by side; together they need fewer webhooks than the 20 that a user may have. */
const waitingJobs = 8

interface Outcome {
  readonly status: Status
  readonly message?: string
  readonly expected?: string
  readonly actual?: string
  readonly exchange?: Exchange | undefined
  readonly script?: string | undefined
  /** The run ended meanwhile: no request is to blame. */
  readonly isCutOff?: boolean
}

const checkServer = (error: unknown): Outcome => {
  if (error instanceof Finding) {
    const { expected, actual, exchange, script } = error
    return { status: 'failed', message: error.message, expected, actual, exchange, script }
  }
  if (error instanceof NoResponse) {
    const expected = 'a complete answer'
    return { status: 'failed', message: error.message, expected, actual: error.message, exchange: error.exchange }
  }
  if (error instanceof RunEnded) return { status: 'blocked', message: error.message, isCutOff: true }
  if (error instanceof Blocked) {
    const cause = error.cause
    const exchange = cause instanceof Finding || cause instanceof NoResponse ? cause.exchange : undefined
    return { status: 'blocked', message: error.message, exchange }
  }
  if (error instanceof Skipped) return { status: 'skipped', message: error.message }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { status: 'error', message: `the suite itself failed, which says nothing about the server: ${text}` }
}

/** What happened on the way, in sentences. */
const describeIncidents = ({ resent, wobbles, positionBase }: Incidents): string[] => [
  ...(positionBase === undefined
    ? []
    : [`positions are larger or finer than numbers hold; messages tell them as distances, 1000 being ${positionBase}`]),
  ...(resent === 0
    ? []
    : [`${resent} requests were sent again on a new connection, because the server had closed the kept one`]),
  ...(wobbles.length === 0
    ? []
    : [
        `${wobbles.length} requests were answered ${[...new Set(wobbles.map(({ status }) => status))].join(', ')} and otherwise when they were sent again, first ${wobbles[0]?.method} ${new URL(wobbles[0]?.url ?? 'http://-').pathname}: look at the server's log`,
      ]),
]

/** Steps of one script; a rule with more of them is a race, which one after the other shows nothing. */
const maxScriptSteps = 40

/** The request of an exchange without a useful answer: refused or without an answer. */
const findCause = ({ method, url, status }: Exchange, target: Target): RuleResult['cause'] => {
  const { pathname } = new URL(url)
  const base = new URL(target.baseUrl).pathname.replace(/\/*$/, '/')
  const path = pathname.startsWith(base) ? pathname.slice(base.length) : pathname
  if (status === undefined) return { method, path, status: 'nothing' }
  return status >= 400 ? { method, path, status } : undefined
}

/** Whether the rule judged an error: then the refusal was expected, and nothing waits for an answer. */
const checksError = ({ expected = '' }: Outcome): boolean => /\berror(?:_description)?\b/.test(expected)

/** The exchanges that the suite began. */
const findAsked = (exchanges: readonly Exchange[]): readonly Exchange[] =>
  exchanges.filter(({ isReceived }) => isReceived !== true)

const runRule = async (rule: Rule, suiteRun: SuiteRun, target: Target, part?: Participant): Promise<RuleResult> => {
  const started = performance.now()
  const { lab, close } = suiteRun.openLab(rule.id, part?.take)
  let outcome: Outcome = { status: 'passed' }
  try {
    await Promise.race([rule.check(lab), suiteRun.ended])
  } catch (error) {
    outcome = checkServer(error)
  } finally {
    part?.leave()
  }
  // What tidies up afterwards decides nothing.
  const last = findAsked(lab.exchanges).at(-1)
  await Promise.race([close(), suiteRun.ended.catch(ignore)])
  const { id, title, level, basis, profile, section, requirements } = rule
  const { status, message, expected, actual } = outcome
  const shown = status === 'failed' || status === 'blocked'
  const decisive = outcome.isCutOff === true ? undefined : (outcome.exchange ?? last)
  const curl = outcome.script ?? (decisive === undefined ? undefined : writeCurl(decisive))
  const repeated = {
    id,
    title,
    expected: suiteRun.redact(expected ?? ''),
    actual: suiteRun.redact(actual ?? message ?? ''),
  }
  const steps = findAsked(lab.exchanges).slice(-maxScriptSteps)
  const script =
    outcome.script ?? (steps.length === 0 ? undefined : writeRepeatScript(steps, repeated, suiteRun.receiverUrl))
  const cause = decisive === undefined || checksError(outcome) ? undefined : findCause(decisive, target)
  return {
    ...{ id, title, level, basis, profile, section, requirements, status },
    ...(message === undefined ? {} : { message: suiteRun.redact(message) }),
    ...(expected === undefined ? {} : { expected: suiteRun.redact(expected) }),
    ...(actual === undefined ? {} : { actual: suiteRun.redact(actual) }),
    ...(shown && curl !== undefined ? { curl } : {}),
    ...(status === 'failed' && script !== undefined ? { script } : {}),
    ...(shown && cause !== undefined ? { cause } : {}),
    ...(shown ? { exchanges: lab.exchanges.slice(-shownExchanges) } : {}),
    ms: Math.round(performance.now() - started),
  }
}

const notRun = (rule: Rule, message: string, status: Status = 'blocked'): RuleResult => {
  const { id, title, level, basis, profile, section, requirements } = rule
  return { id, title, level, basis, profile, section, requirements, status, message, ms: 0 }
}

/** The result, with the mistake that it follows from when one was seen. */
const attribute = (result: RuleResult, mistakes: readonly Mistake[]): RuleResult => {
  const mistake = result.status === 'failed' ? mistakes.find(({ follows }) => follows.includes(result.id)) : undefined
  return mistake === undefined ? result : { ...result, follows: mistake.id }
}

const noRestartReason = 'this needs a restart of the server: say with --restart COMMAND how it is started again'

/** Random histories and what does not decide: for the end of a run. */
const isLong = (rule: Rule): boolean => rule.id.startsWith('HISTORY-') || rule.level === 'should'

/** Time for the rules; ends with the signal too. */
const createBudget = (budgetMs: number, spentMs: number, interruption: AbortSignal | undefined): Budget => {
  const ending = new AbortController()
  const interrupt = (): void => ending.abort()
  const leftMs = Math.max(0, budgetMs - spentMs)
  const timer = setTimeout(() => ending.abort(), leftMs)
  const deadline = performance.now() + leftMs
  if (interruption?.aborted === true) interrupt()
  interruption?.addEventListener('abort', interrupt, { once: true })
  const isInterrupted = (): boolean => interruption?.aborted === true
  return {
    signal: ending.signal,
    remainingMs: () => Math.max(0, deadline - performance.now()),
    reason: () => (isInterrupted() ? 'the run was ended' : `the budget of ${budgetMs / 1000} s was over`),
    end: () => {
      clearTimeout(timer)
      interruption?.removeEventListener('abort', interrupt)
    },
  }
}

interface Strays {
  /** The result of the rule, or the error that it left behind. */
  readonly settle: (rule: Rule, result: RuleResult) => RuleResult
  readonly begin: (rule: Rule) => void
  readonly stop: () => void
}

const describeStray = (rule: Rule, { message = '' }: Outcome, { ms }: RuleResult): RuleResult => ({
  ...notRun(rule, message),
  status: 'error',
  ms,
})

/** Whatever a rule leaves behind that fails by itself is an error of a rule that ran then, and ends nothing. */
const catchStrays = (): Strays => {
  const running = new Set<Rule>()
  const found = new Map<Rule, unknown>()
  const take = (error: unknown): void => {
    // The neighbour of a step that failed first, or a request that the end of the run cut off.
    if (error instanceof Finding || error instanceof NoResponse || error instanceof Blocked) return
    const [rule] = running
    if (rule !== undefined) found.set(rule, error)
  }
  process.on('unhandledRejection', take)
  process.on('uncaughtException', take)
  return {
    begin: (rule) => void running.add(rule),
    settle: (rule, result) => {
      running.delete(rule)
      return found.has(rule) ? describeStray(rule, checkServer(found.get(rule)), result) : result
    },
    stop: () => {
      process.off('unhandledRejection', take)
      process.off('uncaughtException', take)
    },
  }
}

const cleanUpWithin = async (
  suiteRun: SuiteRun,
  budget: Budget,
  { signal, interruptedMs = endMs.interrupted }: RunOptions,
): Promise<readonly string[]> => {
  const isInterrupted = signal?.aborted === true
  const end = isInterrupted ? 'interrupted' : budget.signal.aborted ? 'late' : 'ended'
  const maxMs = isInterrupted ? interruptedMs : endMs[end]
  const startedAt = performance.now()
  const withoutResponse = await suiteRun.settle(maxMs * settleShare[end])
  const limit = new AbortController()
  const leftMs = maxMs - (performance.now() - startedAt)
  const late = wait(leftMs, undefined, { signal: limit.signal }).then(
    () => [`it was not finished within ${maxMs / 1000} s; what the run made is titled ${suiteRun.run}…`],
    () => [],
  )
  const cleaning = suiteRun.cleanUp(isInterrupted)
  // Given up, it may still fail for the connections that are closed under it.
  cleaning.catch(ignore)
  const hurry = (): void => void wait(interruptedMs).then(() => suiteRun.close())
  signal?.addEventListener('abort', hurry, { once: true })
  const left = await Promise.race([cleaning, late])
  limit.abort()
  signal?.removeEventListener('abort', hurry)
  if (withoutResponse === 0) return left
  return [
    ...left,
    `${withoutResponse} uploads were not answered by the end; what they made is titled ${suiteRun.run}… mostly`,
  ]
}

/** Runs the rules against the target, cleans up, and reports. Rejects only when the suite itself is broken or `wipe` fails. */
export const runRules = async (options: RunOptions): Promise<RunReport> => {
  const { target, rules, seed, signal, budgetMs = defaultBudgetMs, spentMs = 0 } = options
  const startedAt = new Date()
  const budget = createBudget(budgetMs, spentMs, signal)
  const suiteRun = openSuiteRun(
    target,
    {
      ...{ seed, histories: options.histories ?? 20, remainingMs: budget.remainingMs },
      timeouts: options.timeouts ?? { eventMs: target.timeoutMs ?? 10_000, retryMs: 20_000 },
      ...(options.receiver === undefined ? {} : { receiver: options.receiver }),
    },
    budget,
  )
  const results = new Map<Rule, RuleResult>()
  const strays = catchStrays()

  const runOneRule = async (rule: Rule, part?: Participant): Promise<RuleResult> => {
    if (budget.signal.aborted) {
      part?.leave()
      return notRun(rule, `${budget.reason()} before this rule`)
    }
    return runRule(rule, suiteRun, target, part)
  }
  const work = async (queue: Rule[], part?: Participant): Promise<void> => {
    for (let rule = queue.shift(); rule !== undefined; rule = queue.shift()) {
      strays.begin(rule)
      const checked = isWithoutRestart(rule) ? notRun(rule, noRestartReason, 'skipped') : await runOneRule(rule, part)
      const result = strays.settle(rule, checked)
      results.set(rule, result)
      options.onResult?.(result)
    }
  }
  const { restart } = options
  const isWithoutRestart = (rule: Rule): boolean => rule.restarts === true && restart === undefined
  /** All at once: each waits for the others, so that they share one restart. */
  const workAroundRestart = async (queue: readonly Rule[]): Promise<void> => {
    const { join } = gatherForRestart(queue.length, async () => restart && suiteRun.restart(restart))
    await Promise.all(queue.map((rule) => work([rule], join())))
  }

  try {
    if (options.wipe === true) await suiteRun.wipe()
    await Promise.race([suiteRun.takeBaseline(), suiteRun.ended.catch(ignore)])
    const isTogether = ({ alone, last, waits, restarts }: Rule): boolean =>
      alone !== true && last !== true && waits !== true && restarts !== true
    // What runs side by side comes first, and the longest last: a budget that ends leaves out what costs most.
    const together = rules.filter(isTogether)
    await Promise.all(Array.from({ length: options.jobs ?? 4 }, () => work(together)))
    await work(rules.filter((rule) => rule.alone === true && !isLong(rule)))
    const waits = rules.filter((rule) => rule.waits === true)
    await Promise.all(Array.from({ length: options.jobs === 1 ? 1 : waitingJobs }, () => work(waits)))
    await work(rules.filter((rule) => rule.alone === true && isLong(rule)))
    await work(rules.filter((rule) => rule.last === true))
    await workAroundRestart(rules.filter((rule) => rule.restarts === true))
  } finally {
    budget.end()
    for (const sentence of await cleanUpWithin(suiteRun, budget, options))
      options.onLeftover?.(suiteRun.redact(sentence))
    suiteRun.close()
    strays.stop()
  }
  const ordered = rules
    .flatMap((rule) => results.get(rule) ?? [])
    .map((result) => attribute(result, suiteRun.mistakes()))
  return {
    suite: 'thingsync-conformance',
    version: suiteVersion,
    target: target.baseUrl,
    profile: options.profile,
    seed,
    startedAt: startedAt.toISOString(),
    ms: Date.now() - startedAt.getTime(),
    notes: describeIncidents(suiteRun.incidents()),
    ...decideVerdict(ordered, options.level ?? 'must', options.profile),
    results: ordered,
  }
}
