import { execFileSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { drawPlot } from './plot.ts'
import { drawProcesses } from './plot-processes.ts'
import { mergeRows, type Results, type RowResult } from './results.ts'

const about =
  'Written by `npm run bench`; do not edit. Each row says when, by which command and on which machine it was measured.'

/** Where results belong, below the root of the tree. */
export const resultsFolder = 'docs/benchmarks'

/** The rows of the last run that is committed, or none. */
export const readCommittedRows = (name: string): readonly RowResult[] => {
  const path = `${resultsFolder}/${name}.json`
  const isCommitted = execFileSync('git', ['ls-tree', '--name-only', 'HEAD', '--', path], { encoding: 'utf8' }) !== ''
  if (!isCommitted) return []
  const text = execFileSync('git', ['show', `HEAD:./${path}`], { encoding: 'utf8', maxBuffer: 2 ** 26 })
  return (JSON.parse(text) as Results).rows
}

/** Writes results and plot; rows that were not measured now keep what they had. */
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
