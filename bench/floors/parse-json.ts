import { readFileSync } from 'node:fs'

/** Measures `JSON.parse` of a file each time it is asked; tells how long it took and the CPU time of it. */
const json = readFileSync(process.argv[2] ?? '', 'utf8')

process.on('message', () => {
  const [start, cpuStart] = [performance.now(), process.cpuUsage()]
  JSON.parse(json)
  const ms = performance.now() - start
  const { user, system } = process.cpuUsage(cpuStart)
  process.send?.({ ms, cpuMs: (user + system) / 1000 })
})
process.on('disconnect', () => process.exit())
