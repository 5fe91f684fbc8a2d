import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { Settings } from '../config/settings-table.ts'
import { sumJournalBytes } from '../folder/journal-bytes.ts'
import type { Gauges } from '../metrics/metrics.ts'
import type { OpenMetrics } from '../metrics/open-metrics.ts'
import type { Store } from '../store/store.ts'
import { CommandFailed } from './command-failed.ts'

/** Begins to count, when the settings ask for it. @throws CommandFailed when the port cannot be used */
export async function startMetrics(settings: Settings, log: Logger): Promise<OpenMetrics | undefined> {
  const { metricsHost: host, metricsPort: port } = settings
  if (port === undefined) return undefined
  // Loaded by those who count only.
  const { openMetrics } = await import('../metrics/open-metrics.ts')
  try {
    const open = await openMetrics({ host, port }, log)
    log.info({ metrics: open.address }, `metrics are shown at http://${open.address}/metrics`)
    return open
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error
    throw new CommandFailed(
      `metrics_port: port ${port} of ${host} cannot be used (${error.code}); choose another one with --metrics-port`,
    )
  }
}

/** What there is to be seen of a store, and of the files that a server works with. */
export function gaugesOf(store: Store, { data, store: kind, tlsCert }: Settings): Gauges {
  return {
    openAccounts: store.countOpenAccounts,
    errands: async () => (await store.listAllErrands()).length,
    ...(kind === 'json' ? { journalBytes: () => sumJournalBytes(data) } : {}),
    ...(tlsCert === undefined ? {} : { certificateEnds: () => readCertificateEnd(tlsCert) }),
  }
}

const readCertificateEnd = async (file: string): Promise<number> =>
  Date.parse(new X509Certificate(await readFile(file)).validTo) / 1000
