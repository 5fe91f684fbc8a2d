/**
 * Writes the clients below `sdk/` from `openapi.sdk.yaml`, which `npm run generate` makes (docs/sdk.md).
 * `npm run sdk` writes all, `npm run sdk -- go rust` these, `-- --check` only says what is stale and exits 1;
 * `--jar FILE` takes a JAR of openapi-generator that is already there.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parse } from 'yaml'
import { CannotGenerate } from './sdk/cannot-generate.ts'
import { compareClient, replaceClient } from './sdk/folder-of-client.ts'
import { generateClient } from './sdk/generate-client.ts'
import { languages } from './sdk/languages.ts'
import { prepareGenerator } from './sdk/pinned-generator.ts'
import { stamp } from './sdk/stamp.ts'
import { profilePath } from './sdk/write-profile.ts'

/** Writes or checks the clients; what is stale, when only checking. */
async function makeClients(
  asked: readonly string[],
  isCheck: boolean,
  givenJar: string | undefined,
): Promise<string[]> {
  const unknown = asked.filter((name) => !(name in languages))
  if (unknown.length > 0) {
    throw new CannotGenerate(`${unknown.join(', ')}: no SDK; there are ${Object.keys(languages).join(', ')}`)
  }
  const stale: string[] = []
  await prepareGenerator(givenJar)
  const { version } = parse(readFileSync(profilePath, 'utf8')).info
  for (const [name, language] of Object.entries(languages)) {
    if (asked.length > 0 && !asked.includes(name)) continue
    const files = await generateClient(profilePath, language)
    const folder = join('sdk', name)
    const kept = Object.values(language.keep)
    if (isCheck) stale.push(...compareClient(folder, kept, files))
    else replaceClient(folder, kept, files)
    stale.push(...stamp(name, version, isCheck))
    console.log(`${isCheck ? 'checked' : 'wrote'} sdk/${name}: ${files.size} files`)
  }
  return stale
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { check: { type: 'boolean', default: false }, jar: { type: 'string' } },
  })
  const stale = await makeClients(positionals, values.check, values.jar)
  for (const line of stale) console.error(`${line}; run: npm run sdk`)
  process.exitCode = stale.length > 0 ? 1 : 0
} catch (error) {
  if (!(error instanceof CannotGenerate)) throw error
  console.error(error.message)
  process.exitCode = 1
}
