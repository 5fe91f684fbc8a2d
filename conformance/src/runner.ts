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

/** Options of a run. */
export interface RunOptions {
  readonly target: Target
  /** The selected rules; results come in this order. */
  readonly rules: readonly Rule[]
  readonly profile: Profile
  /** Level that decides the verdict; default `must`. */
  readonly level?: Level
  readonly seed: number
  /** Number of rules that run at the same time; default 4. Rules marked `alone` run one by one after the others. */
  readonly jobs?: number
  /** Number of random histories; default 20. */
  readonly histories?: number
  /** The suite's receiver of webhooks; without it the rules that need it are skipped. */
  readonly receiver?: Receiver
  /** How long to wait for events and messages; default: the target's time-out, and 20 s for retries. */
  readonly timeouts?: Timeouts
  /** True to delete everything in the accounts before the run. */
  readonly wipe?: boolean
  /** Receives each result, in the order in which they come. */
  readonly onResult?: (result: RuleResult) => void
  /** Receives a sentence for each part of the clean-up that failed. */
  readonly onLeftover?: (sentence: string) => void
  /** Ends the run early: unfinished rules are blocked, and the clean-up gets about a second. */
  readonly signal?: AbortSignal
  /** Longest time for the end of an interrupted run, in milliseconds; default 1,800, because the user waits for it. */
  readonly interruptedMs?: number
  /** Restarts the server, for the rules about restarts; without it they are skipped. */
  readonly restart?: Restart
  /** Longest time for the run, in milliseconds; default 600,000. Rules that do not fit are blocked. */
  readonly budgetMs?: number
  /** Part of the budget that is not for the rules, in milliseconds: spent before the run, or kept for the clean-up. */
  readonly spentMs?: number
}

const ignore = (): void => {}

const defaultBudgetMs = 600_000

/** Longest time for the end of a run, in milliseconds: for the uploads in flight and the clean-up after them. */
const endMs = { ended: 60_000, late: 12_000, interrupted: 1800 }

/** Share of that time for the uploads in flight; a server that hangs never responds to them. */
const settleShare = { ended: 0.05, late: 0.2, interrupted: 0.4 }

/** Maximum number of exchanges that are shown with a failure; the last ones are. */
const shownExchanges = 12

/** Number of waiting rules that run side by side; together they need fewer webhooks than a user may have (20). */
const waitingJobs = 8

interface Outcome {
  readonly status: Status
  readonly message?: string
  readonly expected?: string
  readonly actual?: string
  readonly needs?: string | undefined
  readonly exchange?: Exchange | undefined
  readonly script?: string | undefined
  /** True when the run ended meanwhile: no request is the cause. */
  readonly isCutOff?: boolean
}

const classifyError = (error: unknown): Outcome => {
  if (error instanceof Finding) {
    const { expected, actual, exchange, script } = error
    return { status: 'failed', message: error.message, expected, actual, exchange, script }
  }
  if (error instanceof NoResponse) {
    const expected = 'a complete response'
    return { status: 'failed', message: error.message, expected, actual: error.message, exchange: error.exchange }
  }
  if (error instanceof RunEnded) return { status: 'blocked', message: error.message, isCutOff: true }
  if (error instanceof Blocked) {
    const cause = error.cause
    const exchange = cause instanceof Finding || cause instanceof NoResponse ? cause.exchange : undefined
    return { status: 'blocked', message: error.message, exchange }
  }
  if (error instanceof Skipped) return { status: 'skipped', message: error.message, needs: error.needs }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { status: 'error', message: `the suite itself failed, which says nothing about the server: ${text}` }
}

/** Describes the incidents of a run in sentences. */
const describeIncidents = ({ resent, transientErrors, positionBase }: Incidents): string[] => [
  ...(positionBase === undefined
    ? []
    : [`positions are larger or finer than numbers hold; messages show them as distances, 1000 being ${positionBase}`]),
  ...(resent === 0
    ? []
    : [`${resent} requests were sent again on a new connection, because the server had closed the persistent one`]),
  ...(transientErrors.length === 0
    ? []
    : [
        `${transientErrors.length} requests got ${[...new Set(transientErrors.map(({ status }) => status))].join(', ')} and another response when they were sent again, first ${transientErrors[0]?.method} ${new URL(transientErrors[0]?.url ?? 'http://-').pathname}: look at the server's log`,
      ]),
]

/** Maximum number of steps of a script; a rule with more steps is a race, which a sequence does not show. */
const maxScriptSteps = 40

