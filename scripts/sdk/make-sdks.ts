import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { type Language, languages } from './languages.ts'
import { profilePath } from './profile.ts'

/** Thrown when the clients cannot be generated on this machine. The message says what to do. */
export class CannotGenerate extends Error {
  override name = 'CannotGenerate'
}

/** The pin in `openapitools.json`: the release of openapi-generator, the SHA-256 of its JAR, and the folder of JARs. */
type Pin = { version: string; sha256: string; storageDir: string }

const root = fileURLToPath(new URL('../../', import.meta.url))
const cliWrapper = join(root, 'node_modules/@openapitools/openapi-generator-cli/main.js')
const jarVariable = 'THINGSYNC_GENERATOR_JAR'

/** The file that pins the generator. */
export const pinFile = join(root, 'openapitools.json')

/** Reads the pin from a file like `openapitools.json`. */
export const readPin = (file: string = pinFile): Pin => JSON.parse(readFileSync(file, 'utf8'))['generator-cli']

/** The release of openapi-generator that writes the clients. */
export const generatorVersion = readPin().version

/** Returns the command line of `openapi-generator-cli` with our pin, for any working directory. */
export const generatorCommand = (args: readonly string[], file: string = pinFile): readonly string[] => [
  process.execPath,
  cliWrapper,
  ...['--openapitools', file],
  ...args,
]

const hashFile = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')

// The path where openapi-generator-cli expects the JAR.
const locateJar = ({ version, storageDir }: Pin, file: string): string =>
  join(resolve(dirname(file), storageDir.replace('~', homedir())), `${version}.jar`)

/** Lets openapi-generator-cli fetch the JAR. It would run the JAR unchecked, so its PATH contains no Java. */
async function fetchJar(file: string, env: NodeJS.ProcessEnv): Promise<void> {
  const [program = '', ...args] = generatorCommand(['version'], file)
  const emptyPath = join(dirname(cliWrapper), 'nowhere')
  // openapi-generator-cli takes the folder from PWD. It fails without Java, as intended.
  await once(
    spawn(program, args, { cwd: dirname(file), env: { ...env, PATH: emptyPath, PWD: dirname(file) }, stdio: 'ignore' }),
    'close',
  )
}

/**
 * Installs and checks the JAR of the pinned generator. It takes the first of: the given JAR, the JAR that
 * `THINGSYNC_GENERATOR_JAR` names, the installed JAR, a download by openapi-generator-cli. Its checksum must match the
 * pin.
 * @throws CannotGenerate when there is no JAR, or its checksum differs. The function then removes an installed JAR, so
 * that nothing runs it.
 */
export async function prepareGenerator(
  given: string | undefined,
  file: string = pinFile,
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  const pin = readPin(file)
  const installed = locateJar(pin, file)
  const provided = given ?? env[jarVariable]
  if (provided !== undefined) {
    if (!existsSync(provided)) throw new CannotGenerate(`${provided} does not exist`)
    if (hashFile(provided) !== pin.sha256) {
      throw new CannotGenerate(`${provided} is not openapi-generator ${pin.version} (SHA-256 ${pin.sha256})`)
    }
    mkdirSync(dirname(installed), { recursive: true })
    copyFileSync(provided, installed)
    return
  }
  if (!existsSync(installed)) await fetchJar(file, env)
  if (!existsSync(installed)) {
    throw new CannotGenerate(
      `openapi-generator ${pin.version} could not be fetched; give its JAR with --jar FILE or ${jarVariable}`,
    )
  }
  if (hashFile(installed) === pin.sha256) return
  rmSync(installed)
  throw new CannotGenerate(
    `${installed} was not openapi-generator ${pin.version} (SHA-256 ${pin.sha256}); it was removed and not run`,
  )
}

const run = promisify(execFile)
/** Files that generators write beside the client, at the root of their output. */
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

function fix(files: Map<string, string>, language: Language): void {
  for (const { file, wrong, right } of language.fix) {
    const [path, text] = [...files].find(([name]) => name.endsWith(file)) ?? []
    if (path === undefined || text === undefined || !text.includes(wrong)) {
      throw new CannotGenerate(
        `${file} has no "${wrong}" any more; see whether scripts/sdk/languages.ts still has to fix it`,
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
  const [program = '', ...all] = generatorCommand(args)
  try {
    await run('java', ['-version'])
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new CannotGenerate('the generator needs Java 11 or later: apt-get install openjdk-17-jre-headless')
  }
  await run(program, all, { env: { ...process.env, JAVA_OPTS: '-Dfile.encoding=UTF-8' } })
}

/**
 * Generates the client of a language from the profile. Returns its files by path below `sdk/<language>/`, with the same
 * bytes every time. The caller must call `prepareGenerator` first.
 */
async function generateClient(profile: string, language: Language): Promise<Map<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'thingsync-sdk-'))
  const output = join(folder, 'output')
  // In a file, because openapi-generator-cli passes its arguments to a shell unquoted.
  const settings = join(folder, 'settings.json')
  // Only the generated Ruby code contains the version.
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
    fix(files, language)
    for (const [path, text] of Object.entries(language.add ?? {})) files.set(path, text)
    return files
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const project = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Generates the SDKs of these languages, in the order of the table, into the folders below `sdk/` that git ignores. It
 * replaces earlier output. `target` is the checkout or a copy of it. `report` receives a line for each language.
 * @throws CannotGenerate for a language without an SDK, and when Java or the generator is missing
 */
export async function createSdks(
  names: readonly string[],
  { jar, target = project, report }: { jar?: string | undefined; target?: string; report: (line: string) => void },
): Promise<void> {
  const unknown = names.filter((name) => !(name in languages))
  if (unknown.length > 0) {
    throw new CannotGenerate(`${unknown.join(', ')}: no SDK; there are ${Object.keys(languages).join(', ')}`)
  }
  await prepareGenerator(jar)
  for (const [name, language] of Object.entries(languages)) {
    if (!names.includes(name)) continue
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
