import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CannotGenerate } from './cannot-generate.ts'
import { generateClient } from './generate-client.ts'
import { languages } from './languages.ts'
import { prepareGenerator } from './pinned-generator.ts'
import { profilePath } from './write-profile.ts'

const project = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Generates the SDKs of these languages, in the order of the table, into the folders below `sdk/` that git ignores; what
 * was generated before is removed. `target` is the checkout or a copy of it. `report` gets a line for each language.
 * @throws CannotGenerate for a language without an SDK, and when Java or the generator is missing
 */
export async function makeSdks(
  asked: readonly string[],
  { jar, target = project, report }: { jar?: string | undefined; target?: string; report: (line: string) => void },
): Promise<void> {
  const unknown = asked.filter((name) => !(name in languages))
  if (unknown.length > 0) {
    throw new CannotGenerate(`${unknown.join(', ')}: no SDK; there are ${Object.keys(languages).join(', ')}`)
  }
  await prepareGenerator(jar)
  for (const [name, language] of Object.entries(languages)) {
    if (!asked.includes(name)) continue
    const files = await generateClient(join(target, profilePath), language)
    const folder = join(target, 'sdk', name)
    for (const path of Object.values(language.keep)) rmSync(join(folder, path), { recursive: true, force: true })
    for (const [path, text] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    report(`generated sdk/${name}: ${files.size} files`)
  }
}