/** Returns the request of an exchange with an error response or without a response. */
const findCause = ({ method, url, status }: Exchange, target: Target): RuleResult['cause'] => {
  const { pathname } = new URL(url)
  const base = new URL(target.baseUrl).pathname.replace(/\/*$/, '/')
  const path = pathname.startsWith(base) ? pathname.slice(base.length) : pathname
  if (status === undefined) return { method, path, status: 'nothing' }
  return status >= 400 ? { method, path, status } : undefined
}

/** Whether the rule expected an error: then no rule waits for another response. */
const checksError = ({ expected = '' }: Outcome): boolean => /\berror(?:_description)?\b/.test(expected)

/** Returns the exchanges that a client of the suite began. */
const findOutgoing = (exchanges: readonly Exchange[]): readonly Exchange[] =>
  exchanges.filter(({ isReceived }) => isReceived !== true)

const runRule = async (rule: Rule, suiteRun: SuiteRun, target: Target, part?: Participant): Promise<RuleResult> => {
  const started = performance.now()
  const { lab, close } = suiteRun.openLab(rule.id, part?.take)
  let outcome: Outcome = { status: 'passed' }
  try {
    await Promise.race([rule.check(lab), suiteRun.ended])
  } catch (error) {
    outcome = classifyError(error)
  } finally {
    part?.leave()
  }
  // Requests of the rule's clean-up do not count.
  const last = findOutgoing(lab.exchanges).at(-1)
  await Promise.race([close(), suiteRun.ended.catch(ignore)])
  const { id, title, level, basis, profile, section, requirements } = rule
  const { status, message, expected, actual, needs } = outcome
  const isShown = status === 'failed' || status === 'blocked'
  return {
    ...{ id, title, level, basis, profile, section, requirements, status },
    ...(message === undefined ? {} : { message: suiteRun.redact(message) }),
    ...(expected === undefined ? {} : { expected: suiteRun.redact(expected) }),
    ...(actual === undefined ? {} : { actual: suiteRun.redact(actual) }),
    ...(needs === undefined ? {} : { needs }),
    ...(isShown ? describeFailure(rule, outcome, lab.exchanges, last, suiteRun, target) : {}),
    ms: Math.round(performance.now() - started),
  }
}

/** What a result shows of a rule that did not pass: the request to repeat, its cause and the last exchanges. */
const describeFailure = (
  { id, title }: Rule,
  outcome: Outcome,
  exchanges: readonly Exchange[],
  last: Exchange | undefined,
  suiteRun: SuiteRun,
  target: Target,
): Pick<RuleResult, 'curl' | 'script' | 'cause' | 'exchanges'> => {
  const { status, message, expected, actual } = outcome
  const decisive = outcome.isCutOff === true ? undefined : (outcome.exchange ?? last)
  const curl = outcome.script ?? (decisive === undefined ? undefined : writeCurl(decisive))
  const repeated = {
    id,
    title,
    expected: suiteRun.redact(expected ?? ''),
    actual: suiteRun.redact(actual ?? message ?? ''),
  }
  const steps = findOutgoing(exchanges).slice(-maxScriptSteps)
  const script =
    outcome.script ?? (steps.length === 0 ? undefined : writeRepeatScript(steps, repeated, suiteRun.receiverUrl))
  const cause = decisive === undefined || checksError(outcome) ? undefined : findCause(decisive, target)
  return {
    ...(curl === undefined ? {} : { curl }),
    ...(status !== 'failed' || script === undefined ? {} : { script }),
    ...(cause === undefined ? {} : { cause }),
    exchanges: exchanges.slice(-shownExchanges),
  }
}

const describeNotRun = (rule: Rule, message: string, status: Status = 'blocked'): RuleResult => {
  const { id, title, level, basis, profile, section, requirements } = rule
  return { id, title, level, basis, profile, section, requirements, status, message, ms: 0 }
}

/** Adds the known mistake that a failed result follows from, when the run showed it. */
const addMistake = (result: RuleResult, mistakes: readonly Mistake[]): RuleResult => {
  const mistake = result.status === 'failed' ? mistakes.find(({ follows }) => follows.includes(result.id)) : undefined
  return mistake === undefined ? result : { ...result, follows: mistake.id }
}

const noRestartReason =
  'this needs a restart of the server: name a command with --restart COMMAND, or restart it yourself with --restart-manually'

const describeWithoutRestart = (rule: Rule): RuleResult => ({
  ...describeNotRun(rule, noRestartReason, 'skipped'),
  needs: '--restart or --restart-manually',
})

/** Whether the rule runs late: random histories, and rules that do not decide. */
const isLate = (rule: Rule): boolean => rule.id.startsWith('HISTORY-') || rule.level === 'should'

/** Creates the time budget of the rules; the signal also ends it. */
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
    reason: () => (isInterrupted() ? 'the run was interrupted' : `the budget of ${budgetMs / 1000} s was used up`),
    end: () => {
      clearTimeout(timer)
      interruption?.removeEventListener('abort', interrupt)
    },
  }
}

