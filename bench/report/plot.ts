import type { FigureResult, RowResult } from './results.ts'
import { formatGoal, formatNumber } from './table.ts'

const lineHeight = 24
const top = 74
const left = 470
const plotWidth = 420
const width = left + plotWidth + 190
// How far off the goal the plot reaches; what lies beyond stands at its edge.
const decades = 2

/** A figure with a goal, as it is plotted. */
interface PlottedFigure {
  readonly row: RowResult
  readonly figure: FigureResult & { readonly goal: NonNullable<FigureResult['goal']> }
}

const style = `
  .back { fill: #ffffff } .text { fill: #1f2328; font: 13px system-ui, sans-serif } .faint { fill: #59636e }
  .grid { stroke: #d1d9e0 } .goal { stroke: #1f2328; stroke-width: 2 }
  .reached { fill: #1a7f37; stroke: #1a7f37 } .missed { fill: #ffffff; stroke: #bc4c00 } .mark { stroke-width: 2 }
  @media (prefers-color-scheme: dark) {
    .back { fill: #0d1117 } .text { fill: #f0f6fc } .faint { fill: #9198a1 } .grid { stroke: #3d444d }
    .goal { stroke: #f0f6fc } .reached { fill: #3fb950; stroke: #3fb950 } .missed { fill: #0d1117; stroke: #f0883e }
  }`

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** How many times better than the goal a value is: 1 is the goal, more is better, whichever way the goal points. */
export const distanceToGoal = ({ is, limit }: PlottedFigure['figure']['goal'], value: number): number =>
  is === 'least' ? value / limit : limit / value

const toX = (distance: number): number => {
  // Nothing used at all, as memory can be, is infinitely better than any limit.
  const decade = distance < 0 ? decades : Math.log10(distance)
  const clamped = Math.min(decades, Math.max(-decades, decade))
  return Math.round((left + ((clamped + decades) / (2 * decades)) * plotWidth) * 10) / 10
}

const drawGrid = (height: number): string =>
  Array.from({ length: 2 * decades + 1 }, (_, index) => {
    const decade = index - decades
    const x = toX(10 ** decade)
    const label = decade === 0 ? 'goal' : decade < 0 ? `1/${10 ** -decade}` : `${10 ** decade} x`
    return `<line class="${decade === 0 ? 'goal' : 'grid'}" x1="${x}" x2="${x}" y1="${top - 8}" y2="${height - 14}"/>
<text class="text faint" x="${x}" y="${top - 16}" text-anchor="middle">${label}</text>`
  }).join('\n')

const drawFigure = ({ row, figure }: PlottedFigure, index: number): string => {
  const y = top + index * lineHeight + lineHeight / 2
  const [from, median, to] = [figure.value.min, figure.value.median, figure.value.max].map((value) =>
    toX(distanceToGoal(figure.goal, value)),
  )
  const kind = figure.isReached ? 'reached' : 'missed'
  const value = `${formatNumber(figure.value.median)} (${formatGoal(figure.goal, figure.unit)})`
  return `<text class="text" x="${left - 14}" y="${y + 4}" text-anchor="end">${escapeText(`${row.id}: ${figure.title}`)}</text>
<line class="mark ${kind}" x1="${from}" x2="${to}" y1="${y}" y2="${y}"/>
<circle class="mark ${kind}" cx="${median}" cy="${y}" r="5"/>
<text class="text" x="${left + plotWidth + 14}" y="${y + 4}">${escapeText(value)}</text>`
}

/**
 * The figures that have a goal, each with its median and spread on one scale: how many times better or worse than the
 * goal. A full mark has reached it, a hollow one has not. Brings its own background, for light and for dark pages.
 */
export const drawPlot = (rows: readonly RowResult[], title: string): string => {
  const figures = rows.flatMap((row) =>
    row.figures.flatMap((figure) => (figure.goal ? [{ row, figure: { ...figure, goal: figure.goal } }] : [])),
  )
  const height = top + figures.length * lineHeight + 24
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escapeText(title)}</title>
<style>${style}
</style>
<rect class="back" width="${width}" height="${height}"/>
<text class="text" x="14" y="24">${escapeText(title)}</text>
<text class="text faint" x="${left}" y="${top - 34}">worse ◀</text>
<text class="text faint" x="${left + plotWidth}" y="${top - 34}" text-anchor="end">▶ better</text>
${drawGrid(height)}
${figures.map(drawFigure).join('\n')}
</svg>
`
}
