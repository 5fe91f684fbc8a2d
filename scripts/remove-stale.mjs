// Removes from a folder of compiled files what no source makes any more: `tsc` leaves it there, and npm would pack it.
// What other processes use meanwhile has a source, and stays. Is given that folder, and the one of its sources.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const [compiled, sources] = process.argv.slice(2)

const listSources = (name) => {
  if (name.endsWith('.sql')) return [name]
  const { stem, kind } = /^(?<stem>.*?)(?:\.d)?\.(?<kind>[cm]?)[jt]s$/.exec(name)?.groups ?? {}
  return stem === undefined ? undefined : ['ts', 'tsx', 'js'].map((ending) => `${stem}.${kind}${ending}`)
}

for (const name of readdirSync(compiled, { recursive: true })) {
  const isMade = listSources(name)?.some((source) => existsSync(join(sources, source)))
  if (isMade === false) rmSync(join(compiled, name), { force: true })
}
