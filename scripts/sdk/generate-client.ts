import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { CannotGenerate } from './cannot-generate.ts'
import type { Language } from './languages.ts'
import { frontCommand } from './pinned-generator.ts'

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

async function runGenerator(args: readonly string[]): Promise<void> {
  const [program = '', ...all] = frontCommand(args)
  try {
    await run('java', ['-version'])
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new CannotGenerate('the generator needs Java 11 or later: apt-get install openjdk-17-jre-headless')
  }
  await run(program, all, { env: { ...process.env, JAVA_OPTS: '-Dfile.encoding=UTF-8' } })
}

/**
 * The files of the client of a language, by their path below `sdk/<language>/`, generated from the profile; the same bytes every
 * time. The generator must have been prepared.
 */
export async function generateClient(profile: string, language: Language): Promise<Map<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'thingsync-sdk-'))
  const output = join(folder, 'output')
  // In a file, since the front hands its arguments to a shell as they are.
  const settings = join(folder, 'settings.json')
  // Ruby's version is in generated code; in others nothing is.
  const gemVersion = parse(readFileSync(profile, 'utf8')).info.version
  writeFileSync(settings, JSON.stringify({ additionalProperties: { ...shared, gemVersion, ...language.properties } }))
  try {
    await runGenerator([
      'generate',
      ...['--input-spec', profile, '--generator-name', language.generator, '--output', output],
      ...['--global-property', 'apiDocs=false,modelDocs=false,apiTests=false,modelTests=false'],
      ...['--config', settings],
    ])
    const files = new Map<string, string>()
    for (const [from, to] of Object.entries(language.keep)) readTree(output, from, files, to)
    for (const [path, text] of files) files.set(path, tidy(text))
    mend(files, language)
    for (const [path, text] of Object.entries(language.add ?? {})) files.set(path, text)
    return files
  } finally {
    rmSync(folder, { recursive: true })
  }
}
