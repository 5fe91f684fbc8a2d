import type { FigureKind, Goal } from '../row.ts'
import { compareSpreads } from './compare.ts'
import type { Spread } from './median.ts'
import type { FigureResult, RowResult } from './results.ts'

/** A number with as many digits as its size deserves: 0.0123, 0.81, 12.3, 1,234. */
export const formatNumber = (value: number): string => {
  const size = Math.abs(value)
  if (size >= 100) return Math.round(value).toLocaleString('en')
  if (size >= 10) return value.toFixed(1)
  if (size >= 0.1 || size === 0) return value.toFixed(2)
  return value.toPrecision(2)
}

/** A goal as it is read: `≥ 0.80 x`. */
export const formatGoal = ({ is, limit }: Goal, unit: FigureKind['unit']): string =>
  `${is === 'least' ? '≥' : '≤'} ${formatNumber(limit)} ${unit}`

const formatSpread = (spread: Spread | undefined): string =>
  spread === undefined
    ? ''
    : `${formatNumber(spread.median)} [${formatNumber(spread.min)}..${formatNumber(spread.max)}]`

/** Columns of equal width; numbers are read best when they stand to the left under each other. */
export const alignColumns = (lines: readonly (readonly string[])[]): string => {
  const widths: number[] = []
  for (const line of lines) {
    for (const [column, cell] of line.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length)
  }
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const verdict = ({ isReached }: FigureResult): string => {
  if (isReached === undefined) return '-'
  return isReached ? 'reached' : 'MISSED'
}

const sinceLast = (figure: FigureResult, before: FigureResult | undefined): string =>
  before === undefined
    ? 'new'
    : `${compareSpreads(before.value, figure.value, figure.goal)} (${formatNumber(before.value.median)})`

/** One row with all its figures, its notes below; `before` is the row of the committed run. */
export const formatRow = (row: RowResult, before: RowResult | undefined): string => {
  const title = `${row.id}: ${row.work}\n  against ${row.against}`
  if (row.missing !== undefined) return `${title}\n  not measured: ${row.missing}`
  const header = ['  figure', 'goal', 'median [min..max]', 'ours', 'floor', 'since last', 'verdict']
  const lines = row.figures.map((figure) => [
    `  ${figure.title}`,
    figure.goal ? formatGoal(figure.goal, figure.unit) : '-',
    `${formatSpread(figure.value)} ${figure.unit}`,
    formatSpread(figure.candidate),
    formatSpread(figure.floor),
    sinceLast(
      figure,
      before?.figures.find(({ key }) => key === figure.key),
    ),
    verdict(figure),
  ])
  const rounds = row.figures[0]?.value.rounds ?? 0
  const notes = [`${rounds} rounds; ours and floor: ${row.measured}`, ...row.notes].map((note) => `  · ${note}`)
  return [title, alignColumns([header, ...lines]), ...notes].join('\n')
}
