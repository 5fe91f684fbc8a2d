import { allMistakes } from '../known-mistakes.ts'
import type { ReportedResult } from './reported-result.ts'

/** Why several rules were not kept: an operation that answers nothing useful, or a mistake that others follow from. */
export interface Cause {
  readonly sentence: string
  /** How many rules there are because of it, as a sentence without its end. */
  readonly extent: string
  readonly results: readonly ReportedResult[]
  /** The result that shows the mistake best; absent where nothing is to be seen but the answer of one request. */
  readonly example?: ReportedResult
}

/** Fewest rules that make a cause of what they have in common. */
const minCount = 3

/** Finds what keeps several rules from being kept or judged, what others need first; the rest is by itself. */
export function findCauses(results: readonly ReportedResult[]): { causes: Cause[]; rest: ReportedResult[] } {
  const isGone = (result: ReportedResult): boolean => (result.actual ?? result.message ?? '').includes('ECONNREFUSED')
  const gone = findGone(results.filter(isGone))
  const others = gone.length === 0 ? results : results.filter((result) => !isGone(result))
  const apiErrors = [...gone, ...findErrorCauses(others)]
  const waiting = new Set(apiErrors.flatMap((cause) => cause.results))
  const causes = [...apiErrors, ...findMistakes(results.filter((result) => !waiting.has(result)))]
  const explained = new Set(causes.flatMap((cause) => cause.results))
  return { causes, rest: results.filter((result) => !explained.has(result)) }
}

/** The suite has spoken with it before: a server that never took a connection is not judged. */
function findGone(results: readonly ReportedResult[]): Cause[] {
  if (results.length < minCount) return []
  const sentence = 'the server went away during the run: connections were refused; look at the end of its log'
  return [{ sentence, results, extent: `${count(results)} met that` }]
}

function findMistakes(results: readonly ReportedResult[]): Cause[] {
  return allMistakes.flatMap(({ id, sentence, follows }) => {
    const group = results.filter((result) => result.follows === id)
    const place = (result: ReportedResult): number => follows.indexOf(result.id)
    const [example] = group.toSorted((a, b) => place(a) - place(b))
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
  const what = `${methods.join(' and ')} ${path}`
  const verb = methods.length === 1 ? 'is' : 'are'
  const isMissing = status === 404 || status === 405 || status === 501
  const came =
    status === 'nothing' ? `${methods.length === 1 ? 'gives' : 'give'} no answer` : `${verb} answered ${status}`
  const missing = methods.length === 1 ? 'does not exist' : 'do not exist'
  const sentence = isMissing ? `${what} ${missing} (${verb} answered ${status})` : `${what} ${came}`
  return { path, results, sentence, extent: `${count(results)} wait for it` }
}

/** What clients do first comes first: without it the rest can't be mended either. */
const topics = [
  ...['TOKEN', 'SYNC-FULL', 'SYNC-NEW', 'SYNC-DELTA', 'SYNC-DELETE', 'SYNC-UPLOAD', 'SYNC-POS'],
  ...['THING', 'TAG', 'USER', 'SYNC', 'HISTORY'],
]

const rankOf = ({ id }: ReportedResult): number => {
  const rank = topics.findIndex((topic) => id.startsWith(`${topic}-`))
  return rank === -1 ? topics.length : rank
}

/** Two rules that fail together where positions are too coarse: then everything that asks for a delta fails at times. */
const coarse = { noNewPosition: 'SYNC-POS-01', quickChange: 'SYNC-POS-03' }

/** The failed results in the order in which they are best mended. */
export function orderForFixing(failed: readonly ReportedResult[]): ReportedResult[] {
  const ids = new Set(failed.map(({ id }) => id))
  const isCoarse = ids.has(coarse.noNewPosition) && ids.has(coarse.quickChange)
  const rank = (result: ReportedResult): number => (isCoarse && result.id === coarse.quickChange ? -1 : rankOf(result))
  return failed.toSorted((a, b) => rank(a) - rank(b))
}
