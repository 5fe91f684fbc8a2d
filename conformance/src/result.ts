/** How binding a rule is: only a failed MUST changes the verdict (SHOULD does with `--level should`). */
export type Level = 'must' | 'should'

/** Where a rule comes from: stated by the interface, following from it, or decided in this project's contract. */
export type Basis = 'specified' | 'implied' | 'extension'

/** `core` holds what the interface states or implies; `full` adds the decisions for the other operations. */
export type Profile = 'core' | 'full'

/** What became of one rule. `blocked`: a step before the judged one failed; `error`: the suite itself failed. */
export type Status = 'passed' | 'failed' | 'blocked' | 'skipped' | 'error'

/** One line of the report (field names are the stable JSON report's). */
export interface RuleResult {
  readonly id: string
  readonly title: string
  readonly level: Level
  readonly basis: Basis
  readonly profile: Profile
  readonly section: string
  readonly requirements: readonly string[]
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
  readonly skipped: number
  readonly error: number
  readonly mustFailed: number
  readonly mustBlocked: number
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

/** The server breaks the rule: what was expected (and because of which earlier step), what came, and where it was seen. */
export class Finding extends Error {
  readonly expected: string
  readonly actual: string
  /** The decisive exchange; without it the last one of the rule counts. */
  readonly exchange: Exchange | undefined
  /** A shell script that shows the failure again, where one request does not. */
  readonly script: string | undefined

  constructor(expected: string, actual: string, exchange?: Exchange, script?: string) {
    super(`expected ${expected}, but ${actual}`)
    this.name = 'Finding'
    this.expected = expected
    this.actual = actual
    this.exchange = exchange
    this.script = script
  }
}

/** The rule can't be judged: a step before the judged one failed. Says nothing about the rule itself. */
export class Blocked extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Blocked'
  }
}

/** The run ended in the middle of a rule: what it sent last is no reason for anything. */
export class RunEnded extends Blocked {
  constructor(message: string) {
    super(message)
    this.name = 'RunOver'
  }
}

/** The rule has no object here, for example a rule about two users where one was given. */
export class Skipped extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'Inapplicable'
  }
}

/** No complete HTTP answer came: refused, broken off, or silent for longer than the time-out. */
export class NoResponse extends Error {
  readonly exchange: Exchange | undefined
  /** The server took the request and said nothing in time, instead of hanging up. */
  readonly isSilence: boolean

  constructor(message: string, options?: ErrorOptions & { exchange?: Exchange; isSilence?: boolean }) {
    super(message, options)
    this.name = 'NoAnswer'
    this.exchange = options?.exchange
    this.isSilence = options?.isSilence ?? false
  }
}

/** Runs a step that prepares the judged one: what the server does wrong in it blocks the rule instead of failing it. */
export const asSetup = async <T>(what: string, step: () => Promise<T>): Promise<T> => {
  try {
    return await step()
  } catch (error) {
    if (error instanceof Finding || error instanceof NoResponse) {
      throw new Blocked(`${what} did not work, so this rule could not be judged: ${error.message}`, { cause: error })
    }
    throw error
  }
}
