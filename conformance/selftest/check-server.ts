import { usualHeaders } from '../src/access-tokens.ts'
import { openReceiver } from '../src/receiver/receiver.ts'
import type { Profile, RuleResult, RunReport } from '../src/result.ts'
import type { Rule } from '../src/rule.ts'
import { runRules } from '../src/runner.ts'
import { coreFaults } from './all-faults.ts'
import type { Fault } from './faults/fault.ts'
import { type OpenServer, openRightServer, type RightServerOptions } from './right-server.ts'

/** What to run against one server. */
export interface CheckOptions {
  readonly rules: readonly Rule[]
  readonly profile: Profile
  /** Random histories; default 12. */
  readonly histories?: number
  readonly seed?: number
  /** Forms of the header that the owner names; default: none, and the usual ones are tried. */
  readonly authHeaders?: readonly string[]
  /** Ends the run early. */
  readonly signal?: AbortSignal
  /** Longest time for the end of a run that was ended early; default: the suite's. */
  readonly interruptedMs?: number
  /** Called with what the clean-up could not do. */
  readonly onLeftover?: (sentence: string) => void
}

/** A server that is open, and how it is started again and which other app it knows, if that is known. */
export type CheckedServer = Omit<OpenServer, 'state' | 'restart' | 'close' | 'otherClient'> &
  Partial<Pick<OpenServer, 'restart' | 'otherClient'>>

/** How long wrong servers are waited for; the right one tries again after a second. */
const timeouts = { eventMs: 3000, retryMs: 5000 }

/** Runs rules against a server that is already open, over its socket. */
export async function checkOpenServer(server: CheckedServer, checkOptions: CheckOptions): Promise<RunReport> {
  const { baseUrl, clientId, clientSecret, otherClient, users, restart } = server
  const { rules, profile, histories = 12, seed = 1, authHeaders = [], onLeftover, signal, interruptedMs } = checkOptions
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
  }
  try {
    return await runRules(onLeftover === undefined ? options : { ...options, onLeftover })
  } finally {
    await receiver.close()
  }
}

/** Opens a right, faulty or differing server, runs rules against it, and closes it. */
export async function checkServer(options: RightServerOptions, checkOptions: CheckOptions): Promise<RunReport> {
  const server = await openRightServer(options)
  try {
    return await checkOpenServer(server, checkOptions)
  } finally {
    await server.close()
  }
}

/** The rules of a profile: `full` holds those of `core` too. */
export function rulesOf(rules: readonly Rule[], profile: Profile): readonly Rule[] {
  return rules.filter((rule) => profile === 'full' || rule.profile === 'core')
}

/** The results that are not as they should be on a right server, one line each. */
export function describeProblems(report: RunReport): readonly string[] {
  return (
    report.results
      .filter(({ status, level }) => status === 'error' || (status !== 'passed' && level === 'must'))
      // Limits and validities are the server's choice, and a rule that needs others says so.
      .filter(
        ({ status, message = '' }) => status !== 'skipped' || !/^the server( refuses|'s access tokens)/.test(message),
      )
      .map(({ id, status, message = '' }) => `${id} ${status}: ${message}`)
  )
}

/** Which rules found one wrong server out. */
export interface FaultScore {
  readonly fault: Fault
  /** Rules that name the fault and failed. */
  readonly foundBy: readonly Rule[]
  /** Rules that name the fault and could not be judged, because it breaks their positive twin or their first step. */
  readonly stoppedBy: readonly Rule[]
  /** Rules that name the fault and neither failed nor stopped, with what became of them. */
  readonly missedBy: readonly { readonly rule: Rule; readonly status: string; readonly message: string }[]
  /** Rules that failed without naming the fault; empty unless all rules were run. */
  readonly alsoFailed: readonly Rule[]
  readonly ms: number
}

/** How to score. */
export interface Scoring {
  readonly faults: readonly Fault[]
  readonly rules: readonly Rule[]
  /** Every rule against every fault, instead of only the rules that name it. */
  readonly matrix?: boolean
  /** Wrong servers that are judged at the same time; default 1. */
  readonly jobs?: number
  /** Ends each run against one server after so long; default: none, and a rule without end is waited for. */
  readonly maxMs?: number
  readonly onScore?: (score: FaultScore) => void
}

async function scoreFault(fault: Fault, { rules, matrix, maxMs }: Scoring): Promise<FaultScore> {
  const started = performance.now()
  const naming = rules.filter(({ faults }) => faults.includes(fault.id))
  const last = new Map<string, RuleResult>()
  // An owner who names the forms: without that, a server that reads no header can't be told from one with a form of its own.
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

/** Runs the rules against each wrong server, in turn or a few at a time. */
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

/** The rules that decide about a fault: a MUST that names it and failed, of profile core if the interface is broken. */
export function killersOf({ fault, foundBy }: FaultScore): readonly Rule[] {
  const breaksInterface = coreFaults.includes(fault)
  return foundBy.filter(({ level, profile }) => level === 'must' && (profile === 'core' || !breaksInterface))
}

/** The score as lines: each fault with the rules that kill it, survivors first. */
export function describeScores(scores: readonly FaultScore[]): string {
  const lines = scores.map((score) => {
    const killers = killersOf(score).map(({ id }) => id)
    return `${killers.length === 0 ? 'SURVIVES' : 'killed  '} ${score.fault.id.padEnd(36)} ${killers.join(' ')}`
  })
  const killed = scores.filter((score) => killersOf(score).length > 0).length
  return [...lines.sort().reverse(), `${killed} of ${scores.length} faults killed by a MUST that names them`].join('\n')
}
