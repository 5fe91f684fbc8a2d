/** Memory of the server at a time. */
export interface MemorySample {
  /** Since the beginning, in seconds. */
  readonly second: number
  readonly bytes: number
}

const width = 900
const height = 320
const margin = { left: 70, right: 20, top: 40, bottom: 40 }
const plotWidth = width - margin.left - margin.right
const plotHeight = height - margin.top - margin.bottom

const style = `
  .back { fill: #ffffff } text { fill: #1f2328; font: 13px system-ui, sans-serif } .grid { stroke: #d1d9e0 }
  .memory { fill: none; stroke: #0969da; stroke-width: 1.5 } .restart { stroke: #bc4c00; stroke-dasharray: 3 3 }
  @media (prefers-color-scheme: dark) {
    .back { fill: #0d1117 } text { fill: #f0f6fc } .grid { stroke: #3d444d } .memory { stroke: #58a6ff }
  }`

/** The memory over time as SVG, with a dashed line at each restart (in seconds), where a new process begins. */
export const plotMemory = (samples: readonly MemorySample[], restarts: readonly number[]): string => {
  const end = Math.max(1, ...samples.map(({ second }) => second))
  const top = Math.ceil(Math.max(50, ...samples.map(({ bytes }) => bytes / 1e6)) / 50) * 50
  const x = (second: number): number => Math.round(margin.left + (second / end) * plotWidth)
  const y = (megabytes: number): number => Math.round(margin.top + (1 - megabytes / top) * plotHeight)
  const bounds = [0, ...restarts, Number.POSITIVE_INFINITY]
  const lines = bounds.slice(0, -1).map((from, index) =>
    samples
      .filter(({ second }) => second >= from && second < (bounds[index + 1] ?? 0))
      .map(({ second, bytes }) => `${x(second)},${y(bytes / 1e6)}`)
      .join(' '),
  )
  const grid = Array.from({ length: 6 }, (_, index) => (top / 5) * index)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">`,
    '<title>Resident memory of the server over the soak</title>',
    `<style>${style}</style><rect class="back" width="${width}" height="${height}"/>`,
    `<text x="${margin.left}" y="22">Resident memory of the server, MB; dashed: kill -9 and restart</text>`,
    ...grid.map((megabytes) =>
      [
        `<line class="grid" x1="${margin.left}" x2="${width - margin.right}" y1="${y(megabytes)}" y2="${y(megabytes)}"/>`,
        `<text x="${margin.left - 8}" y="${y(megabytes) + 4}" text-anchor="end">${megabytes}</text>`,
      ].join(''),
    ),
    ...restarts.map((at) => `<line class="restart" x1="${x(at)}" x2="${x(at)}" y1="${margin.top}" y2="${y(0)}"/>`),
    ...lines.map((points) => `<polyline class="memory" points="${points}"/>`),
    `<text x="${width - margin.right}" y="${height - 12}" text-anchor="end">${Math.round(end)} s</text>`,
    '</svg>\n',
  ].join('\n')
}
