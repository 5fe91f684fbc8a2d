/**
 * Writes the SDK profile `sdk/openapi.sdk.yaml` and the clients below `sdk/` (docs/sdk.md).
 * `npm run sdk` writes all, `npm run sdk -- go rust` these, `-- --check` only says what is stale and exits 1;
 * `--jar FILE` takes a JAR of openapi-generator that is already there.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { compareClient, replaceClient } from './sdk/folder-of-client.ts'
import { generateClient } from './sdk/generate-client.ts'
import { findGeneratorJar } from './sdk/generator-jar.ts'
import { languages } from './sdk/languages.ts'
import { profilePath, writeProfile } from './sdk/write-profile.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean', default: false }, jar: { type: 'string' } },
})
const unknown = positionals.filter((name) => !(name in languages))
if (unknown.length > 0) {
  console.error(`${unknown.join(', ')}: no SDK; there are ${Object.keys(languages).join(', ')}`)
  process.exit(1)
}

const problems: string[] = []
const profile = writeProfile(readFileSync('openapi.yaml', 'utf8'))
if (!values.check) writeFileSync(profilePath, profile)
else if (readFileSync(profilePath, 'utf8') !== profile) problems.push(`${profilePath} is not what openapi.yaml gives`)

const jar = findGeneratorJar(values.jar)
for (const [name, language] of Object.entries(languages)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  const files = await generateClient(jar, profilePath, language)
  const folder = join('sdk', name)
  const kept = Object.values(language.keep)
  if (values.check) problems.push(...compareClient(folder, kept, files))
  else replaceClient(folder, kept, files)
  console.log(`${values.check ? 'checked' : 'wrote'} sdk/${name}: ${files.size} files`)
}
for (const problem of problems) console.error(`${problem}; run: npm run sdk`)
process.exitCode = problems.length > 0 ? 1 : 0
