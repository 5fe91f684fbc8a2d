import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import type { Metrics } from '../metrics/metrics.ts'
import type { FindAddress } from './client-address.ts'
import { readTarget } from './read-target.ts'
import type { NameRequest } from './request-id.ts'
import { findSent } from './sent-status.ts'

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
  ({ log, metrics }: Observers, nameRequest: NameRequest, findAddress: FindAddress) =>
  ({ req, res, state }: LoggedContext, next: () => Promise<unknown>): Promise<unknown> => {
    const isLogged = log.isLevelEnabled('info')
    if (!isLogged && metrics === undefined) return next()
    const start = performance.now()
    const { method, url = '' } = req
    // Of a connection that is gone it is not known any more.
    const address = isLogged ? findAddress(req) : ''
    res.once('close', () => {
      const ms = Math.round((performance.now() - start) * 10) / 10
      const { status, isWhole } = findSent(res)
      metrics?.noteRequest(String(state.operation ?? 'unknown'), status, ms / 1000)
      if (!isLogged) return
      log.info({
        method,
        // Never the query, which may hold a token.
        path: (readTarget(url)?.path ?? url.replace(/[?#].*/s, '')).slice(0, 200),
        ...(status === undefined ? {} : { status }),
        ms,
        address,
        user: state.userId,
        refused: state.refused,
        requestId: nameRequest(req),
        ...(isWhole ? {} : { isComplete: false }),
      })
    })
    return next()
  }
