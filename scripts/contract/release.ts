/**
 * Releases the contract: writes the documents of `info.version` with their checksums into `docs/contract/releases/`.
 * `npm run contract:release` writes; `npm run contract:release -- --check` only lists problems and exits 1.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { checkReleases, createRelease, releasesFolder } from './releases.ts'

const paths = {
  source: 'openapi.yaml',
  sdkSource: 'openapi.sdk.yaml',
  releases: releasesFolder,
  changelog: 'docs/contract/CHANGELOG.md',
}
const version: string = parse(readFileSync(paths.source, 'utf8')).info.version
const folder = join(releasesFolder, version)

if (!process.argv.includes('--check') && !existsSync(folder)) {
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of createRelease(paths)) writeFileSync(join(folder, name), text)
  console.log(`wrote ${folder}; commit it`)
}
const problems = checkReleases(paths, createRelease)
for (const problem of problems) console.error(problem)
if (problems.length === 0)
  console.log(
    `${version} ${existsSync(folder) ? 'and earlier releases are' : 'is not released; earlier releases are'} unchanged`,
  )
process.exitCode = problems.length > 0 ? 1 : 0
