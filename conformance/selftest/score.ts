import { setTimeout as sleep } from 'node:timers/promises'
import type { Rule } from '../src/rule.ts'
import { coreFaults } from './all-faults.ts'
import type { Fault } from './faults/fault.ts'
import { judge } from './judge.ts'

/** Which rules found one wrong server out. */
export interface FaultScore {
  readonly fault: Fault
  /** Rules that name the fault and failed. */
  readonly foundBy: readonly Rule[]
  /** Rules that name the fault and did not fail, with what became of them. */
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
  /** Attempts at a fault before a rule that names it counts as blind; some faults need two requests to meet. Default 4. */
  readonly attempts?: number
  readonly onScore?: (score: FaultScore) => void
}

async function scoreFault(fault: Fault, { rules, matrix, attempts = 4 }: Scoring): Promise<FaultScore> {
  const started = performance.now()
  const naming = rules.filter(({ faults }) => faults.includes(fault.id))
  const found = new Set<string>()
  const failed = new Set<string>()
  let missedBy: FaultScore['missedBy'] = []
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const run = matrix && attempt === 0 ? rules : naming.filter(({ id }) => !found.has(id))
    if (run.length === 0) break
    const report = await judge({ behaviour: fault.behaviour }, { rules: run, profile: 'full', seed: attempt + 1 })
    for (const { id, status } of report.results) if (status === 'failed') failed.add(id)
    for (const { id } of naming) if (failed.has(id)) found.add(id)
    missedBy = naming.flatMap((rule) => {
      const result = report.results.find(({ id }) => id === rule.id)
      return found.has(rule.id) || result === undefined
        ? []
        : [{ rule, status: result.status, message: result.message ?? '' }]
    })
    if (missedBy.length === 0) break
    await sleep(20)
  }
  const foundBy = naming.filter(({ id }) => found.has(id))
  const alsoFailed = rules.filter(({ id }) => failed.has(id) && !found.has(id))
  return { fault, foundBy, missedBy, alsoFailed, ms: Math.round(performance.now() - started) }
}

/** Runs the rules against each wrong server in turn. */
export async function scoreFaults(scoring: Scoring): Promise<readonly FaultScore[]> {
  const scores: FaultScore[] = []
  for (const fault of scoring.faults) {
    const score = await scoreFault(fault, scoring)
    scores.push(score)
    scoring.onScore?.(score)
  }
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
