import { type Bench, openBench } from './bench.ts'
import { writeCurl } from './curl.ts'
import { Blocked, Finding, Inapplicable, NoAnswer } from './finding.ts'
import { suiteVersion } from './package-root.ts'
import { decideVerdict } from './report/verdict.ts'
import type { Exchange, RuleResult, RunReport, Status } from './result.ts'
import type { Level, Profile, Rule } from './rule.ts'
import type { Target } from './target.ts'

/** What to run and how. */
export interface RunOptions {
  readonly target: Target
  /** The rules to run, already selected; results come in this order. */
  readonly rules: readonly Rule[]
  readonly profile: Profile
  /** Level that decides the verdict; default `must`. */
  readonly level?: Level
  readonly seed: number
  /** Rules run at the same time; default 4. Rules marked `alone` run one by one before the others. */
  readonly jobs?: number
  /** Random histories; default 20. */
  readonly histories?: number
  /** Delete everything in the accounts first. */
  readonly wipe?: boolean
  /** Called at each result, in the order they come. */
  readonly onResult?: (result: RuleResult) => void
  /** Called with what the clean-up could not do. */
  readonly onLeftover?: (sentence: string) => void
  /** Ends the run early: rules not finished are blocked, what was made is cleaned up. */
  readonly signal?: AbortSignal
}

/** Exchanges shown with a failure, the last ones. */
const shownExchanges = 12

interface Judgement {
  readonly status: Status
  readonly message?: string
  readonly expected?: string
  readonly actual?: string
  readonly exchange?: Exchange | undefined
  readonly script?: string | undefined
}

const judge = (error: unknown): Judgement => {
  if (error instanceof Finding) {
    const { expected, actual, exchange, script } = error
    return { status: 'failed', message: error.message, expected, actual, exchange, script }
  }
  if (error instanceof NoAnswer) {
    const expected = 'a complete answer'
    return { status: 'failed', message: error.message, expected, actual: error.message, exchange: error.exchange }
  }
  if (error instanceof Blocked) {
    const cause = error.cause
    const exchange = cause instanceof Finding || cause instanceof NoAnswer ? cause.exchange : undefined
    return { status: 'blocked', message: error.message, exchange }
  }
  if (error instanceof Inapplicable) return { status: 'inapplicable', message: error.message }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { status: 'error', message: `the suite itself failed, which says nothing about the server: ${text}` }
}

const runRule = async (rule: Rule, bench: Bench): Promise<RuleResult> => {
  const started = performance.now()
  const { lab, close } = bench.openLab(rule.id)
  let judgement: Judgement = { status: 'passed' }
  try {
    await rule.check(lab)
  } catch (error) {
    judgement = judge(error)
  } finally {
    close()
  }
  const { id, title, level, basis, profile, section, clauses } = rule
  const { status, message, expected, actual } = judgement
  const shown = status === 'failed' || status === 'blocked'
  const decisive = judgement.exchange ?? lab.exchanges.at(-1)
  const curl = judgement.script ?? (decisive === undefined ? undefined : writeCurl(decisive))
  return {
    ...{ id, title, level, basis, profile, section, clauses, status },
    ...(message === undefined ? {} : { message: bench.redact(message) }),
    ...(expected === undefined ? {} : { expected: bench.redact(expected) }),
    ...(actual === undefined ? {} : { actual: bench.redact(actual) }),
    ...(shown && curl !== undefined ? { curl } : {}),
    ...(shown ? { exchanges: lab.exchanges.slice(-shownExchanges) } : {}),
    ms: Math.round(performance.now() - started),
  }
}

const notRun = (rule: Rule, message: string): RuleResult => {
  const { id, title, level, basis, profile, section, clauses } = rule
  return { id, title, level, basis, profile, section, clauses, status: 'blocked', message, ms: 0 }
}

/** Runs the rules against the target, cleans up, and reports. Rejects only when the suite itself is broken or `wipe` fails. */
export const runRules = async (options: RunOptions): Promise<RunReport> => {
  const { target, rules, seed, signal } = options
  const startedAt = new Date()
  const bench = openBench(target, { seed, histories: options.histories ?? 20 }, signal)
  const results = new Map<Rule, RuleResult>()

  const work = async (queue: Rule[]): Promise<void> => {
    for (let rule = queue.shift(); rule !== undefined; rule = queue.shift()) {
      const ended = signal?.aborted === true
      const result = ended ? notRun(rule, 'the run was ended before this rule') : await runRule(rule, bench)
      results.set(rule, result)
      options.onResult?.(result)
    }
  }

  try {
    if (options.wipe === true) await bench.wipe()
    await work(rules.filter((rule) => rule.alone === true))
    const together = rules.filter((rule) => rule.alone !== true)
    await Promise.all(Array.from({ length: options.jobs ?? 4 }, () => work(together)))
  } finally {
    for (const sentence of await bench.cleanUp()) options.onLeftover?.(bench.redact(sentence))
    bench.close()
  }
  const ordered = rules.flatMap((rule) => results.get(rule) ?? [])
  return {
    suite: 'thingsync-conformance',
    version: suiteVersion,
    target: target.baseUrl,
    profile: options.profile,
    seed,
    startedAt: startedAt.toISOString(),
    ms: Date.now() - startedAt.getTime(),
    ...decideVerdict(ordered, options.level ?? 'must', options.profile),
    results: ordered,
  }
}
