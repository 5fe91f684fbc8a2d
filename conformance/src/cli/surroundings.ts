import type { Rule } from '../rule.ts'
import type { Output } from './progress.ts'

/** What the command line works in, so that it can be run without a process of its own. */
export interface Surroundings {
  readonly environment: NodeJS.ProcessEnv
  /** The verdict and what was asked for. */
  readonly output: Output
  /** Progress and mistakes. */
  readonly errors: Output
  /** Ends a run early: Ctrl-C. */
  readonly signal: AbortSignal
  readonly rules: readonly Rule[]
}
