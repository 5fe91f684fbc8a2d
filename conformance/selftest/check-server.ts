/**
 * The self-test of the suite: a right server in memory (`right-server.ts`), wrong servers that differ from it in one
 * piece of behavior (`faults/`), and legal servers that differ where the interface permits it (`legal/`). This module
 * runs the rules against such a server, and scores which rules find which fault. The servers (`src/model/`) must not know
 * the suite or our server, so that they do not share mistakes. Start reading at `src/model/behavior.ts` and
 * `faults/fault.ts`.
 */
import { usualHeaders } from '../src/access-tokens.ts'
import { type OpenServer, openRightServer, type RightServerOptions } from '../src/model/right-server.ts'
import { openReceiver } from '../src/receiver/receiver.ts'
import type { Profile, RuleResult, RunReport } from '../src/result.ts'
import type { Rule } from '../src/rule.ts'
import { runRules } from '../src/runner.ts'
import { coreFaults } from './all-faults.ts'
import type { Fault } from './faults/fault.ts'

/** The options of a run against one server. */
export interface CheckOptions {
  readonly rules: readonly Rule[]
  readonly profile: Profile
  /** Number of random histories; default 12. */
  readonly histories?: number
  readonly seed?: number
  /** Forms of the Authorization header that the implementer names. Without them the suite tries the usual forms. */
  readonly authHeaders?: readonly string[]
  /** Interrupts the run. */
  readonly signal?: AbortSignal
  /** Maximum time for the end of an interrupted run; default: the default of the suite. */
  readonly interruptedMs?: number
  /** Called with each result, in the order in which they come. */
  readonly onResult?: (result: RuleResult) => void
  /** Called with a sentence for each thing that the clean-up could not remove. */
  readonly onLeftover?: (sentence: string) => void
}

/** A running server; `restart` and `otherClient` are optional. */
export type CheckedServer = Omit<OpenServer, 'state' | 'restart' | 'close' | 'otherClient'> &
  Partial<Pick<OpenServer, 'restart' | 'otherClient'>>

/** Timeouts for deliveries. They are short, because the right server retries after about a second. */
const timeouts = { eventMs: 3000, retryMs: 5000 }

/** Runs rules against a running server, over HTTP. */
export async function checkOpenServer(server: CheckedServer, checkOptions: CheckOptions): Promise<RunReport> {
  const { baseUrl, clientId, clientSecret, otherClient, users, restart } = server
  const { rules, profile, histories = 12, seed = 1, authHeaders = [] } = checkOptions
  const { onLeftover, onResult, signal, interruptedMs } = checkOptions
  const other = otherClient === undefined ? {} : { otherClient }
  const who = { baseUrl, clientId, clientSecret, ...other, users }
  const target = { ...who, authHeaders, timeoutMs: 3000, throttleMs: 20_000 }
  const receiver = await openReceiver({ host: '127.0.0.1', port: 0 })
  const options = {
    target,
    rules,
    profile,
    seed,
    histories,
    jobs: 4,
    receiver,
    timeouts,
    ...(restart === undefined ? {} : { restart }),
    ...(signal === undefined ? {} : { signal }),
    ...(interruptedMs === undefined ? {} : { interruptedMs }),
    ...(onResult === undefined ? {} : { onResult }),
  }
  try {
    return await runRules(onLeftover === undefined ? options : { ...options, onLeftover })
  } finally {
    await receiver.close()
  }
}

/** Opens a right, wrong or differing server, runs rules against it, and closes it. */
export async function checkServer(options: RightServerOptions, checkOptions: CheckOptions): Promise<RunReport> {
  const server = await openRightServer(options)
  try {
    return await checkOpenServer(server, checkOptions)
  } finally {
    await server.close()
  }
}

/** Selects the rules of a profile; `full` includes the rules of `core`. */
export function rulesOf(rules: readonly Rule[], profile: Profile): readonly Rule[] {
  return rules.filter((rule) => profile === 'full' || rule.profile === 'core')
}

