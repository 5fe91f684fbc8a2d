import type { Basis, Level, RuleResult, RunReport, Summary } from '../result.ts'
import type { Requirement } from '../rule.ts'
import { anchorOfRule } from '../specification.ts'

/** A rule that the owner of the server knows is not kept, and why. */
export interface ExpectedFailure {
  readonly id: string
  readonly reason: string
}

/** A result as reported: with the reason, when the owner knows that the rule is not kept. */
export interface ReportedResult extends RuleResult {
  readonly expectedFailure?: string
}

/** Counts as reported. A known deviation counts by its status, and not under `mustFailed` or `mustNotJudged`. */
export interface ReportedSummary extends Summary {
  /** Rules that were not kept and that the owner had named as known. */
  readonly expectedFailures: number
}

/** A run with its verdict, as every report prints it. */
export interface FinishedRun extends RunReport {
  /** What decides: MUST rules alone, or SHOULD rules too. */
  readonly level: Level
  readonly summary: ReportedSummary
  readonly results: readonly ReportedResult[]
  /** Known deviations whose rule was kept: take them off the list. */
  readonly staleExpectedFailures: readonly ExpectedFailure[]
}

/** The status of a result in words for a reader. */
export function statusWord(result: ReportedResult): string {
  if (result.expectedFailure !== undefined) return 'known deviation'
  if (result.status === 'skipped') return 'did not apply'
  if (result.status === 'blocked') return 'could not be judged'
  if (result.status === 'error') return 'error of the suite'
  return result.status
}

/** What a person needs to mend a rule that was not kept: every report prints these parts in this order. */
interface FailureParts {
  /** `interface 4.3, stated there` */
  readonly source: string
  /** The clauses, each `id: text`. */
  readonly requirements: readonly string[]
  /** Where to read more: `interface.md#c-4.3-5` */
  readonly read: string
  /** Why it failed or could not be judged; absent when `expected` and `actual` say it. */
  readonly message?: string
  readonly expected?: string
  readonly actual?: string
  readonly curl?: string
}

const basisWords: Readonly<Record<Basis, string>> = {
  specified: 'specified there',
  implied: 'follows from it: without this, clients lose or repeat things',
  extension: 'an extension of this project, where the interface is silent',
}

/** Collects the parts of one result. */
export function collectFailureParts(result: ReportedResult, requirements: readonly Requirement[]): FailureParts {
  const texts = new Map(requirements.map((requirement) => [requirement.id, requirement.text]))
  const isSaidByParts = result.expected !== undefined && result.actual !== undefined
  return {
    source: describeSource(result),
    requirements: result.requirements.map((id) => `${id}: ${texts.get(id) ?? '(text not in this package)'}`),
    read: anchorOfRule(result),
    ...(result.message === undefined || isSaidByParts ? {} : { message: result.message }),
    ...(result.expected === undefined ? {} : { expected: result.expected }),
    ...(result.actual === undefined ? {} : { actual: result.actual.replace(/ came$/, '') }),
    ...(result.curl === undefined ? {} : { curl: result.curl }),
  }
}

/** Where a rule comes from, in words. */
export function describeSource(rule: { readonly section: string; readonly basis: Basis }): string {
  return `interface ${rule.section}, ${basisWords[rule.basis]}`
}
