import type { CheckedProfile, Level, RuleResult } from '../result.ts'
import type { ExpectedFailure, ReportedResult, ReportedSummary } from './reported-result.ts'

/** The one verdict that text, JSON and exit code all give. */
export interface Verdict {
  /** 0: every deciding rule passed; 1: a deciding rule failed; 3: a deciding rule was blocked and none failed. */
  readonly exitCode: 0 | 1 | 3
  /** One sentence, its first word PASSED, FAILED or INCONCLUSIVE. */
  readonly verdict: string
  readonly summary: ReportedSummary
}

/** Marks the results whose failure is expected. An error of the suite itself (`error`) is never excused. */
export function markExpectedFailures(
  results: readonly RuleResult[],
  expectedFailures: readonly ExpectedFailure[],
): ReportedResult[] {
  const reasons = new Map(expectedFailures.map(({ id, reason }) => [id, reason]))
  return results.map((result) => {
    const reason = reasons.get(result.id)
    const excusable = result.status === 'failed' || result.status === 'blocked'
    return reason === undefined || !excusable ? result : { ...result, expectedFailure: reason }
  })
}

/** Finds the expected failures whose rule passed. */
export function findStaleExpectedFailures(
  results: readonly RuleResult[],
  expectedFailures: readonly ExpectedFailure[],
): ExpectedFailure[] {
  const passed = new Set(results.filter((result) => result.status === 'passed').map((result) => result.id))
  return expectedFailures.filter(({ id }) => passed.has(id))
}

/** Decides the verdict of a run; no other function does. */
export function decideVerdict(results: readonly ReportedResult[], level: Level, profile: CheckedProfile): Verdict {
  const deciding = results.filter((result) => level === 'should' || result.level === 'must')
  const open = deciding.filter((result) => result.expectedFailure === undefined)
  const passed = count(deciding, 'passed')
  const failed = count(open, 'failed')
  const blockedCount = count(open, 'blocked') + count(open, 'error')
  const expectedCount = deciding.length - open.length
  const summary = {
    passed: count(results, 'passed'),
    failed: count(results, 'failed'),
    blocked: count(results, 'blocked'),
    skipped: count(results, 'skipped'),
    error: count(results, 'error'),
    mustFailed: failed,
    mustBlocked: blockedCount,
    expectedFailures: results.filter((result) => result.expectedFailure !== undefined).length,
  }
  const rules = level === 'should' ? 'rule' : 'MUST rule'
  const subject = profile === 'core' || profile === 'full' ? 'server' : 'client'
  const notChecked = describeNotChecked(open, subject)
  const aside = expectedCount === 0 ? '' : `, ${plural(expectedCount, 'expected failure')} aside`
  if (failed > 0) {
    const rest = blockedCount === 0 ? '' : `, ${blockedCount} blocked`
    return {
      exitCode: 1,
      summary,
      verdict: `FAILED: ${failed} of ${plural(deciding.length, rules)} of profile ${profile} failed${rest}${aside}.${notChecked}`,
    }
  }
  if (blockedCount > 0) {
    return {
      exitCode: 3,
      summary,
      verdict: `INCONCLUSIVE: ${blockedCount} of ${plural(deciding.length, rules)} of profile ${profile} blocked, none failed${aside}.${notChecked}`,
    }
  }
  if (passed === 0 && expectedCount === 0) {
    return {
      exitCode: 3,
      summary,
      verdict: `INCONCLUSIVE: no ${rules} of profile ${profile} applied to this ${subject}.${notChecked}`,
    }
  }
  const skippedCount = count(open, 'skipped')
  const skipped = skippedCount === 0 ? '' : `, ${skippedCount} skipped`
  return {
    exitCode: 0,
    summary,
    verdict: `PASSED: ${plural(passed, rules)} of profile ${profile} passed${skipped}${aside}.${notChecked}`,
  }
}

/** Describes how many rules were skipped for want of which option or feature, most first; empty when none was. */
function describeNotChecked(results: readonly ReportedResult[], subject: 'server' | 'client'): string {
  const counts = new Map<string, number>()
  for (const { status, needs } of results)
    if (status === 'skipped' && needs !== undefined) counts.set(needs, (counts.get(needs) ?? 0) + 1)
  if (counts.size === 0) return ''
  const word = subject === 'client' ? 'of' : 'without'
  const parts = [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([needs, number], index) => `${index === 0 ? plural(number, 'rule') : number} ${word} ${needs}`)
  const why = subject === 'client' ? ', because the adapter does not declare these features' : ''
  return ` Not checked${why}: ${parts.join(', ')}.`
}

function count(results: readonly RuleResult[], status: RuleResult['status']): number {
  return results.filter((result) => result.status === status).length
}

function plural(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
