import { usualHeaders } from '../src/present.ts'
import type { RuleResult } from '../src/result.ts'
import type { Rule } from '../src/rule.ts'
import { coreFaults } from './all-faults.ts'
import type { Fault } from './faults/fault.ts'
import { judge } from './judge.ts'

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
  readonly mostMs?: number
  readonly onScore?: (score: FaultScore) => void
}

async function scoreFault(fault: Fault, { rules, matrix, mostMs }: Scoring): Promise<FaultScore> {
  const started = performance.now()
  const naming = rules.filter(({ faults }) => faults.includes(fault.id))
  const last = new Map<string, RuleResult>()
  // An owner who names the forms: without that, a server that reads no header can't be told from one with a form of its own.
  const judging = { rules: matrix ? rules : naming, profile: 'full', authHeaders: usualHeaders } as const
  const ending = mostMs === undefined ? {} : { signal: AbortSignal.timeout(mostMs) }
  const report = await judge({ behaviour: fault.behaviour }, { ...judging, ...ending })
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
