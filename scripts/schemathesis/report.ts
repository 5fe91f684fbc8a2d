/** What is read of Schemathesis' JSON report. */
export interface Report {
  readonly complete: boolean
  readonly operations: { readonly total: number; readonly tested: number }
  readonly test_cases: { readonly generated: number }
  readonly failures: readonly { readonly title: string; readonly operations: readonly string[] }[]
  readonly errors: readonly unknown[]
  /** By operation and phase, how many valid cases were answered how. */
  readonly valid_rates: Readonly<Record<string, Readonly<Record<string, { readonly accepted: number }>>>>
}

const minCases = 2_000

/**
 * A line that sums the run up, and every reason for which it does not count as passed. `streams`: how many operations answer
 * without an end, which the configuration leaves out.
 */
export const checkReport = (
  report: Report,
  streams = 0,
): { readonly summary: string; readonly problems: readonly string[] } => {
  const { operations, test_cases, failures, errors, valid_rates, complete } = report
  const succeeded = Object.values(valid_rates).filter((phases) =>
    Object.values(phases).some(({ accepted }) => accepted > 0),
  ).length
  const problems = failures.map(({ title, operations: where }) => `${title}: ${where.join(', ')}`)
  if (errors.length > 0) problems.push(`Schemathesis itself met ${errors.length} errors`)
  const expected = operations.total - streams
  if (!complete) problems.push('the run was not complete')
  if (operations.tested < expected) problems.push('not every operation was tested')
  if (test_cases.generated < minCases) problems.push(`fewer than ${minCases} cases`)
  if (succeeded < expected) problems.push(`${expected - succeeded} operations never succeeded`)
  const summary = `${test_cases.generated} cases over ${operations.tested} operations, ${succeeded} of which succeeded at least once`
  return { summary, problems }
}
