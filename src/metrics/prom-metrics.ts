import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { DeliveryOutcome, Gauges, Metrics } from './metrics.ts'

/** Counts, and shows what was counted as Prometheus reads it. */
export interface ShownMetrics {
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
  errands: ['thingsync_deliveries_waiting', 'Webhooks and devices that are still to be told something.'],
  journalBytes: ['thingsync_journal_bytes', 'Bytes of the journal in the data folder.'],
  certificateEnds: ['thingsync_certificate_end_seconds', 'When the TLS certificate ends, in Unix time.'],
}

/** Nothing was counted yet. `version` is the program's, and is shown. */
export const createPromMetrics = (version: string): ShownMetrics => {
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
    noteRefusal: (kind) => refusals.inc({ kind }),
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
