import { allMistakes } from '../known-mistakes.ts'
import type { ReportedResult } from './reported-result.ts'

/** The common cause of several failures: an operation without a useful response, or a known mistake. */
export interface Cause {
  readonly sentence: string
  /** How many rules have this cause, as a sentence without its end. */
  readonly extent: string
  readonly results: readonly ReportedResult[]
  /** The result that shows the mistake best; absent where the response of one request shows everything. */
  readonly example?: ReportedResult
}

/** Minimum number of rules with the same symptom that make it a cause. */
const minCount = 3

/** Groups results by causes, the cause that others depend on first; `rest` holds results without a common cause. */
export function findCauses(results: readonly ReportedResult[]): { causes: Cause[]; rest: ReportedResult[] } {
  const isUnreachable = (result: ReportedResult): boolean =>
    (result.actual ?? result.message ?? '').includes('ECONNREFUSED')
  const unreachable = findUnreachable(results.filter(isUnreachable))
  const others = unreachable.length === 0 ? results : results.filter((result) => !isUnreachable(result))
  const errorCauses = [...unreachable, ...findErrorCauses(others)]
  const waiting = new Set(errorCauses.flatMap((cause) => cause.results))
  const causes = [...errorCauses, ...findMistakes(results.filter((result) => !waiting.has(result)))]
  const explained = new Set(causes.flatMap((cause) => cause.results))
  return { causes, rest: results.filter((result) => !explained.has(result)) }
}

/** Finds a server that became unreachable. The preflight reports a server that never accepted a connection. */
function findUnreachable(results: readonly ReportedResult[]): Cause[] {
  if (results.length < minCount) return []
  const sentence = 'the server went away during the run: it refused connections; check the end of its log'
  return [{ sentence, results, extent: `${count(results)} affected` }]
}

function findMistakes(results: readonly ReportedResult[]): Cause[] {
  return allMistakes.flatMap(({ id, sentence, follows }) => {
    const group = results.filter((result) => result.follows === id)
    const indexOf = (result: ReportedResult): number => follows.indexOf(result.id)
    const [example] = group.toSorted((a, b) => indexOf(a) - indexOf(b))
    if (example === undefined) return []
    return {
      sentence,
      results: group,
      example,
      extent: `${count(group)} ${group.length === 1 ? 'follows' : 'follow'} from it`,
    }
  })
}

function findErrorCauses(results: readonly ReportedResult[]): Cause[] {
  const groups = new Map<string, ReportedResult[]>()
  for (const result of results) {
    if (result.cause === undefined) continue
    const { path, status } = result.cause
    groups.set(`${path} ${status}`, [...(groups.get(`${path} ${status}`) ?? []), result])
  }
  const order = (path: string): number => (path === 'token' ? 0 : path === 'sync' ? 1 : 2)
  return [...groups.values()]
    .filter((group) => group.length >= minCount)
    .map(describe)
    .sort((a, b) => order(a.path) - order(b.path) || b.results.length - a.results.length)
}

function count({ length }: readonly ReportedResult[]): string {
  return length === 1 ? '1 rule' : `${length} rules`
}

function describe(results: readonly ReportedResult[]): Cause & { readonly path: string } {
  const causes = results.flatMap(({ cause }) => cause ?? [])
  const [{ path, status } = { path: '', status: 'nothing' }] = causes
  const methods = [...new Set(causes.map(({ method }) => method))].sort()
  const what = `${new Intl.ListFormat('en-GB').format(methods)} ${path}`
  const verb = methods.length === 1 ? 'gets' : 'get'
  const isMissing = status === 404 || status === 405 || status === 501
  const came = `${verb} ${status === 'nothing' ? 'no response' : `status ${status}`}`
  const missing = methods.length === 1 ? 'does not exist' : 'do not exist'
  const sentence = isMissing ? `${what} ${missing} (status ${status})` : `${what} ${came}`
  return { path, results, sentence, extent: `${count(results)} ${results.length === 1 ? 'is' : 'are'} blocked by it` }
}

/** Topics in the order in which they are best fixed: clients use the first ones first; the others depend on them. */
const topics = [
  ...['TOKEN', 'SYNC-FULL', 'SYNC-NEW', 'SYNC-INCREMENTAL', 'SYNC-DELETE', 'SYNC-UPLOAD', 'SYNC-POS'],
  ...['THING', 'TAG', 'USER', 'SYNC', 'HISTORY'],
]

/** Rules for clients that fail with almost any fault: the other rules show it better. */
const broadRules = /^CLIENT-(LEGAL|HISTORY)-/

const rankOf = ({ id }: ReportedResult): number => {
  if (broadRules.test(id)) return topics.length + 1
  const rank = topics.findIndex((topic) => id.startsWith(`${topic}-`))
  return rank === -1 ? topics.length : rank
}

/** Two rules that fail together where positions are too coarse: then any rule with an incremental sync may fail. */
const coarse = { noNewPosition: 'SYNC-POS-01', quickChange: 'SYNC-POS-03' }

/** Sorts the failed results in the order in which they are best fixed. */
export function orderForFixing(failed: readonly ReportedResult[]): ReportedResult[] {
  const ids = new Set(failed.map(({ id }) => id))
  const isCoarse = ids.has(coarse.noNewPosition) && ids.has(coarse.quickChange)
  const rank = (result: ReportedResult): number => (isCoarse && result.id === coarse.quickChange ? -1 : rankOf(result))
  return failed.toSorted((a, b) => rank(a) - rank(b))
}
