import type { Level } from '../levels.ts'
import type { RuleResult, RunReport, Summary } from '../result.ts'

/** A rule that the owner of the server knows is not kept, and why. */
export interface KnownDeviation {
  readonly id: string
  readonly reason: string
}

/** A result as reported: with the reason, when the owner knows that the rule is not kept. */
export interface ReportedResult extends RuleResult {
  readonly knownDeviation?: string
}

/** Counts as reported. A known deviation counts by its status, and not under `mustFailed` or `mustNotJudged`. */
export interface ReportedSummary extends Summary {
  /** Rules that were not kept and that the owner had named as known. */
  readonly knownDeviations: number
}

/** A run with its verdict, as every report prints it. */
export interface FinishedRun extends RunReport {
  /** What decides: MUST rules alone, or SHOULD rules too. */
  readonly level: Level
  readonly summary: ReportedSummary
  readonly results: readonly ReportedResult[]
  /** Known deviations whose rule was kept: take them off the list. */
  readonly staleDeviations: readonly KnownDeviation[]
}
