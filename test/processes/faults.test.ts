import { rm } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { compileProgram } from '../store/faults/compile-program.ts'
import { runDamagedFiles } from '../store/faults/damaged-files.ts'
import { runDiskFaults } from '../store/faults/disk-faults.ts'
import { runKillPoints } from '../store/faults/kill-points.ts'
import { runPowerCuts } from '../store/faults/power-cuts.ts'

// The long version is `npm run faults`.

test('killed at each step of the disk in turn, the store opens with every acknowledged change', async () => {
  const program = await compileProgram('killed-writer.js')

  const figures = await runKillPoints(program.path, { kills: 16, firstSeed: 1, atOnce: 1, stride: 11 })

  expect(figures.kills).toBe(16)
  expect(figures.acknowledged).toBeGreaterThan(40)
  expect(figures.repairs).toBeGreaterThan(0)
  await rm(program.folder, { recursive: true })
})

test('whatever file is damaged, what is served is whole, and what is not is named', async () => {
  const { files, named, closed } = await runDamagedFiles({ files: 50, firstSeed: 10_000 })

  expect(files).toBe(50)
  expect(Math.min(named, closed)).toBeGreaterThan(5)
})

test('a disk that is full, fails or is read-only loses no acknowledged write and shows no failed one', async () => {
  const { acknowledged, failed, lost } = await runDiskFaults({ faults: 60, firstSeed: 10_000 })

  expect(Math.min(acknowledged, failed)).toBeGreaterThan(60)
  expect(lost).toBeGreaterThan(5)
})

test('after a power cut at any step, a disk that forgets unsynced data has all acknowledged writes', async () => {
  const { cuts, acknowledged, repairs } = await runPowerCuts({ cuts: 80, firstSeed: 20_000 })

  expect(cuts).toBe(80)
  expect(Math.min(acknowledged, repairs)).toBeGreaterThan(30)
})
