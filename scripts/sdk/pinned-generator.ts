import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CannotGenerate } from './cannot-generate.ts'

/** What `openapitools.json` says: the release of openapi-generator, the SHA-256 of its JAR, and where JARs are kept. */
export type Pin = { version: string; sha256: string; storageDir: string }

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
