import { randomBytes, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { Metrics } from '../metrics/metrics.ts'
import type { FindClientAddress } from './client-address.ts'
import { parseTarget } from './request-head.ts'

/** The name of a request, the same whenever it is asked for: in its answer's `X-Request-Id` and in the log. */
export type GetRequestId = (request: IncomingMessage) => string

const requestIdSymbol = Symbol('the name of a request')
type Named = IncomingMessage & { [requestIdSymbol]?: string }

// Nothing in it can end a line or a header, or look like a secret to the log.
const safeRequestId = /^[\w.:-]{1,128}$/

const getOrCreateId = (request: Named, makeName: () => string): string => {
  const known = request[requestIdSymbol]
  if (known !== undefined) return known
  const given = request.headers['x-request-id']
  const name = typeof given === 'string' && safeRequestId.test(given) ? given : makeName()
  request[requestIdSymbol] = name
  return name
}

/** The name of a request that is answered before anybody asked for its name. */
export const getUnparsableRequestId: GetRequestId = (request) => getOrCreateId(request, randomUUID)

/**
 * Names requests: as their clients named them in `X-Request-Id`, if that is harmless, else by a number behind a text of this
 * run, which costs no randomness per request.
 */
export const createRequestIds = (): GetRequestId => {
  const run = randomBytes(6).toString('hex')
  let last = 0
  const makeName = () => `${run}-${++last}`
  return (request) => getOrCreateId(request, makeName)
}

const sentPast = Symbol('the status that was sent past an answer')
type Passed = ServerResponse & { [sentPast]?: number }

/** Notes that the whole answer was written to the connection itself, as to a request that Node gave up reading. */
export const noteSentStatus = (response: Passed, status: number): void => {
  response[sentPast] = status
}

/** What a client was answered, as far as it was. */
interface SentResponse {
  /** Undefined when no answer was begun. */
  readonly status: number | undefined
  readonly isWhole: boolean
}

/** How an answer that is closed was sent. Until it begins its status is Node's or Koa's default, which nobody was told. */
const findSentResponse = (response: Passed): SentResponse => {
  const past = response[sentPast]
  if (past !== undefined) return { status: past, isWhole: true }
  return { status: response.headersSent ? response.statusCode : undefined, isWhole: response.writableFinished }
}

/** Who is told of requests: a log, and whoever counts them. */
export interface Observers {
  readonly log: Logger
  readonly metrics?: Metrics | undefined
}

/** Koa's context, as far as a request is logged with it. */
interface LoggedContext {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly state: { readonly userId?: unknown; readonly operation?: unknown; readonly refused?: unknown }
}

/**
 * Logs a line for each request when its answer is sent or broken off, and counts it; it has no `status` when no answer was
 * begun.
 */
export const logRequests =
  ({ log, metrics }: Observers, getRequestId: GetRequestId, findClientAddress: FindClientAddress) =>
  ({ req, res, state }: LoggedContext, next: () => Promise<unknown>): Promise<unknown> => {
    const isLogged = log.isLevelEnabled('info')
    if (!isLogged && metrics === undefined) return next()
    const start = performance.now()
    const { method, url = '' } = req
    // Of a connection that is gone it is not known any more.
    const address = isLogged ? findClientAddress(req) : ''
    res.once('close', () => {
      const ms = Math.round((performance.now() - start) * 10) / 10
      const { status, isWhole } = findSentResponse(res)
      metrics?.noteRequest(String(state.operation ?? 'unknown'), status, ms / 1000)
      if (!isLogged) return
      log.info({
        method,
        // Never the query, which may hold a token.
        path: (parseTarget(url)?.path ?? url.replace(/[?#].*/s, '')).slice(0, 200),
        ...(status === undefined ? {} : { status }),
        ms,
        address,
        user: state.userId,
        refused: state.refused,
        requestId: getRequestId(req),
        ...(isWhole ? {} : { isComplete: false }),
      })
    })
    return next()
  }
