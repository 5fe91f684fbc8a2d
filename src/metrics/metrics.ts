import { readdir, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { FailureReason } from '../accounts/login-attempts.ts'
import type { ApiErrorKind } from '../api-error.ts'
import { readVersion } from '../environment.ts'
import { type ListenResult, listen } from '../http/listen.ts'

/** What is counted while a server runs. Nothing here knows people: no names, no addresses, no ids. */
export interface Metrics {
  /** A request was answered, or broken off, which has no status when no answer was begun. */
  readonly noteRequest: (operation: string, status: number | undefined, seconds: number) => void
  readonly noteError: (kind: ApiErrorKind) => void
  /** Somebody failed to sign in. */
  readonly noteFailedAttempt: (reason: FailureReason) => void
  /** A webhook or a push was sent, or could not be. */
  readonly noteDelivery: (outcome: DeliveryOutcome) => void
  /** Writes were made durable together. */
  readonly noteCommit: (writes: number, milliseconds: number) => void
  /** A backup on a schedule was made, or failed. */
  readonly noteBackup: (isMade: boolean) => void
  /** Tells where to ask for what is not counted but is; each may be told once. */
  readonly addGauges: (gauges: Gauges) => void
}

/** What became of something that was sent; `busy`: nothing was tried yet, because much is on its way there. */
export type DeliveryOutcome = 'delivered' | 'failed' | 'busy'

/** What there is at the moment; asked for when somebody looks. */
export interface Gauges {
  /** Open connections of clients. */
  readonly connections?: () => number
  /** Requests that wait for changes: streams of events, and `wait`. */
  readonly listeners?: () => number
  /** Accounts in memory. */
  readonly openAccounts?: () => number
  /** Webhooks and devices that are still to be told something. */
  readonly outboxEntries?: () => Promise<number>
  /** Bytes of the journal on the disk. */
  readonly journalBytes?: () => Promise<number>
  /** When the certificate ends (Unix time in seconds). */
  readonly certificateEnds?: () => Promise<number>
}

/** Metrics, and the listener of their own that shows them. */
export interface OpenMetrics extends ListenResult {
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

/** Counts, and shows what was counted as Prometheus reads it. */
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
  listeners: ['thingsync_listeners', 'Requests that wait for changes: streams of events, and wait.'],
  openAccounts: ['thingsync_accounts_in_memory', 'Accounts that are in memory.'],
  outboxEntries: ['thingsync_deliveries_waiting', 'Webhooks and devices that are still to be told something.'],
  journalBytes: ['thingsync_journal_bytes', 'Bytes of the journal in the data folder.'],
  certificateEnds: ['thingsync_certificate_end_seconds', 'When the TLS certificate ends, in Unix time.'],
}

/** Nothing was counted yet. `version` is the program's, and is shown. */
export const createPromMetrics = (version: string): PromMetrics => {
  // Never the package's own registry, which all of a process would share.
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  new Gauge({ name: 'thingsync_info', help: 'The version of the program.', labelNames: ['version'], registers })
    .labels(version)
    .set(1)
  const requests = new Counter({
    name: 'thingsync_requests_total',
    help: 'Requests by operation and status; broken off before an answer: status none.',
    labelNames: ['operation', 'status'],
    registers,
  })
  const durations = new Histogram({
    name: 'thingsync_request_duration_seconds',
    help: 'From a request to the end of its answer; streams of events are not in it.',
    labelNames: ['operation'],
    buckets: requestSeconds,
    registers,
  })
  const refusals = new Counter({
    name: 'thingsync_refusals_total',
    help: 'Requests that were refused, by what was wrong.',
    labelNames: ['kind'],
    registers,
  })
  const attempts = new Counter({
    name: 'thingsync_failed_attempts_total',
    help: 'Failed attempts to sign in, by what was wrong; limit: not even judged.',
    labelNames: ['reason'],
    registers,
  })
  const deliveries = new Counter({
    name: 'thingsync_deliveries_total',
    help: 'Calls of webhooks and push services, by outcome.',
    labelNames: ['outcome'],
    registers,
  })
  const commits = new Histogram({
    name: 'thingsync_commit_duration_seconds',
    help: 'Time in which a batch of writes was made durable.',
    buckets: commitSeconds,
    registers,
  })
  const batches = new Histogram({
    name: 'thingsync_commit_writes',
    help: 'Writes that were made durable together.',
    buckets: commitWrites,
    registers,
  })
  const backups = new Counter({
    name: 'thingsync_backups_total',
    help: 'Backups on a schedule, by outcome.',
    labelNames: ['outcome'],
    registers,
  })
  const lastBackup = new Gauge({
    name: 'thingsync_last_backup_seconds',
    help: 'When the last backup on a schedule was made since the start, in Unix time; 0: none yet.',
    registers,
  })
  // Rules that compare them, or look for the first failure, need what is 0 to be there.
  for (const outcome of ['delivered', 'failed', 'busy'] satisfies DeliveryOutcome[]) deliveries.inc({ outcome }, 0)
  for (const outcome of ['made', 'failed']) backups.inc({ outcome }, 0)
  const metrics: Metrics = {
    noteRequest: (operation, status, seconds) => {
      requests.inc({ operation, status: status ?? 'none' })
      if (operation !== 'sync/events') durations.observe({ operation }, seconds)
    },
    noteError: (kind) => refusals.inc({ kind }),
    noteFailedAttempt: (reason) => attempts.inc({ reason }),
    noteDelivery: (outcome) => deliveries.inc({ outcome }),
    noteCommit: (writes, milliseconds) => {
      batches.observe(writes)
      commits.observe(milliseconds / 1000)
    },
    noteBackup: (isMade) => {
      backups.inc({ outcome: isMade ? 'made' : 'failed' })
      if (isMade) lastBackup.setToCurrentTime()
    },
    addGauges: (gauges) => {
      for (const key of Object.keys(gauges) as (keyof Gauges)[]) {
        const ask = gauges[key]
        if (ask === undefined) continue
        const [name, help] = gaugeHelp[key]
        new Gauge({
          name,
          help,
          registers,
          async collect() {
            this.set(await ask())
          },
        })
      }
    },
  }
  return { metrics, contentType: registry.contentType, show: () => registry.metrics() }
}

/** Bytes of the files of the journal of a data folder; what is removed while it is looked at counts as nothing. */
export const sumJournalBytes = async (folder: string): Promise<number> => {
  const journal = join(folder, 'journal')
  const names = await readdir(journal)
  const sizes = await Promise.all(
    names.map((name) => stat(join(journal, name)).then(({ size }) => size, zeroWhenMissing)),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

const zeroWhenMissing = (error: NodeJS.ErrnoException): number => {
  if (error.code === 'ENOENT') return 0
  throw error
}
