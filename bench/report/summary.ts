import { compareSpreads } from './compare.ts'
import type { FigureResult, RowResult } from './results.ts'
import { formatGoal, formatNumber } from './table.ts'

const name = (row: RowResult, { title, unit, goal, value }: FigureResult): string =>
  `  ${row.id}, ${title}: ${formatNumber(value.median)} ${unit}${goal ? ` (${formatGoal(goal, unit)})` : ''}`

const list = (title: string, lines: readonly string[]): string[] => (lines.length > 0 ? [title, ...lines] : [])

/** What a reader of a whole run wants first: how many goals are reached, which are not, and what got worse. */
export const formatSummary = (rows: readonly RowResult[], before: readonly RowResult[]): string => {
  const figures = rows.flatMap((row) => row.figures.map((figure) => ({ row, figure })))
  const judged = figures.filter(({ figure }) => figure.isReached !== undefined)
  const missed = judged.filter(({ figure }) => !figure.isReached)
  const worse = figures.filter(({ row, figure }) => {
    const last = before.find(({ id }) => id === row.id)?.figures.find(({ key }) => key === figure.key)
    return last !== undefined && compareSpreads(last.value, figure.value, figure.goal) === 'worse'
  })
  return [
    `${judged.length - missed.length} of ${judged.length} goals reached`,
    ...list(
      'missed:',
      missed.map(({ row, figure }) => name(row, figure)),
    ),
    ...list(
      'worse than in the last run that is committed:',
      worse.map(({ row, figure }) => name(row, figure)),
    ),
    ...list(
      'not measured:',
      rows.flatMap((row) => (row.missing === undefined ? [] : `  ${row.id}: ${row.missing}`)),
    ),
  ].join('\n')
}
