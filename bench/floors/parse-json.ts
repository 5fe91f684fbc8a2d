import { readFileSync } from 'node:fs'

/** Measures `JSON.parse` of a file each time it is asked; tells the milliseconds. */
const json = readFileSync(process.argv[2] ?? '', 'utf8')

process.on('message', () => {
  const start = performance.now()
  JSON.parse(json)
  process.send?.(performance.now() - start)
})
process.on('disconnect', () => process.exit())
