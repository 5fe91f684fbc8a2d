import { execFileSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type FigureResult, formatGoal, formatNumber, mergeRows, type Results, type RowResult } from './results.ts'

const lineHeight = 24
const top = 74
const left = 470
const plotWidth = 420
const width = left + plotWidth + 190
// The range of the plot around the goal, in powers of ten. Values outside of it are drawn at its edge.
const decades = 2

/** A figure with a goal, for the plot. */
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

/** Returns how many times better than the goal a value is, for both kinds of goals. 1 is the goal; more is better. */
export const distanceToGoal = ({ is, limit }: PlottedFigure['figure']['goal'], value: number): number =>
  is === 'least' ? value / limit : limit / value

const toX = (distance: number): number => {
  // A negative value, as growth of memory can be, is infinitely better than any limit.
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
 * Draws the figures with a goal as SVG, each with its median and spread on one scale: how many times better or worse
 * than the goal. A full mark has reached the goal, a hollow one has missed it. The SVG has its own background, for
 * light and dark pages.
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

const counts = [1, 2, 3, 4]
const [panelWidth, panelHeight, gap, panelLeft, panelTop] = [300, 200, 110, 70, 84]
const barHeight = 60
const panelsWidth = panelLeft + 2 * panelWidth + gap + 40
const height = panelTop + panelHeight + barHeight + 96

const panelStyle = `
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
  const max = Math.max(...free, ...held) * 1.1
  const at = (index: number): number => x + ((index + 0.5) * panelWidth) / counts.length
  const up = (value: number): number => Math.round((panelTop + panelHeight * (1 - value / max)) * 10) / 10
  const drawLine = (values: readonly number[], kind: string): string => {
    const points = values.map((value, index) => `${at(index)},${up(value)}`).join(' ')
    const marks = values.map(
      (value, index) => `<circle class="${kind}" cx="${at(index)}" cy="${up(value)}" r="4"/>
<text class="text faint" x="${at(index)}" y="${up(value) - 9}" text-anchor="middle">${formatNumber(value)}</text>`,
    )
    return `<polyline class="line ${kind}${kind === 'held' ? ' dash' : ''}" points="${points}"/>\n${marks.join('\n')}`
  }
  const baseline = panelTop + panelHeight + barHeight + 46
  const drawBars = (index: number): string => {
    const [one = 0, other = 0] = [servers[index], database[index]].map((cores = 0) => (cores / 2) * barHeight)
    return `<rect class="servers" x="${at(index) - 16}" y="${baseline - one}" width="32" height="${one}"/>
<rect class="database" x="${at(index) - 16}" y="${baseline - one - other}" width="32" height="${other}"/>
<text class="text faint" x="${at(index) + 22}" y="${baseline - 4}">${((servers[index] ?? 0) + (database[index] ?? 0)).toFixed(1)}</text>
<text class="text" x="${at(index)}" y="${baseline + 18}" text-anchor="middle">${counts[index]}</text>`
  }
  return `<text class="text" x="${x}" y="${panelTop - 18}">${title} a second</text>
<line class="grid" x1="${x}" x2="${x + panelWidth}" y1="${panelTop + panelHeight}" y2="${panelTop + panelHeight}"/>
<line class="grid" x1="${x}" x2="${x + panelWidth}" y1="${baseline}" y2="${baseline}"/>
${drawLine(free, 'free')}
${drawLine(held, 'held')}
${counts.map((_, index) => drawBars(index)).join('\n')}`
}

/**
 * Draws the row `postgres-processes` as SVG: uploads and small syncs a second of one to four processes, and the cores
 * that they and the database use. The SVG has its own background, for light and dark pages.
 */
export const drawProcesses = (row: RowResult): string => {
  const { machine, load, date } = row.run
  const title = `thingsync on one PostgreSQL, one to four processes, ${date.slice(0, 10)}`
  const what = `${machine.cores} x ${machine.cpu}, load ${load[0]} to ${load[1]}; blue: as fast as the machine lets them; dashed: each process kept to a sixth of a core`
  const panels = [readPanel(row, 'uploads', 'durable uploads'), readPanel(row, 'syncs', 'small syncs')]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${panelsWidth} ${height}" width="${panelsWidth}" height="${height}" role="img">
<title>${title}</title>
<style>${panelStyle}
</style>
<rect class="back" width="${panelsWidth}" height="${height}"/>
<text class="text" x="14" y="24">${title}</text>
<text class="text faint" x="14" y="44">${what}</text>
${panels.map((panel, index) => drawPanel(panel, panelLeft + index * (panelWidth + gap))).join('\n')}
<text class="text faint" x="14" y="${panelTop + panelHeight + 24}">cores used (blue: processes, violet: database), by the number of processes</text>
</svg>
`
}

const about =
  'Written by `npm run bench`; do not edit. Each row says when, by which command and on which machine it was measured.'

/** Folder of the committed results, below the root of the tree. */
const resultsFolder = 'docs/benchmarks'

/** Reads the rows of the last committed run; an empty list when there is none. */
export const readCommittedRows = (name: string): readonly RowResult[] => {
  const path = `${resultsFolder}/${name}.json`
  const isCommitted = execFileSync('git', ['ls-tree', '--name-only', 'HEAD', '--', path], { encoding: 'utf8' }) !== ''
  if (!isCommitted) return []
  const text = execFileSync('git', ['show', `HEAD:./${path}`], { encoding: 'utf8', maxBuffer: 2 ** 26 })
  return (JSON.parse(text) as Results).rows
}

/** Writes results and plots, and returns the paths of the files. Rows that were not measured keep their old results. */
export const writeResults = async (
  folder: string,
  name: string,
  rows: readonly RowResult[],
  ids: readonly string[],
): Promise<string[]> => {
  const [file, plotFile] = [join(folder, `${name}.json`), join(folder, `${name}.svg`)]
  const merged = mergeRows(await readRows(file), rows, ids)
  await mkdir(folder, { recursive: true })
  await writeFile(file, `${JSON.stringify({ about, rows: merged } satisfies Results, null, 2)}\n`)
  const dates = [...new Set(merged.map((row) => row.run.date.slice(0, 10)))].sort().join(', ')
  await writeFile(plotFile, drawPlot(merged, `thingsync, ${name} run of ${dates}: how far from the goals`))
  const processes = merged.find(({ id }) => id === 'postgres-processes')
  if (processes === undefined || processes.figures.length === 0) return [file, plotFile]
  const processesFile = join(folder, `${name}-processes.svg`)
  await writeFile(processesFile, drawProcesses(processes))
  return [file, plotFile, processesFile]
}

const readRows = async (file: string): Promise<readonly RowResult[]> => {
  try {
    return (JSON.parse(await readFile(file, 'utf8')) as Results).rows
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
