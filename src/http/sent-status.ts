import type { ServerResponse } from 'node:http'

const sentPast = Symbol('the status that was sent past an answer')
type Passed = ServerResponse & { [sentPast]?: number }

/** Notes that the whole answer was written to the connection itself, as to a request that Node gave up reading. */
export const noteSentStatus = (answer: Passed, status: number): void => {
  answer[sentPast] = status
}

/** What a client was answered, as far as it was. */
export interface SentAnswer {
  /** Undefined when no answer was begun. */
  readonly status: number | undefined
  readonly isWhole: boolean
}

/** How an answer that is closed was sent. Until it begins its status is Node's or Koa's default, which nobody was told. */
export const findSent = (answer: Passed): SentAnswer => {
  const past = answer[sentPast]
  if (past !== undefined) return { status: past, isWhole: true }
  return { status: answer.headersSent ? answer.statusCode : undefined, isWhole: answer.writableFinished }
}
