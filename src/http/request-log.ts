import { randomBytes, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { Metrics } from '../metrics/metrics.ts'
import type { FindClientAddress } from './client-address.ts'
import { parseTarget } from './request-head.ts'

/** Returns the ID of a request, always the same one: for the response's `X-Request-Id` and for the log. */
export type GetRequestId = (request: IncomingMessage) => string

const requestIdSymbol = Symbol('request ID')
type RequestWithId = IncomingMessage & { [requestIdSymbol]?: string }

// No character in it can end a line or a header, or look like a secret to the log.
const safeRequestId = /^[\w.:-]{1,128}$/

const getOrCreateId = (request: RequestWithId, createId: () => string): string => {
  const known = request[requestIdSymbol]
  if (known !== undefined) return known
  const given = request.headers['x-request-id']
  const id = typeof given === 'string' && safeRequestId.test(given) ? given : createId()
  request[requestIdSymbol] = id
  return id
}

/** Returns the ID of a request that got its response before the application saw it. */
export const getUnparsableRequestId: GetRequestId = (request) => getOrCreateId(request, randomUUID)

/**
 * Creates the IDs of requests: the client's own `X-Request-Id` if it is harmless, else a number behind a random prefix
 * of this process, which needs no randomness per request.
 */
export const createRequestIds = (): GetRequestId => {
  const prefix = randomBytes(6).toString('hex')
  let last = 0
  const createId = () => `${prefix}-${++last}`
  return (request) => getOrCreateId(request, createId)
}

const rawStatusSymbol = Symbol('status that was written to the socket')
type ResponseWithRawStatus = ServerResponse & { [rawStatusSymbol]?: number }

/** Notes the status of a response that was written to the socket itself, for a request that Node gave up reading. */
export const noteSentStatus = (response: ResponseWithRawStatus, status: number): void => {
  response[rawStatusSymbol] = status
}

/** The part of a response that was sent. */
interface SentResponse {
  /** Undefined when no response was begun. */
  readonly status: number | undefined
  readonly isWhole: boolean
}

/** Finds what was sent of a closed response. Before its head is sent, its status is only a default of Node or Koa. */
const findSentResponse = (response: ResponseWithRawStatus): SentResponse => {
  const rawStatus = response[rawStatusSymbol]
  if (rawStatus !== undefined) return { status: rawStatus, isWhole: true }
  return { status: response.headersSent ? response.statusCode : undefined, isWhole: response.writableFinished }
}

/** The observers of requests: a log and, optionally, metrics. */
export interface Observers {
  readonly log: Logger
  readonly metrics?: Metrics | undefined
}

/** The part of Koa's context that the request log needs. */
interface LoggedContext {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly state: { readonly userId?: unknown; readonly operation?: unknown; readonly errorKind?: unknown }
}

/**
 * Creates the log of requests. Call it when a request arrives: it logs a line, and counts the request, when the response
 * ends or breaks off. Without a response the line has no `status`.
 */
export const createRequestLog =
  ({ log, metrics }: Observers, getRequestId: GetRequestId, findClientAddress: FindClientAddress) =>
  ({ req, res, state }: LoggedContext): void => {
    const isLogged = log.isLevelEnabled('info')
    if (!isLogged && metrics === undefined) return
    const start = performance.now()
    const { method, url = '' } = req
    // Read now, because a closed connection has no address.
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
        rejected: state.errorKind,
        requestId: getRequestId(req),
        ...(isWhole ? {} : { isComplete: false }),
      })
    })
  }
