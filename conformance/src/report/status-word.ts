import type { ReportedResult } from './finished-run.ts'

/** The status of a result in words for a reader. */
export function statusWord(result: ReportedResult): string {
  if (result.knownDeviation !== undefined) return 'known deviation'
  if (result.status === 'inapplicable') return 'did not apply'
  if (result.status === 'blocked') return 'could not be judged'
  if (result.status === 'error') return 'error of the suite'
  return result.status
}
