import { rm } from 'node:fs/promises'
import type { ParseArgsConfig } from 'node:util'
import { readOptions } from '../../../scripts/read-options.ts'
import { compileProgram } from './compile-program.ts'
import { runDamagedFiles } from './damaged-files.ts'
import { runDiskFaults } from './disk-faults.ts'
import { runKillPoints } from './kill-points.ts'
import { runPowerCuts } from './power-cuts.ts'

const usage =
  'npm run faults -- [--kills N] [--files N] [--disks N] [--cuts N] [--seed N] [--at-once N]: how often each runs'

const options = {
  kills: { type: 'string', default: '10000' },
  files: { type: 'string', default: '1000' },
  cuts: { type: 'string', default: '10000' },
  disks: { type: 'string', default: '1000' },
  seed: { type: 'string', default: '1' },
  'at-once': { type: 'string', default: '2' },
} as const satisfies ParseArgsConfig['options']

const { readNumber } = readOptions(options, usage)

/** Says every ten seconds how far a part of the run is. */
const createProgress = (name: string, total: number) => {
  const startedAt = Date.now()
  let done = 0
  let shownAt = startedAt
  return (count = 1): void => {
    done += count
    const now = Date.now()
    if (now - shownAt < 10_000 && done < total) return
    shownAt = now
    process.stderr.write(`${name}: ${done} of ${total} after ${Math.round((now - startedAt) / 1000)} s\n`)
  }
}

const print = (name: string, figures: object): void => {
  const shown = Object.entries(figures).map(([figure, count]) => `${count} ${figure}`)
  process.stdout.write(`${name}: ${shown.join(', ')}\n`)
}

const readCount = (name: keyof typeof options, min = 0): number =>
  readNumber(name, (count) => Number.isSafeInteger(count) && count >= min, `a whole number of ${min} or more`)

const [files, disks, kills, cuts] = [readCount('files'), readCount('disks'), readCount('kills'), readCount('cuts')]
const atOnce = readCount('at-once', 1)
const firstSeed = readCount('seed')

// The first broken promise ends the run with its seed and exit code 1.
print('damaged files', await runDamagedFiles({ files, firstSeed }, createProgress('damaged files', files)))
print('disk faults', await runDiskFaults({ faults: disks, firstSeed }, createProgress('disks', disks)))
print('power cuts', await runPowerCuts({ cuts, firstSeed }, createProgress('power cuts', cuts)))
const program = await compileProgram('killed-writer.js')
const wanted = { kills, firstSeed, atOnce, stride: 1 }
print('kill points', await runKillPoints(program.path, wanted, createProgress('kill points', kills)))
await rm(program.folder, { recursive: true })
