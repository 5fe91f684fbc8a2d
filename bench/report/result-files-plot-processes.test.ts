import { expect, test } from 'vitest'
import { drawProcesses } from './result-files.ts'
import type { RowResult } from './results.ts'

const spread = (median: number) => ({ median, min: median, max: median, rounds: 3 })

test('the plot of processes shows each rate and the used cores', () => {
  const figures = ['uploads', 'syncs'].flatMap((work) =>
    [1, 2, 3, 4].flatMap((count) => [
      { key: `${work}${count}`, title: '', unit: 'a second' as const, value: spread(1000 + count) },
      { key: `${work}${count}Held`, title: '', unit: 'a second' as const, value: spread(200 + count) },
      { key: `${work}${count}Servers`, title: '', unit: 'cores' as const, value: spread(0.75) },
      { key: `${work}${count}Database`, title: '', unit: 'cores' as const, value: spread(0.5) },
    ]),
  )
  const machine = { cpu: 'CPU', cores: 2, memoryGib: 24, system: 'linux', disk: 'ext4', node: 'v20', commit: 'abc' }
  const run = { date: '2026-11-23T02:00:00Z', command: '', machine, isPinned: true, load: [1, 2] as const }
  const row: RowResult = { id: 'postgres-processes', work: '', against: '', measured: '', figures, notes: [], run }

  const svg = drawProcesses(row)

  for (const text of ['1,001', '1,004', '201', '204', '>1.3<', '2 x CPU, load 1 to 2']) expect(svg).toContain(text)
  expect(svg.match(/<circle/g)).toHaveLength(16)
})
