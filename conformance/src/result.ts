import type { Basis, Level, Profile } from './levels.ts'

/** What became of one rule. `blocked`: a step before the judged one failed; `error`: the suite itself failed. */
export type Status = 'passed' | 'failed' | 'blocked' | 'inapplicable' | 'error'

/** One line of the report (field names are the stable JSON report's). */
export interface RuleResult {
  readonly id: string
  readonly title: string
  readonly level: Level
  readonly basis: Basis
  readonly profile: Profile
  readonly section: string
  readonly clauses: readonly string[]
  readonly status: Status
  /** Why, in one or two sentences for the owner of the server. */
  readonly message?: string
  readonly expected?: string
  readonly actual?: string
  /** A shell command, secrets redacted to variables, that repeats the decisive request. */
  readonly curl?: string
  /** A shell script that does again what the rule did, from its first request on. */
  readonly script?: string
  /**
   * The request that was not answered as any such request must be: what the rule waits for, when it is not the rule's
   * own business.
   */
  readonly cause?: { readonly method: string; readonly path: string; readonly status: number | 'nothing' }
  /** The mistake that this failure follows from (`src/mistakes/`), by its id: nothing else is to be mended before. */
  readonly follows?: string
  /** The exchanges behind a failure, redacted, oldest first. */
  readonly exchanges?: readonly Exchange[]
  readonly ms: number
}

/** One request and its answer, redacted at the source. */
export interface Exchange {
  readonly who: string
  /** The server sent it to the receiver that the suite plays; otherwise a client sent it to the server. */
  readonly isReceived?: boolean
  readonly method: string
  readonly url: string
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly requestBody?: string
  readonly status?: number
  readonly responseHeaders?: Readonly<Record<string, string>>
  readonly responseBody?: string
  readonly ms: number
}

/** Counts of a run, by status, for the level that decides. */
export interface Summary {
  readonly passed: number
  readonly failed: number
  readonly blocked: number
  readonly inapplicable: number
  readonly error: number
  readonly mustFailed: number
  readonly mustNotJudged: number
}

/** The whole run, as the JSON report holds it. */
export interface RunReport {
  readonly suite: 'thingsync-conformance'
  readonly version: string
  readonly target: string
  readonly profile: Profile
  readonly seed: number
  readonly startedAt: string
  readonly ms: number
  /** 130 and 143: interrupted by Ctrl-C or SIGTERM; the results are those seen by then. */
  readonly exitCode: 0 | 1 | 2 | 3 | 130 | 143
  readonly verdict: string
  /** What is no single rule's business, one sentence each. */
  readonly notes?: readonly string[]
  readonly summary: Summary
  readonly results: readonly RuleResult[]
}
