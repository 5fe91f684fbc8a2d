/** The part of Schemathesis' JSON report that the check reads. */
export interface Report {
  readonly complete: boolean
  readonly operations: { readonly total: number; readonly tested: number }
  readonly test_cases: { readonly generated: number }
  readonly failures: readonly { readonly title: string; readonly operations: readonly string[] }[]
  readonly errors: readonly unknown[]
  /** Numbers of valid cases by operation, phase and result. */
  readonly valid_rates: Readonly<Record<string, Readonly<Record<string, { readonly accepted: number }>>>>
}

const minCases = 2_000

/**
 * Returns a line that summarizes the run, and the reasons why it failed; none when it passed. `streams`: number of
 * operations with an endless response, which the configuration disables.
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
