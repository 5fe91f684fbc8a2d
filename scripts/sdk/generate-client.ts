import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CannotGenerate } from './cannot-generate.ts'
import type { Language } from './languages.ts'

const run = promisify(execFile)
/** What generators put beside the client at the root of their output. */
const noise = /^(\.|git_push\.sh$|README\.md$|api$|docs$|test$)/
const shared = { hideGenerationTimestamp: 'true', disallowAdditionalPropertiesIfNotPresent: 'false' }

function readTree(root: string, at: string, files: Map<string, string>, target: string): void {
  const path = join(root, at)
  if (statSync(path).isFile()) {
    files.set(target, readFileSync(path, 'utf8'))
    return
  }
  for (const name of readdirSync(path).sort()) {
    if (at !== '.' || !noise.test(name)) readTree(root, join(at, name), files, join(target, name))
  }
}

function mend(files: Map<string, string>, language: Language): void {
  for (const { file, wrong, right } of language.mend) {
    const [path, text] = [...files].find(([name]) => name.endsWith(file)) ?? []
    if (path === undefined || text === undefined || !text.includes(wrong)) {
      throw new CannotGenerate(
        `${file} has no "${wrong}" any more; see whether scripts/sdk/languages.ts still has to mend it`,
      )
    }
    files.set(path, text.replaceAll(wrong, right))
  }
}

const tidy = (text: string): string =>
  `${text
    .replaceAll('\r\n', '\n')
    .replace(/[ \t]+$/gm, '')
    .trimEnd()}\n`

async function runJava(args: readonly string[]): Promise<void> {
  try {
    await run('java', args)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new CannotGenerate('the generator needs Java 11 or later: apt-get install openjdk-17-jre-headless')
  }
}

/** The files of the client of a language, by their path below `sdk/<language>/`, generated from the profile; the same bytes every time. */
export async function generateClient(jar: string, profile: string, language: Language): Promise<Map<string, string>> {
  const output = mkdtempSync(join(tmpdir(), 'thingsync-sdk-'))
  const properties = Object.entries({ ...shared, ...language.properties }).map((pair) => pair.join('='))
  try {
    await runJava([
      '-Dfile.encoding=UTF-8',
      '-jar',
      jar,
      'generate',
      ...['--input-spec', profile, '--generator-name', language.generator, '--output', output],
      ...['--global-property', 'apiDocs=false,modelDocs=false,apiTests=false,modelTests=false'],
      ...['--additional-properties', properties.join(',')],
    ])
    const files = new Map<string, string>()
    for (const [from, to] of Object.entries(language.keep)) readTree(output, from, files, to)
    for (const [path, text] of files) files.set(path, tidy(text))
    mend(files, language)
    return files
  } finally {
    rmSync(output, { recursive: true })
  }
}