interface UncaughtErrors {
  /** Returns the result of the rule, or the uncaught error of it. */
  readonly settle: (rule: Rule, result: RuleResult) => RuleResult
  readonly begin: (rule: Rule) => void
  readonly stop: () => void
}

const describeUncaught = (rule: Rule, { message = '' }: Outcome, { ms }: RuleResult): RuleResult => ({
  ...describeNotRun(rule, message),
  status: 'error',
  ms,
})

/** Turns uncaught errors into an error of a rule that ran at that time; they do not end the suite. */
const catchUncaughtErrors = (): UncaughtErrors => {
  const running = new Set<Rule>()
  const found = new Map<Rule, unknown>()
  const take = (error: unknown): void => {
    // Not an error of the suite: a parallel step of a rule that has failed, or a request that the run's end cut off.
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
      return found.has(rule) ? describeUncaught(rule, classifyError(found.get(rule)), result) : result
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
    () => [
      `it was not finished within ${maxMs / 1000} s; the titles of what the run created begin with ${suiteRun.run}`,
    ],
    () => [],
  )
  const cleaning = suiteRun.cleanUp(isInterrupted)
  // After the time limit it may still fail, because its connections are closed.
  cleaning.catch(ignore)
  const closeSoon = (): void => void wait(interruptedMs).then(() => suiteRun.close())
  signal?.addEventListener('abort', closeSoon, { once: true })
  const left = await Promise.race([cleaning, late])
  limit.abort()
  signal?.removeEventListener('abort', closeSoon)
  if (withoutResponse === 0) return left
  return [
    ...left,
    `${withoutResponse} uploads got no response before the end; most titles of what they created begin with ${suiteRun.run}`,
  ]
}

/**
 * Runs the rules against the target, cleans up, and resolves to the report. Rejects only when the suite itself is
 * broken, or with Blocked when `wipe` fails.
 */
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
  const uncaughtErrors = catchUncaughtErrors()

  const runOneRule = async (rule: Rule, part?: Participant): Promise<RuleResult> => {
    if (budget.signal.aborted) {
      part?.leave()
      return describeNotRun(rule, `${budget.reason()} before this rule`)
    }
    return runRule(rule, suiteRun, target, part)
  }
  const work = async (queue: Rule[], part?: Participant): Promise<void> => {
    for (let rule = queue.shift(); rule !== undefined; rule = queue.shift()) {
      uncaughtErrors.begin(rule)
      const checked = isWithoutRestart(rule) ? describeWithoutRestart(rule) : await runOneRule(rule, part)
      const result = uncaughtErrors.settle(rule, checked)
      results.set(rule, result)
      options.onResult?.(result)
    }
  }
  const { restart } = options
  const isWithoutRestart = (rule: Rule): boolean => rule.restarts === true && restart === undefined
  /** Starts all rules at once: each waits for the others, so that they share one restart. */
  const workAroundRestart = async (queue: readonly Rule[]): Promise<void> => {
    const { join } = gatherForRestart(queue.length, async () => restart && suiteRun.restart(restart))
    await Promise.all(queue.map((rule) => work([rule], join())))
  }

  try {
    if (options.wipe === true) await suiteRun.wipe()
    await Promise.race([suiteRun.takeBaseline(), suiteRun.ended.catch(ignore)])
    const isTogether = ({ alone, last, waits, restarts }: Rule): boolean =>
      alone !== true && last !== true && waits !== true && restarts !== true
    // Parallel rules come first and the longest rules last: a budget that ends leaves out the most expensive ones.
    const together = rules.filter(isTogether)
    await Promise.all(Array.from({ length: options.jobs ?? 4 }, () => work(together)))
    await work(rules.filter((rule) => rule.alone === true && !isLate(rule)))
    const waits = rules.filter((rule) => rule.waits === true)
    await Promise.all(Array.from({ length: options.jobs === 1 ? 1 : waitingJobs }, () => work(waits)))
    await work(rules.filter((rule) => rule.alone === true && isLate(rule)))
    await work(rules.filter((rule) => rule.last === true))
    await workAroundRestart(rules.filter((rule) => rule.restarts === true))
  } finally {
    budget.end()
    for (const sentence of await cleanUpWithin(suiteRun, budget, options))
      options.onLeftover?.(suiteRun.redact(sentence))
    suiteRun.close()
    uncaughtErrors.stop()
  }
  const ordered = rules
    .flatMap((rule) => results.get(rule) ?? [])
    .map((result) => addMistake(result, suiteRun.mistakes()))
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
