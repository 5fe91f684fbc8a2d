/**
 * The benchmark: `npm run bench` measures the built server, in its own process, against baselines and comparison
 * servers in the same run. README.md explains the output. It must not import anything of `src/` except `src/index.ts`,
 * so that it can measure another store. Start reading at `row.ts` and `rows/uploads.ts`.
 */
import { rmSync } from 'node:fs'
import { type BenchArguments, readArguments, UsageError, usage } from './arguments.ts'
import { openBenchRun } from './bench.ts'
import { buildServer, buildWebApp } from './candidate/server.ts'
import { createChildren, describeMachine, readLoad } from './machine/processes.ts'
import { measureRow } from './measure-row.ts'
import { readCommittedRows, writeResults } from './report/result-files.ts'
import type { RowResult } from './report/results.ts'
import { formatRow, formatSummary } from './report/results.ts'
import type { Row } from './row.ts'
import { allRows } from './rows/all-rows.ts'

const ids = allRows.map(({ id }) => id)
const start = performance.now()
const print = (text: string) => process.stdout.write(`${text}\n`)
const say = (progress: string) => {
  const seconds = Math.round((performance.now() - start) / 1000)
  process.stderr.write(`  [${String(seconds).padStart(3)} s] ${progress}\n`)
}

const chooseRows = ({ only, withComparisons }: BenchArguments): readonly Row[] => {
  const unknown = only.find((id) => !ids.includes(id))
  if (unknown !== undefined) throw new UsageError(`there is no row ${unknown}; there are: ${ids.join(', ')}`)
  if (only.length > 0) return allRows.filter((row) => only.includes(row.id))
  return allRows.filter((row) => withComparisons || !row.needsComparisons)
}

const run = async (options: BenchArguments): Promise<void> => {
  const rows = chooseRows(options)
  const name = options.isQuick ? 'quick' : 'full'
  const committed = readCommittedRows(name)
  say('building the server')
  buildServer()
  if (rows.some(({ opensWebApp }) => opensWebApp)) buildWebApp()

  const children = createChildren()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
  const bench = await openBenchRun(children, options.isQuick, say)
  process.on('exit', () => rmSync(bench.root, { recursive: true, force: true }))
  const provenance = {
    date: new Date().toISOString(),
    command: ['npm run bench', ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : [])].join(' '),
    machine: describeMachine(),
    isPinned: children.isPinned,
    ...(options.note === undefined ? {} : { note: options.note }),
  }
  print(describeRun(options, provenance.machine, children.isPinned))

  const results: RowResult[] = []
  let hasFailed = false
  for (const row of rows) {
    const progress = `${row.id} (${results.length + 1} of ${rows.length})`
    const measured = await measureRow(bench, row, options.rounds, provenance, (step) => say(`${progress}: ${step}`))
    results.push(measured.result)
    hasFailed ||= measured.hasFailed
    print(`\n${formatRow(measured.result, findLast(committed, row))}`)
    await writeResults(options.out, name, results, ids)
  }
  print(`\n${formatSummary(results, committed)}`)
  print(`written after ${Math.round((performance.now() - start) / 1000)} s: ${options.out}/${name}.json and .svg`)
  if (hasFailed) process.exitCode = 1
}

const findLast = (committed: readonly RowResult[], row: Row) => committed.find(({ id }) => id === row.id)

const describeRun = (options: BenchArguments, machine: ReturnType<typeof describeMachine>, isPinned: boolean) => {
  const { cpu, cores, memoryGib, system, disk, node, commit } = machine
  const quickNote = options.isQuick ? '\nQUICK: 100,000 and 10,000 things instead of 1,000,000 and 100,000' : ''
  const inMemory =
    disk === 'tmpfs' ? ', WHICH IS MEMORY: nothing durable is measured; set TMPDIR to a folder on a disk' : ''
  return `${cores} x ${cpu}, ${memoryGib} GiB, ${system}, Node ${node}, commit ${commit}, load ${readLoad()}
data folders on ${disk}${inMemory}
server on core 0, load generator (this project's own, on raw sockets) on core 1: ${isPinned ? 'yes' : 'NO, taskset or a second core is missing'}
medians of at most ${options.rounds} interleaved rounds after one warm-up round${quickNote}`
}

try {
  const options = readArguments(process.argv.slice(2))
  if (options.isHelp) print(`${usage}\n\nRows: ${ids.join(', ')}`)
  else await run(options)
  process.exit()
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  process.stderr.write(`${error.message}\n\n${usage}\n`)
  process.exit(2)
}
