import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Thrown when a tool from outside npm cannot be installed. The message is for the user, in one sentence. */
export class ToolMissing extends Error {}

/** Returns the folder of one version of a tool, outside the project: `~/.cache/thingsync/<name>-<version>`. */
export const findToolFolder = (name: string, version: string): string =>
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'thingsync', `${name}-${version}`)

/**
 * Runs a step of an installation and waits for its end. `need`: what the user must install.
 * @throws ToolMissing when the command is missing, or fails, with its last lines
 */
export const runInstaller = (
  command: string,
  args: readonly string[],
  { need, env = {} }: { readonly need: string; readonly env?: Readonly<Record<string, string>> },
): void => {
  const { error, status, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  })
  if (error !== undefined) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new ToolMissing(`${command} is not on this machine; ${need}`)
  }
  if (status !== 0) {
    const lastLines = `${stdout}${stderr}`.trim().split('\n').slice(-5).join('\n')
    throw new ToolMissing(`${command} ${args.join(' ')} failed; ${need}\n${lastLines}`)
  }
}

// Later versions need modules that the Go proxy does not serve.
const nfpmVersion = 'v2.43.0'

/**
 * Returns the path of nfpm, which makes .deb and .rpm packages. At first use it builds nfpm from the Go module proxy,
 * which takes about a minute.
 * @throws ToolMissing without Go
 */
export const installNfpm = (): string => {
  const folder = findToolFolder('nfpm', nfpmVersion)
  const program = join(folder, 'nfpm')
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  runInstaller('go', ['install', `github.com/goreleaser/nfpm/v2/cmd/nfpm@${nfpmVersion}`], {
    need: `install Go 1.24 or newer, or put nfpm ${nfpmVersion} at ${program}`,
    env: { GOBIN: folder },
  })
  return program
}

/**
 * Returns the path of another version of Node. At first use it installs the npm package for this platform.
 * @throws ToolMissing without npm, or when there is no such package for this platform
 */
export const installNode = (version: string): string => {
  const kind = process.platform === 'win32' ? 'win' : process.platform
  const name = `node-${kind}-${process.arch}`
  const folder = findToolFolder('node', version)
  const program = join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder]
  runInstaller('npm', ['install', ...options, `${name}@${version}`], {
    need: `npm and a machine for which there is ${name} ${version}`,
  })
  return program
}

// 1.35 needs a module that the Go proxy does not serve.
const oasdiffVersion = 'v1.30.0'

/**
 * Returns the path of oasdiff, which finds breaking changes between two OpenAPI documents. At first use it builds
 * oasdiff from the Go module proxy, which takes about a minute.
 * @throws ToolMissing without Go
 */
export const installOasdiff = (): string => {
  const folder = findToolFolder('oasdiff', oasdiffVersion)
  const program = join(folder, process.platform === 'win32' ? 'oasdiff.exe' : 'oasdiff')
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  runInstaller('go', ['install', `github.com/oasdiff/oasdiff@${oasdiffVersion}`], {
    need: `install Go 1.26 or newer, or put oasdiff ${oasdiffVersion} at ${program}`,
    env: { GOBIN: folder },
  })
  return program
}

/**
 * Returns the folder of the commands of one version of an npm package that is too large for the project's dependencies.
 * At first use it installs the package, without install scripts.
 * @throws ToolMissing when npm is missing or cannot install the package
 */
export const installPackage = (name: string, version: string): string => {
  const folder = findToolFolder(name.replace('/', '-').replace('@', ''), version)
  const isComplete = join(folder, 'is-complete')
  const commands = join(folder, 'node_modules', '.bin')
  if (existsSync(isComplete)) return commands
  mkdirSync(folder, { recursive: true })
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder]
  runInstaller('npm', ['install', ...options, `${name}@${version}`], { need: 'npm and its registry' })
  writeFileSync(isComplete, '')
  return commands
}

const requirements = fileURLToPath(new URL('../schemathesis/requirements.txt', import.meta.url))

/**
 * Returns the path of Schemathesis. At first use it installs the exact versions of `requirements.txt` into a virtual
 * environment, which takes about half a minute.
 * @throws ToolMissing without Python
 */
export const installSchemathesis = (): string => {
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12)
  const folder = findToolFolder('schemathesis', digest)
  const program = join(folder, 'bin', 'schemathesis')
  const isComplete = join(folder, 'is-complete')
  if (existsSync(isComplete)) return program
  // Removes the rest of an interrupted installation.
  rmSync(folder, { recursive: true, force: true })
  const need = 'install Python 3.10 or newer with venv and pip'
  runInstaller('python3', ['-m', 'venv', folder], { need })
  const pip = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--requirement', requirements]
  runInstaller(join(folder, 'bin', 'python'), pip, { need })
  writeFileSync(isComplete, '')
  return program
}
