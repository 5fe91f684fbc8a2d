import { createServer } from 'node:http'
import type { Logger } from 'pino'
import { type Listening, listen } from '../http/listen.ts'
import { readVersion } from '../read-version.ts'
import type { Metrics } from './metrics.ts'
import { createPromMetrics } from './prom-metrics.ts'

/** Metrics, and the listener of their own that shows them. */
export interface OpenMetrics extends Listening {
  readonly metrics: Metrics
  readonly close: () => Promise<void>
}

/**
 * Counts from now on, and shows it to everybody who can reach host and port, at `/metrics`. A listener of its own, because
 * what is counted is nobody's business but the operator's.
 * @throws when the port is taken or may not be used
 */
export const openMetrics = async (
  place: { readonly host: string; readonly port: number },
  log: Pick<Logger, 'error'>,
): Promise<OpenMetrics> => {
  const { metrics, contentType, show } = createPromMetrics(readVersion())
  const server = createServer({ requestTimeout: 10_000 }, (request, answer) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (request.url !== '/metrics' || !isRead) {
      answer.writeHead(isRead ? 404 : 405, { 'content-type': 'text/plain' }).end('metrics are at /metrics\n')
      return
    }
    show().then(
      (text) => answer.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' }).end(text),
      (error: unknown) => {
        log.error({ err: error }, 'what is counted could not be shown')
        answer.writeHead(500).end()
      },
    )
  })
  const listening = await listen(server, place)
  return {
    ...listening,
    metrics,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
