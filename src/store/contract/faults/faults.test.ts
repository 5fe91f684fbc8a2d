import { rm } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { compileProgram } from './compile-program.ts'
import { runKillPoints } from './kill-points.ts'

test('killed at each step of the disk in turn, the store opens by itself with every answered change', async () => {
  const program = await compileProgram('killed-writer.js')

  const figures = await runKillPoints(program.path, { kills: 60, atOnce: 1, stride: 7 })

  expect(figures.kills).toBe(60)
  expect(figures.answers).toBeGreaterThan(60)
  expect(figures.repairs).toBeGreaterThan(0)
  await rm(program.folder, { recursive: true })
}, 60_000)
