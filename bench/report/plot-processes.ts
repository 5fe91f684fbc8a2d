import type { RowResult } from './results.ts'
import { formatNumber } from './table.ts'

const counts = [1, 2, 3, 4]
const [panelWidth, panelHeight, gap, left, top] = [300, 200, 110, 70, 84]
const barHeight = 60
const width = left + 2 * panelWidth + gap + 40
const height = top + panelHeight + barHeight + 96

const style = `
  .back { fill: #ffffff } .text { fill: #1f2328; font: 13px system-ui, sans-serif } .faint { fill: #59636e }
  .grid { stroke: #d1d9e0 } .free { stroke: #0969da; fill: #0969da } .held { stroke: #bc4c00; fill: #bc4c00 }
  .line { fill: none; stroke-width: 2 } .dash { stroke-dasharray: 5 4 } .servers { fill: #54aeff } .database { fill: #8250df }
  @media (prefers-color-scheme: dark) {
    .back { fill: #0d1117 } .text { fill: #f0f6fc } .faint { fill: #9198a1 } .grid { stroke: #3d444d }
    .free { stroke: #4493f8; fill: #4493f8 } .held { stroke: #f0883e; fill: #f0883e } .line { fill: none }
    .servers { fill: #1f6feb } .database { fill: #ab7df8 }
  }`

interface Panel {
  readonly title: string
  readonly free: readonly number[]
  readonly held: readonly number[]
  readonly servers: readonly number[]
  readonly database: readonly number[]
}

const readPanel = (row: RowResult, work: string, title: string): Panel => {
  const read = (suffix: string): number[] =>
    counts.map((count) => row.figures.find(({ key }) => key === `${work}${count}${suffix}`)?.value.median ?? 0)
  return { title, free: read(''), held: read('Held'), servers: read('Servers'), database: read('Database') }
}

const drawPanel = ({ title, free, held, servers, database }: Panel, x: number): string => {
  const most = Math.max(...free, ...held) * 1.1
  const at = (index: number): number => x + ((index + 0.5) * panelWidth) / counts.length
  const up = (value: number): number => Math.round((top + panelHeight * (1 - value / most)) * 10) / 10
  const drawLine = (values: readonly number[], kind: string): string => {
    const points = values.map((value, index) => `${at(index)},${up(value)}`).join(' ')
    const marks = values.map(
      (value, index) => `<circle class="${kind}" cx="${at(index)}" cy="${up(value)}" r="4"/>
<text class="text faint" x="${at(index)}" y="${up(value) - 9}" text-anchor="middle">${formatNumber(value)}</text>`,
    )
    return `<polyline class="line ${kind}${kind === 'held' ? ' dash' : ''}" points="${points}"/>\n${marks.join('\n')}`
  }
  const floor = top + panelHeight + barHeight + 46
  const drawBars = (index: number): string => {
    const [one = 0, other = 0] = [servers[index], database[index]].map((cores = 0) => (cores / 2) * barHeight)
    return `<rect class="servers" x="${at(index) - 16}" y="${floor - one}" width="32" height="${one}"/>
<rect class="database" x="${at(index) - 16}" y="${floor - one - other}" width="32" height="${other}"/>
<text class="text faint" x="${at(index) + 22}" y="${floor - 4}">${((servers[index] ?? 0) + (database[index] ?? 0)).toFixed(1)}</text>
<text class="text" x="${at(index)}" y="${floor + 18}" text-anchor="middle">${counts[index]}</text>`
  }
  return `<text class="text" x="${x}" y="${top - 18}">${title} a second</text>
<line class="grid" x1="${x}" x2="${x + panelWidth}" y1="${top + panelHeight}" y2="${top + panelHeight}"/>
<line class="grid" x1="${x}" x2="${x + panelWidth}" y1="${floor}" y2="${floor}"/>
${drawLine(free, 'free')}
${drawLine(held, 'held')}
${counts.map((_, index) => drawBars(index)).join('\n')}`
}

/**
 * Uploads and small syncs a second by one to four processes, and what they and the database use of the cores. Brings its
 * own background, for light and for dark pages.
 */
export const drawProcesses = (row: RowResult): string => {
  const { machine, load, date } = row.run
  const title = `thingsync on one PostgreSQL, one to four processes, ${date.slice(0, 10)}`
  const what = `${machine.cores} x ${machine.cpu}, load ${load[0]} to ${load[1]}; blue: as fast as the machine lets them; dashed: each process kept to a sixth of a core`
  const panels = [readPanel(row, 'uploads', 'durable uploads'), readPanel(row, 'syncs', 'small syncs')]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${title}</title>
<style>${style}
</style>
<rect class="back" width="${width}" height="${height}"/>
<text class="text" x="14" y="24">${title}</text>
<text class="text faint" x="14" y="44">${what}</text>
${panels.map((panel, index) => drawPanel(panel, left + index * (panelWidth + gap))).join('\n')}
<text class="text faint" x="14" y="${top + panelHeight + 24}">cores used (blue: processes, violet: database), by the number of processes</text>
</svg>
`
}
