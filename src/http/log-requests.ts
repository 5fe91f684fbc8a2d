import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { readTarget } from './read-target.ts'
import type { NameRequest } from './request-id.ts'

/** Koa's context, as far as a request is logged with it. */
interface LoggedContext {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly state: { readonly userId?: unknown }
}

/** Logs a line for each request when its answer is sent or broken off; it has no `status` when no answer was begun. */
export const logRequests =
  (log: Logger, nameRequest: NameRequest) =>
  ({ req, res, state }: LoggedContext, next: () => Promise<unknown>): Promise<unknown> => {
    if (!log.isLevelEnabled('info')) return next()
    const start = performance.now()
    const { method, url = '' } = req
    res.once('close', () => {
      const ms = Math.round((performance.now() - start) * 10) / 10
      log.info({
        method,
        // Never the query, which may hold a token.
        path: (readTarget(url)?.path ?? url.replace(/[?#].*/s, '')).slice(0, 200),
        // Until an answer begins it is Node's or Koa's default, which nobody was told.
        ...(res.headersSent ? { status: res.statusCode } : {}),
        ms,
        user: state.userId,
        requestId: nameRequest(req),
        ...(res.writableFinished ? {} : { isComplete: false }),
      })
    })
    return next()
  }
