import { createServer } from 'node:http'
import type { Logger } from 'pino'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { FailureReason } from '../accounts/login-attempts.ts'
import type { ApiErrorKind } from '../api-error.ts'
import { readVersion } from '../environment.ts'
import { type ListenResult, listen } from '../http/listen.ts'

/** The counters of a running server. They never hold user names, addresses or ids. */
export interface Metrics {
  /** Counts a request, finished or broken off; `status` is undefined when no response was begun. */
  readonly noteRequest: (operation: string, status: number | undefined, seconds: number) => void
  /** Counts an error response. */
  readonly noteError: (kind: ApiErrorKind) => void
  /** Counts a failed attempt to sign in. */
  readonly noteFailedAttempt: (reason: FailureReason) => void
  /** Counts the outcome of a webhook call or a push. */
  readonly noteDelivery: (outcome: DeliveryOutcome) => void
  /** Counts a batch of writes that became durable together. */
  readonly noteCommit: (writes: number, milliseconds: number) => void
  /** Counts a scheduled backup that was created or failed. */
  readonly noteBackup: (isCreated: boolean) => void
  /** Adds gauges, each at most once. */
  readonly addGauges: (gauges: Gauges) => void
}

/** The outcome of a delivery; `busy`: not tried yet, because too many deliveries to this target are under way. */
export type DeliveryOutcome = 'delivered' | 'failed' | 'busy'

/** The current values, read whenever Prometheus reads the metrics. */
export interface Gauges {
  /** Open connections of clients. */
  readonly connections?: () => number
  /** Requests that wait for changes: server-sent events and long polling. */
  readonly listeners?: () => number
  /** Accounts in memory. */
  readonly openAccounts?: () => number
  /** Webhooks and devices with waiting deliveries. */
  readonly outboxEntries?: () => Promise<number>
  /** Bytes of the journal on the disk. */
  readonly journalBytes?: () => Promise<number>
  /** When the certificate expires (Unix time in seconds). */
  readonly certificateEnds?: () => Promise<number>
}

/** Metrics, and the listener that shows them. */
export interface OpenMetrics extends ListenResult {
  readonly metrics: Metrics
  readonly close: () => Promise<void>
}

/**
 * Opens a listener that shows the metrics at `/metrics` to every client that can reach host and port. It is separate
 * from the listener of the server, because the metrics are for the administrator only.
 * @throws when the port is in use or not permitted
 */
export const openMetrics = async (
  location: { readonly host: string; readonly port: number },
  log: Pick<Logger, 'error'>,
): Promise<OpenMetrics> => {
  const { metrics, contentType, show } = createPromMetrics(readVersion())
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (request.url !== '/metrics' || !isRead) {
      response.writeHead(isRead ? 404 : 405, { 'content-type': 'text/plain' }).end('metrics are at /metrics\n')
      return
    }
    show().then(
      (text) => response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' }).end(text),
      (error: unknown) => {
        log.error({ err: error }, 'the metrics could not be shown')
        response.writeHead(500).end()
      },
    )
  })
  const listening = await listen(server, location)
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

/** Metrics, and their text in the format of Prometheus. */
export interface PromMetrics {
  readonly metrics: Metrics
  readonly contentType: string
  readonly show: () => Promise<string>
}

/** Most requests take below a millisecond, and `wait` may take a minute. */
const requestSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60]
const commitSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]
const commitWrites = [1, 2, 4, 8, 16, 32, 64, 128]

const gaugeHelp: Readonly<Record<keyof Gauges, readonly [name: string, help: string]>> = {
  connections: ['thingsync_connections', 'Open connections of clients.'],
  listeners: ['thingsync_listeners', 'Requests that wait for changes: server-sent events and long polling.'],
  openAccounts: ['thingsync_accounts_in_memory', 'Accounts in memory.'],
  outboxEntries: ['thingsync_deliveries_waiting', 'Webhooks and devices with waiting deliveries.'],
  journalBytes: ['thingsync_journal_bytes', 'Bytes of the journal in the data folder.'],
  certificateEnds: ['thingsync_certificate_end_seconds', 'Time at which the TLS certificate expires, in Unix time.'],
}

/** Creates metrics with all counters at 0. They show `version` as the version of the program. */
export const createPromMetrics = (version: string): PromMetrics => {
  // Not the global registry of the package, which all servers of a process would share.
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  new Gauge({ name: 'thingsync_info', help: 'The version of the program.', labelNames: ['version'], registers })
    .labels(version)
    .set(1)
  const requests = new Counter({
    name: 'thingsync_requests_total',
    help: 'Requests by operation and status. Status none: the request ended before a response.',
    labelNames: ['operation', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'thingsync_request_duration_seconds',
    help: 'Time from a request to the end of its response, without server-sent events.',
    labelNames: ['operation'],
    buckets: requestSeconds,
    registers,
  })
  const errors = new Counter({
    name: 'thingsync_rejections_total',
    help: 'Error responses, by kind of error.',
    labelNames: ['kind'],
    registers,
  })
  const attempts = new Counter({
    name: 'thingsync_failed_attempts_total',
    help: 'Failed attempts to sign in, by reason. Reason limit: not checked, because of too many attempts.',
    labelNames: ['reason'],
    registers,
  })
  const deliveries = new Counter({
    name: 'thingsync_deliveries_total',
    help: 'Requests to webhooks and push services, by outcome.',
    labelNames: ['outcome'],
    registers,
  })
  const commits = new Histogram({
    name: 'thingsync_commit_duration_seconds',
    help: 'Time until a batch of writes was durable.',
    buckets: commitSeconds,
    registers,
  })
  const batches = new Histogram({
    name: 'thingsync_commit_writes',
    help: 'Number of writes that became durable together.',
    buckets: commitWrites,
    registers,
  })
  const backups = new Counter({
    name: 'thingsync_backups_total',
    help: 'Scheduled backups, by outcome.',
    labelNames: ['outcome'],
    registers,
  })
  const lastBackup = new Gauge({
    name: 'thingsync_last_backup_seconds',
    help: 'Time of the last scheduled backup since the start, in Unix time. 0: none yet.',
    registers,
  })
  // Alert rules that compare outcomes, or look for the first failure, need counters that are 0 to exist.
  for (const outcome of ['delivered', 'failed', 'busy'] satisfies DeliveryOutcome[]) deliveries.inc({ outcome }, 0)
  for (const outcome of ['created', 'failed']) backups.inc({ outcome }, 0)
  const metrics: Metrics = {
    noteRequest: (operation, status, seconds) => {
      requests.inc({ operation, status: status ?? 'none' })
      if (operation !== 'sync/events') durations.observe({ operation }, seconds)
    },
    noteError: (kind) => errors.inc({ kind }),
    noteFailedAttempt: (reason) => attempts.inc({ reason }),
    noteDelivery: (outcome) => deliveries.inc({ outcome }),
    noteCommit: (writes, milliseconds) => {
      batches.observe(writes)
      commits.observe(milliseconds / 1000)
    },
    noteBackup: (isCreated) => {
      backups.inc({ outcome: isCreated ? 'created' : 'failed' })
      if (isCreated) lastBackup.setToCurrentTime()
    },
    addGauges: (gauges) => {
      for (const key of Object.keys(gauges) as (keyof Gauges)[]) {
        const readValue = gauges[key]
        if (readValue === undefined) continue
        const [name, help] = gaugeHelp[key]
        new Gauge({
          name,
          help,
          registers,
          async collect() {
            this.set(await readValue())
          },
        })
      }
    },
  }
  return { metrics, contentType: registry.contentType, show: () => registry.metrics() }
}
