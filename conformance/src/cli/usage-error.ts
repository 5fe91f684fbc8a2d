/**
 * A mistake on the command line, in a variable or in a file it names: one sentence saying what it is and what to do.
 * Exit code 2.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
