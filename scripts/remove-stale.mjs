// Removes compiled files without a source: `tsc` leaves them, and npm would pack them. Files with a source stay, as
// other processes can be using them. Usage: remove-stale.mjs COMPILED_FOLDER SOURCE_FOLDER
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const [compiled, sources] = process.argv.slice(2)

const listSources = (name) => {
  if (name.endsWith('.sql')) return [name]
  const { stem, kind } = /^(?<stem>.*?)(?:\.d)?\.(?<kind>[cm]?)[jt]s$/.exec(name)?.groups ?? {}
  return stem === undefined ? undefined : ['ts', 'tsx', 'js'].map((ending) => `${stem}.${kind}${ending}`)
}

for (const name of readdirSync(compiled, { recursive: true })) {
  const hasSource = listSources(name)?.some((source) => existsSync(join(sources, source)))
  if (hasSource === false) rmSync(join(compiled, name), { force: true })
}
