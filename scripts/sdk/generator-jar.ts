import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { CannotGenerate } from './cannot-generate.ts'

/** The release of openapi-generator that writes the clients, and the SHA-256 of its JAR. */
export const generatorVersion = '7.25.0'
const checksum = '41ce4f6b07f196676439d710759fa1ced7a08066d06ff1bf314681470289efae'
const jarVariable = 'THINGSYNC_GENERATOR_JAR'

const hashFile = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')

function download(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const artifact = `org.openapitools:openapi-generator-cli:${generatorVersion}`
  try {
    execFileSync(
      'mvn',
      ['--batch-mode', '--quiet', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${folder}`],
      { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
    )
  } catch (error) {
    throw new CannotGenerate(
      `openapi-generator ${generatorVersion} could not be had by Maven; give its JAR with --jar FILE or ${jarVariable}`,
      { cause: error },
    )
  }
}

/**
 * The path of the generator's JAR: the given file, else the one that `THINGSYNC_GENERATOR_JAR` names, else the cached one, which
 * Maven fetches when it is missing. Whichever it is, it must be the pinned release, byte for byte.
 */
export function findGeneratorJar(given: string | undefined): string {
  const folder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'thingsync')
  const cached = join(folder, `openapi-generator-cli-${generatorVersion}.jar`)
  const path = given ?? process.env[jarVariable] ?? cached
  if (path === cached && !existsSync(cached)) download(folder)
  if (!existsSync(path)) throw new CannotGenerate(`${path} does not exist`)
  if (hashFile(path) !== checksum) {
    throw new CannotGenerate(
      `${path} is not openapi-generator-cli ${generatorVersion} (SHA-256 ${checksum}); remove it or give another`,
    )
  }
  return path
}
