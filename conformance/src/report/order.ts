import type { ReportedResult } from './finished-run.ts'

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
export function orderToMend(failed: readonly ReportedResult[]): ReportedResult[] {
  const ids = new Set(failed.map(({ id }) => id))
  const isCoarse = ids.has(coarse.noNewPosition) && ids.has(coarse.quickChange)
  const rank = (result: ReportedResult): number => (isCoarse && result.id === coarse.quickChange ? -1 : rankOf(result))
  return failed.toSorted((a, b) => rank(a) - rank(b))
}
