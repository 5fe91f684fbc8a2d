import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/**
 * Lighthouse brings 80 MB that nothing else needs, so it is fetched when it is run and is no dependency. The last release
 * that runs on every version of Node that we support.
 */
const lighthouse = 'lighthouse@12.8.2'

/** What is kept of a report: the scores of 100, what the page took, and whatever cost points. */
export interface Report {
  readonly page: string
  readonly lighthouse: string
  readonly browser: string
  readonly scores: Readonly<Record<string, number>>
  readonly measured: Readonly<Record<string, string>>
  readonly lostPoints: readonly string[]
}

interface Audit {
  readonly title: string
  readonly score: number | null
  readonly displayValue?: string
}

interface FullReport {
  readonly lighthouseVersion: string
  readonly environment: { readonly hostUserAgent: string }
  readonly categories: Readonly<
    Record<string, { score: number; auditRefs: readonly { readonly id: string; readonly weight: number }[] }>
  >
  readonly audits: Readonly<Record<string, Audit>>
}

const metrics = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'total-blocking-time',
  'cumulative-layout-shift',
  'speed-index',
]

const summarize = (page: string, report: FullReport): Report => {
  const weighted = Object.values(report.categories).flatMap(({ auditRefs }) => auditRefs)
  const lost = weighted.filter(({ id, weight }) => weight > 0 && (report.audits[id]?.score ?? 1) < 0.9)
  return {
    page,
    lighthouse: report.lighthouseVersion,
    browser: /Chrome\/[\d.]+/.exec(report.environment.hostUserAgent)?.[0] ?? report.environment.hostUserAgent,
    scores: Object.fromEntries(
      Object.entries(report.categories).map(([name, { score }]) => [name, Math.round(score * 100)]),
    ),
    measured: Object.fromEntries(metrics.map((name) => [name, report.audits[name]?.displayValue ?? ''])),
    lostPoints: lost.map(({ id }) => `${report.audits[id]?.title} ${report.audits[id]?.displayValue ?? ''}`.trim()),
  }
}

/** Has Lighthouse look at a URL, as on a slow phone, in the browser that listens on this port, as it is. */
export const runLighthouse = async (page: string, address: string, port: number): Promise<Report> => {
  const args = ['-y', lighthouse, address, `--port=${port}`, '--disable-storage-reset', '--output=json', '--quiet']
  const { stdout } = await promisify(execFile)('npx', args, { maxBuffer: 64_000_000, timeout: 180_000 })
  return summarize(page, JSON.parse(stdout))
}
