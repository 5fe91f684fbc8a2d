import type { Exchange } from './result.ts'

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
export class RunOver extends Blocked {
  constructor(message: string) {
    super(message)
    this.name = 'RunOver'
  }
}

/** The rule has no object here, for example a rule about two users where one was given. */
export class Inapplicable extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'Inapplicable'
  }
}

/** No complete HTTP answer came: refused, broken off, or silent for longer than the time-out. */
export class NoAnswer extends Error {
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
    if (error instanceof Finding || error instanceof NoAnswer) {
      throw new Blocked(`${what} did not work, so this rule could not be judged: ${error.message}`, { cause: error })
    }
    throw error
  }
}
