import { rmSync } from 'node:fs'
import { readArguments, usage } from './arguments.ts'
import { openBenchRun } from './bench.ts'
import { buildServer } from './candidate/build-server.ts'
import { createChildren } from './machine/children.ts'
import { describeMachine, readLoad } from './machine/describe-machine.ts'
import { measureRow } from './measure/measure-row.ts'
import { readCommittedRows, writeResults } from './report/result-files.ts'
import type { RowResult } from './report/results.ts'
import { formatRow } from './report/table.ts'
import { allRows } from './rows/all-rows.ts'

const options = readArguments(process.argv.slice(2))
const print = (text: string) => process.stdout.write(`${text}\n`)
const say = (progress: string) => process.stderr.write(`    ${progress}\n`)

const chooseRows = () => {
  const unknown = options.rows.find((id) => !allRows.some((row) => row.id === id))
  if (unknown !== undefined) {
    throw new Error(`there is no row ${unknown}; there are: ${allRows.map((row) => row.id).join(', ')}`)
  }
  if (options.rows.length > 0) return allRows.filter((row) => options.rows.includes(row.id))
  return allRows.filter((row) => options.withPeers || !row.needsPeers)
}

const run = async (): Promise<void> => {
  const rows = chooseRows()
  const name = options.isQuick ? 'quick' : 'full'
  const committed = readCommittedRows(name)
  say('building the server')
  buildServer()

  const children = createChildren()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
  const bench = await openBenchRun(children, options.isQuick, say)
  process.on('exit', () => rmSync(bench.root, { recursive: true, force: true }))
  const provenance = {
    date: new Date().toISOString(),
    command: `npm run bench -- ${process.argv.slice(2).join(' ')}`.trim(),
    machine: describeMachine(),
    isPinned: children.isPinned,
    ...(options.note === undefined ? {} : { note: options.note }),
  }
  print(describeRun(provenance.machine, children.isPinned))

  const results: RowResult[] = []
  let hasFailed = false
  for (const row of rows) {
    say(`${row.id} (${results.length + 1} of ${rows.length})`)
    const measured = await measureRow(bench, row, options.rounds, provenance, say)
    results.push(measured.result)
    hasFailed ||= measured.hasFailed
    print(
      `\n${formatRow(
        measured.result,
        committed.find(({ id }) => id === row.id),
      )}`,
    )
    await writeResults(
      options.out,
      name,
      results,
      allRows.map(({ id }) => id),
    )
  }
  print(`\nwritten: ${options.out}/${name}.json, ${options.out}/${name}.svg`)
  if (hasFailed) process.exitCode = 1
}

const describeRun = (machine: ReturnType<typeof describeMachine>, isPinned: boolean): string => {
  const { cpu, cores, memoryGib, system, node, commit } = machine
  const cut = options.isQuick ? '; QUICK: 100,000 and 10,000 things in place of 1,000,000 and 100,000' : ''
  return `${cores} x ${cpu}, ${memoryGib} GiB, ${system}, Node ${node}, commit ${commit}, load ${readLoad()}
server on core 0, load generator (this project's own, on raw sockets) on core 1: ${isPinned ? 'yes' : 'NO, taskset or a second core is missing'}
medians of ${options.rounds} interleaved rounds after one that warms up${cut}`
}

if (options.isHelp) print(`${usage}\n\nRows: ${allRows.map(({ id }) => id).join(', ')}`)
else {
  await run()
  process.exit()
}
