import type { Machine } from '../machine/processes.ts'
import type { FigureKind, Goal, Round, Row } from '../row.ts'

/** Median and extremes of the rounds of one figure. */
interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
  readonly rounds: number
}

/** Returns the middle value, or the mean of the two middle values. @throws RangeError for an empty list */
export const findMedian = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const upper = sorted[sorted.length >> 1]
  const lower = sorted[(sorted.length - 1) >> 1]
  if (upper === undefined || lower === undefined) throw new RangeError('there is no median of no values')
  return (lower + upper) / 2
}

/** Returns the percentile of `share` (0 to 1), by the nearest rank. @throws RangeError for an empty list */
export const findPercentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const found = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]
  if (found === undefined) throw new RangeError('there is no percentile of no values')
  return found
}

/** Returns median, minimum and maximum. @throws RangeError for an empty list */
export const findSpread = (values: readonly number[]): Spread => ({
  median: findMedian(values),
  min: Math.min(...values),
  max: Math.max(...values),
  rounds: values.length,
})

/** The result of a comparison with the committed figure. */
type Comparison = 'better' | 'worse' | 'same'

/**
 * Compares two measurements of a figure. On noisy machines only rounds that do not overlap count as different. A figure
 * without a goal is always `same`, because nothing says whether more is better.
 */
export const compareSpreads = (before: Spread, now: Spread, goal: Goal | undefined): Comparison => {
  if (goal === undefined || (now.min <= before.max && now.max >= before.min)) return 'same'
  return now.min > before.max === (goal.is === 'least') ? 'better' : 'worse'
}

/** One measured figure. */
export interface FigureResult extends FigureKind {
  readonly key: string
  readonly value: Spread
  readonly candidate?: Spread
  readonly baseline?: Spread
  /** Whether the median reaches the goal; absent without a goal. */
  readonly isReached?: boolean
}

/** When, where and how a row was measured. Rows of one file can come from several runs. */
export interface Provenance {
  readonly date: string
  readonly command: string
  readonly machine: Machine
  readonly isPinned: boolean
  readonly note?: string
  /** Load averages before and after. */
  readonly load: readonly [before: number, after: number]
}

/** One measured row, or in `missing` the sentence that says why it was not measured. */
export interface RowResult {
  readonly id: string
  readonly work: string
  readonly against: string
  readonly measured: string
  readonly figures: readonly FigureResult[]
  readonly notes: readonly string[]
  readonly missing?: string
  readonly run: Provenance
}

/** The content of a results file in `docs/benchmarks/`. */
export interface Results {
  readonly about: string
  readonly rows: readonly RowResult[]
}

/** Summarizes the rounds of a row. Figures that no round measured are left out. */
export const summarize = (figures: Row['figures'], rounds: readonly Round[]): FigureResult[] =>
  Object.entries(figures).flatMap(([key, kind]) => {
    const samples = rounds.flatMap((round) => round[key] ?? [])
    if (samples.length === 0) return []
    const value = findSpread(samples.map((sample) => sample.value))
    const candidates = samples.flatMap((sample) => sample.candidate ?? [])
    const baselines = samples.flatMap((sample) => sample.baseline ?? [])
    return [
      {
        key,
        ...kind,
        value,
        ...(candidates.length > 0 ? { candidate: findSpread(candidates) } : {}),
        ...(baselines.length > 0 ? { baseline: findSpread(baselines) } : {}),
        ...(kind.goal ? { isReached: isReached(kind.goal, value.median) } : {}),
      },
    ]
  })

/** Whether a value reaches a goal. */
const isReached = (goal: NonNullable<FigureKind['goal']>, value: number): boolean =>
  goal.is === 'least' ? value >= goal.limit : value <= goal.limit

/** Merges rows: newer rows replace older rows with the same id. `ids` gives the order and drops other rows. */
export const mergeRows = (
  older: readonly RowResult[],
  newer: readonly RowResult[],
  ids: readonly string[],
): RowResult[] => {
  const byId = new Map([...older, ...newer].map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Formats a number with about three significant digits: 0.012, 0.81, 12.3, 1,234. */
export const formatNumber = (value: number): string => {
  const size = Math.abs(value)
  if (size >= 100) return Math.round(value).toLocaleString('en')
  if (size >= 10) return value.toFixed(1)
  if (size >= 0.1 || size === 0) return value.toFixed(2)
  return value.toPrecision(2)
}

/** Formats a goal, as in `≥ 0.80 x`. */
export const formatGoal = ({ is, limit }: Goal, unit: FigureKind['unit']): string =>
  `${is === 'least' ? '≥' : '≤'} ${formatNumber(limit)} ${unit}`

const formatSpread = (spread: Spread | undefined): string =>
  spread === undefined
    ? ''
    : `${formatNumber(spread.median)} [${formatNumber(spread.min)}..${formatNumber(spread.max)}]`

/** Aligns cells to left-aligned columns. */
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

/** Formats one row as text: its figures, then its notes. `before` is the row of the committed run. */
export const formatRow = (row: RowResult, before: RowResult | undefined): string => {
  const title = `${row.id}: ${row.work}\n  against ${row.against}`
  if (row.missing !== undefined) return `${title}\n  not measured: ${row.missing}`
  const header = ['  figure', 'goal', 'median [min..max]', 'ours', 'baseline', 'since last', 'verdict']
  const lines = row.figures.map((figure) => [
    `  ${figure.title}`,
    figure.goal ? formatGoal(figure.goal, figure.unit) : '-',
    `${formatSpread(figure.value)} ${figure.unit}`,
    formatSpread(figure.candidate),
    formatSpread(figure.baseline),
    sinceLast(
      figure,
      before?.figures.find(({ key }) => key === figure.key),
    ),
    verdict(figure),
  ])
  const rounds = row.figures[0]?.value.rounds ?? 0
  const notes = [`${rounds} rounds; ours and baseline: ${row.measured}`, ...row.notes].map((note) => `  · ${note}`)
  return [title, alignColumns([header, ...lines]), ...notes].join('\n')
}

const name = (row: RowResult, { title, unit, goal, value }: FigureResult): string =>
  `  ${row.id}, ${title}: ${formatNumber(value.median)} ${unit}${goal ? ` (${formatGoal(goal, unit)})` : ''}`

const list = (title: string, lines: readonly string[]): string[] => (lines.length > 0 ? [title, ...lines] : [])

/** Formats the summary of a run: number of reached goals, missed goals, worse figures, and rows without a result. */
export const formatSummary = (rows: readonly RowResult[], before: readonly RowResult[]): string => {
  const figures = rows.flatMap((row) => row.figures.map((figure) => ({ row, figure })))
  const checked = figures.filter(({ figure }) => figure.isReached !== undefined)
  const missed = checked.filter(({ figure }) => !figure.isReached)
  const worse = figures.filter(({ row, figure }) => {
    const last = before.find(({ id }) => id === row.id)?.figures.find(({ key }) => key === figure.key)
    return last !== undefined && compareSpreads(last.value, figure.value, figure.goal) === 'worse'
  })
  return [
    `${checked.length - missed.length} of ${checked.length} goals reached`,
    ...list(
      'missed:',
      missed.map(({ row, figure }) => name(row, figure)),
    ),
    ...list(
      'worse than in the last committed run:',
      worse.map(({ row, figure }) => name(row, figure)),
    ),
    ...list(
      'not measured:',
      rows.flatMap((row) => (row.missing === undefined ? [] : `  ${row.id}: ${row.missing}`)),
    ),
  ].join('\n')
}
