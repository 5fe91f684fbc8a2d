import type { ReportedResult } from './finished-run.ts'

/** Why several rules were not kept: one operation that answers nothing useful. */
export interface Cause {
  /** The operation, `sync`. */
  readonly path: string
  readonly sentence: string
  readonly results: readonly ReportedResult[]
}

/** Fewest rules that make a cause of what they have in common. */
const fewest = 3

/** Finds what keeps several rules from being kept or judged, the operation that others need first; the rest is by itself. */
export function findCauses(results: readonly ReportedResult[]): { causes: Cause[]; rest: ReportedResult[] } {
  const groups = new Map<string, ReportedResult[]>()
  for (const result of results) {
    if (result.cause === undefined) continue
    const { path, status } = result.cause
    groups.set(`${path} ${status}`, [...(groups.get(`${path} ${status}`) ?? []), result])
  }
  const causes = [...groups.values()].filter((group) => group.length >= fewest).map(describe)
  const explained = new Set(causes.flatMap((cause) => cause.results))
  const order = (path: string): number => (path === 'token' ? 0 : path === 'sync' ? 1 : 2)
  return {
    causes: causes.sort((a, b) => order(a.path) - order(b.path) || b.results.length - a.results.length),
    rest: results.filter((result) => !explained.has(result)),
  }
}

function describe(results: readonly ReportedResult[]): Cause {
  const causes = results.flatMap(({ cause }) => cause ?? [])
  const [{ path, status } = { path: '', status: 'nothing' }] = causes
  const methods = [...new Set(causes.map(({ method }) => method))].sort()
  const what = `${methods.join(' and ')} ${path}`
  const verb = methods.length === 1 ? 'is' : 'are'
  const isMissing = status === 404 || status === 405 || status === 501
  const came =
    status === 'nothing' ? `${methods.length === 1 ? 'gives' : 'give'} no answer` : `${verb} answered ${status}`
  const missing = methods.length === 1 ? 'does not exist' : 'do not exist'
  return { path, results, sentence: isMissing ? `${what} ${missing} (${verb} answered ${status})` : `${what} ${came}` }
}