/** Lists the results that are wrong for a right server, one line each. */
export function describeProblems(report: RunReport): readonly string[] {
  return (
    report.results
      .filter(({ status, level }) => status === 'error' || (status !== 'passed' && level === 'must'))
      // Limits and token lifetimes are the server's choice, and a rule that needs other values is skipped.
      .filter(
        ({ status, message = '' }) => status !== 'skipped' || !/^the server( rejects|'s access tokens)/.test(message),
      )
      .map(({ id, status, message = '' }) => `${id} ${status}: ${message}`)
  )
}

/** The rules that found one wrong server. */
export interface FaultScore {
  readonly fault: Fault
  /** Rules that name the fault and failed. */
  readonly foundBy: readonly Rule[]
  /** Rules that name the fault and were blocked, because it breaks their positive counterpart or their first step. */
  readonly stoppedBy: readonly Rule[]
  /** Rules that name the fault and neither failed nor were blocked, with their results. */
  readonly missedBy: readonly { readonly rule: Rule; readonly status: string; readonly message: string }[]
  /** Rules that failed without naming the fault; empty unless all rules ran. */
  readonly alsoFailed: readonly Rule[]
  readonly ms: number
}

/** The options of `scoreFaults`. */
export interface Scoring {
  readonly faults: readonly Fault[]
  readonly rules: readonly Rule[]
  /** Whether to run every rule against every fault, instead of only the rules that name it. */
  readonly matrix?: boolean
  /** Number of wrong servers to check at the same time; default 1. */
  readonly jobs?: number
  /** Maximum time of a run against one server; default: none, and an endless rule never ends. */
  readonly maxMs?: number
  readonly onScore?: (score: FaultScore) => void
}

async function scoreFault(fault: Fault, { rules, matrix, maxMs }: Scoring): Promise<FaultScore> {
  const started = performance.now()
  const naming = rules.filter(({ faults }) => faults.includes(fault.id))
  const last = new Map<string, RuleResult>()
  // The forms are named: otherwise a server that reads no header looks like a server with its own form of it.
  const checkOptions = { rules: matrix ? rules : naming, profile: 'full', authHeaders: usualHeaders } as const
  const ending = maxMs === undefined ? {} : { signal: AbortSignal.timeout(maxMs) }
  const report = await checkServer({ behavior: fault.behavior }, { ...checkOptions, ...ending })
  for (const result of report.results) last.set(result.id, result)
  const open = naming.filter(({ id }) => !['failed', 'blocked'].includes(last.get(id)?.status ?? ''))
  const those = (among: readonly Rule[], status: string): readonly Rule[] =>
    among.filter(({ id }) => last.get(id)?.status === status)
  return {
    fault,
    foundBy: those(naming, 'failed'),
    stoppedBy: those(naming, 'blocked'),
    missedBy: open.map((rule) => {
      const { status = 'blocked', message = '' } = last.get(rule.id) ?? {}
      return { rule, status, message }
    }),
    alsoFailed: those(rules, 'failed').filter((rule) => !naming.includes(rule)),
    ms: Math.round(performance.now() - started),
  }
}

/** Runs the rules against each wrong server, one after the other or `jobs` at a time. */
export async function scoreFaults(scoring: Scoring): Promise<readonly FaultScore[]> {
  const scores: FaultScore[] = []
  const queue = scoring.faults.values()
  const work = async (): Promise<void> => {
    for (const fault of queue) {
      const score = await scoreFault(fault, scoring)
      scores.push(score)
      scoring.onScore?.(score)
    }
  }
  await Promise.all(Array.from({ length: scoring.jobs ?? 1 }, work))
  return scores
}

/** Selects the rules that kill a fault: a failed MUST that names it, of profile core if it violates the interface. */
export function killersOf({ fault, foundBy }: FaultScore): readonly Rule[] {
  const breaksInterface = coreFaults.includes(fault)
  return foundBy.filter(({ level, profile }) => level === 'must' && (profile === 'core' || !breaksInterface))
}

/** Formats the scores: each fault with the rules that kill it, survivors first. */
export function describeScores(scores: readonly FaultScore[]): string {
  const lines = scores.map((score) => {
    const killers = killersOf(score).map(({ id }) => id)
    return `${killers.length === 0 ? 'SURVIVES' : 'killed  '} ${score.fault.id.padEnd(36)} ${killers.join(' ')}`
  })
  const killed = scores.filter((score) => killersOf(score).length > 0).length
  return [...lines.sort().reverse(), `${killed} of ${scores.length} faults killed by a MUST that names them`].join('\n')
}
