/** How binding a rule is: only a failed MUST changes the verdict (a failed SHOULD does with `--level should`). */
export type Level = 'must' | 'should'

/** Where a rule comes from: the interface states it, it follows from that, or this project's contract adds it. */
export type Basis = 'specified' | 'implied' | 'extension'

/** `core` holds what the interface states or implies; `full` adds the extensions of this project. */
export type Profile = 'core' | 'full'

/** The profiles of clients: `api` is a library that is online, `replica` an offline client with a folder. */
export type ClientProfile = 'api' | 'replica'

/** What a run checked: a profile of servers, or one or both profiles of clients. */
export type CheckedProfile = Profile | ClientProfile | 'api and replica'

/** The outcome of one rule. `blocked`: an earlier step failed; `error`: the suite itself failed. */
export type Status = 'passed' | 'failed' | 'blocked' | 'skipped' | 'error'

/** One line of the report (field names are the stable JSON report's). */
export interface RuleResult {
  readonly id: string
  readonly title: string
  readonly level: Level
  readonly basis: Basis
  readonly profile: Profile | ClientProfile
  readonly section: string
  readonly requirements: readonly string[]
  readonly status: Status
  /** The reason, in one or two sentences for the owner of the server. */
  readonly message?: string
  readonly expected?: string
  readonly actual?: string
  /** What the skipped rule needs: an option, such as `--other-client`, or the features of an adapter, such as `list`. */
  readonly needs?: string
  /**
   * A shell command that repeats the decisive request; secrets are variables. For a client: the command that repeats the
   * rule.
   */
  readonly curl?: string
  /** A shell script that repeats the rule, from its first request on. */
  readonly script?: string
  /** For a client: the exchange that shows the fault. */
  readonly exchange?: Exchange
  /**
   * For a client: what happened before the failure, one event a line: commands, their results and exchanges. Before that
   * it has the steps of a random history.
   */
  readonly story?: string
  /** The request whose response was unusable for any rule; several rules may have the same cause. */
  readonly cause?: { readonly method: string; readonly path: string; readonly status: number | 'nothing' }
  /** ID of the known mistake (`known-mistakes.ts`) that this failure follows from: fix the mistake first. */
  readonly follows?: string
  /** The exchanges behind a failure, with secrets replaced, oldest first. */
  readonly exchanges?: readonly Exchange[]
  readonly ms: number
}

/** One request and its response; secrets are replaced before it is recorded. */
export interface Exchange {
  readonly who: string
  /** True when the server sent it to the suite's receiver; otherwise a client sent it to the server. */
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

/** Counts of a run by status, and for the level that decides. */
export interface Summary {
  readonly passed: number
  readonly failed: number
  readonly blocked: number
  readonly skipped: number
  readonly error: number
  readonly mustFailed: number
  readonly mustBlocked: number
}

/** A whole run, in the shape of the JSON report. */
export interface RunReport {
  readonly suite: 'thingsync-conformance'
  readonly version: string
  readonly target: string
  readonly profile: CheckedProfile
  readonly seed: number
  readonly startedAt: string
  readonly ms: number
  /** 130 and 143: interrupted by Ctrl-C or SIGTERM; the results are those so far. */
  readonly exitCode: 0 | 1 | 2 | 3 | 130 | 143
  readonly verdict: string
  /** Incidents of the whole run, one sentence each. */
  readonly notes?: readonly string[]
  readonly summary: Summary
  readonly results: readonly RuleResult[]
}

/** The server breaks the rule: what was expected and because of which step, what came, and in which exchange. */
export class Finding extends Error {
  readonly expected: string
  readonly actual: string
  /** The decisive exchange; default: the last exchange of the rule. */
  readonly exchange: Exchange | undefined
  /** A shell script that shows the failure again, where one request is not enough. */
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

/** The rule cannot be checked: an earlier step failed. Says nothing about the rule itself. */
export class Blocked extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Blocked'
  }
}

/** The run ended in the middle of a rule: its last request is not the cause. */
export class RunEnded extends Blocked {
  constructor(message: string) {
    super(message)
    this.name = 'RunEnded'
  }
}

/** The rule does not apply here, for example a rule about two users in a run with one user. */
export class Skipped extends Error {
  /** The options that the rule needs, when that is the reason. */
  readonly needs: string | undefined

  constructor(message: string, needs?: string) {
    super(message)
    this.name = 'Skipped'
    this.needs = needs
  }
}

/** No complete HTTP response came: connection refused, broken off, or silent for longer than the time-out. */
export class NoResponse extends Error {
  readonly exchange: Exchange | undefined
  /** The server accepted the request and sent nothing in time, instead of closing the connection. */
  readonly isSilence: boolean

  constructor(message: string, options?: ErrorOptions & { exchange?: Exchange; isSilence?: boolean }) {
    super(message, options)
    this.name = 'NoResponse'
    this.exchange = options?.exchange
    this.isSilence = options?.isSilence ?? false
  }
}

/** Runs a setup step: an error of the server in it blocks the rule instead of failing it. */
export const asSetup = async <T>(what: string, step: () => Promise<T>): Promise<T> => {
  try {
    return await step()
  } catch (error) {
    if (error instanceof Finding || error instanceof NoResponse) {
      throw new Blocked(`${what} did not work, so this rule is blocked: ${error.message}`, { cause: error })
    }
    throw error
  }
}
