import { rm } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { compileProgram } from './compile-program.ts'
import { runDamagedFiles } from './damaged-files.ts'
import { runDiskFaults } from './disk-faults.ts'
import { runKillPoints } from './kill-points.ts'

/** `npm run faults -- [--kills N] [--files N] [--disks N] [--at-once N]`: how often each fault is made. */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '10000' },
    files: { type: 'string', default: '1000' },
    disks: { type: 'string', default: '1000' },
    'at-once': { type: 'string', default: '2' },
  },
})

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

const tell = (name: string, figures: object): void => {
  const shown = Object.entries(figures).map(([figure, count]) => `${count} ${figure}`)
  process.stdout.write(`${name}: ${shown.join(', ')}\n`)
}

const readNumber = (text: string): number => {
  const number = Number(text)
  if (!Number.isSafeInteger(number) || number < 0) throw new Error(`${text} is no number of faults`)
  return number
}

const files = readNumber(values.files)
const disks = readNumber(values.disks)
const kills = readNumber(values.kills)

// The first broken promise ends the run with its seed and exit code 1.
tell('damaged files', await runDamagedFiles({ files, firstSeed: 1 }, createProgress('damaged files', files)))
tell('disks that refuse', await runDiskFaults({ faults: disks, firstSeed: 1 }, createProgress('disks', disks)))
const program = await compileProgram('killed-writer.js')
const wanted = { kills, atOnce: readNumber(values['at-once']), stride: 1 }
tell('kill points', await runKillPoints(program.path, wanted, createProgress('kill points', kills)))
await rm(program.folder, { recursive: true })
