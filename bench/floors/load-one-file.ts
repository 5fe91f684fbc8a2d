import { readFileSync } from 'node:fs'
import { readMemory, resetPeak } from '../machine/usage.ts'

/** Reads one JSON file with all things, as stock lowdb does, and indexes them by id; tells what that took. */
const before = await readMemory(process.pid)
await resetPeak(process.pid)
const start = performance.now()
const { things } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as { things: { changed: { _id: string }[] } }
const byId = new Map(things.changed.map((thing) => [thing._id, thing]))
const ms = performance.now() - start
const { peakMb } = await readMemory(process.pid)
process.send?.({ count: byId.size, ms, peakMb: peakMb - before.residentMb }, () => process.exit())
