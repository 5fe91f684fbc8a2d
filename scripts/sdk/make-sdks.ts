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

/** The clients cannot be generated on this machine; the message says what to do. */
export class CannotGenerate extends Error {
  override name = 'CannotGenerate'
}

/** What `openapitools.json` says: the release of openapi-generator, the SHA-256 of its JAR, and where JARs are kept. */
type Pin = { version: string; sha256: string; storageDir: string }

const root = fileURLToPath(new URL('../../', import.meta.url))
const front = join(root, 'node_modules/@openapitools/openapi-generator-cli/main.js')
const jarVariable = 'THINGSYNC_GENERATOR_JAR'

/** The file that pins the generator. */
export const pinFile = join(root, 'openapitools.json')

/** Reads the pin from a file like `openapitools.json`. */
export const readPin = (file: string = pinFile): Pin => JSON.parse(readFileSync(file, 'utf8'))['generator-cli']

/** The release of openapi-generator that writes the clients. */
export const generatorVersion = readPin().version

/** The front's command line: `openapi-generator-cli` with our pin, whatever the folder. */
export const frontCommand = (args: readonly string[], file: string = pinFile): readonly string[] => [
  process.execPath,
  front,
  ...['--openapitools', file],
  ...args,
]

const hashFile = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')

// As the front reads it.
const findPlace = ({ version, storageDir }: Pin, file: string): string =>
  join(resolve(dirname(file), storageDir.replace('~', homedir())), `${version}.jar`)

/** Lets the front fetch the JAR. It would run it at once, so for that long it finds no Java. */
async function fetchJar(file: string, env: NodeJS.ProcessEnv): Promise<void> {
  const [program = '', ...args] = frontCommand(['version'], file)
  const nowhere = join(dirname(front), 'nowhere')
  // The front takes the folder from PWD. That it fails without Java is no news.
  await once(
    spawn(program, args, { cwd: dirname(file), env: { ...env, PATH: nowhere, PWD: dirname(file) }, stdio: 'ignore' }),
    'close',
  )
}

/**
 * Sees to it that the front has the pinned generator before it runs: the given JAR, else the one that `THINGSYNC_GENERATOR_JAR`
 * names, else the one that is kept, else the one that the front fetches. Whichever it is, its checksum must be the pinned one.
 * @throws CannotGenerate when it cannot be had, or is another file; what was kept is removed then, so that nothing runs it
 */
export async function prepareGenerator(
  given: string | undefined,
  file: string = pinFile,
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  const pin = readPin(file)
  const kept = findPlace(pin, file)
  const brought = given ?? env[jarVariable]
  if (brought !== undefined) {
    if (!existsSync(brought)) throw new CannotGenerate(`${brought} does not exist`)
    if (hashFile(brought) !== pin.sha256) {
      throw new CannotGenerate(`${brought} is not openapi-generator ${pin.version} (SHA-256 ${pin.sha256})`)
    }
    mkdirSync(dirname(kept), { recursive: true })
    copyFileSync(brought, kept)
    return
  }
  if (!existsSync(kept)) await fetchJar(file, env)
  if (!existsSync(kept)) {
    throw new CannotGenerate(
      `openapi-generator ${pin.version} could not be fetched; give its JAR with --jar FILE or ${jarVariable}`,
    )
  }
  if (hashFile(kept) === pin.sha256) return
  rmSync(kept)
  throw new CannotGenerate(
    `${kept} was not openapi-generator ${pin.version} (SHA-256 ${pin.sha256}); it was removed and not run`,
  )
}

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

function fix(files: Map<string, string>, language: Language): void {
  for (const { file, wrong, right } of language.fix) {
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
async function generateClient(profile: string, language: Language): Promise<Map<string, string>> {
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
    fix(files, language)
    for (const [path, text] of Object.entries(language.add ?? {})) files.set(path, text)
    return files
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const project = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Generates the SDKs of these languages, in the order of the table, into the folders below `sdk/` that git ignores; what
 * was generated before is removed. `target` is the checkout or a copy of it. `report` gets a line for each language.
 * @throws CannotGenerate for a language without an SDK, and when Java or the generator is missing
 */
export async function createSdks(
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
