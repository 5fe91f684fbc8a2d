import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What a tool from outside npm is called when it cannot be had: one sentence, for the one who runs the command. */
export class ToolMissing extends Error {}

/** Where one version of a tool is kept between runs, outside the project: `~/.cache/thingsync/<name>-<version>`. */
export const toolFolder = (name: string, version: string): string =>
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'thingsync', `${name}-${version}`)

/**
 * Runs a step of an installation and waits for its end.
 * @throws ToolMissing when the command is not on this machine, or when it fails, with its last lines
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

// Later ones need modules that the Go proxy does not hand out.
const nfpmVersion = 'v2.43.0'

/**
 * The path of nfpm, which makes .deb and .rpm packages. Built from the Go module proxy at its first use, about a minute.
 * @throws ToolMissing without Go
 */
export const installNfpm = (): string => {
  const folder = toolFolder('nfpm', nfpmVersion)
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
 * The path of another version of Node, as the npm package for this kind of machine brings it. Installed at its first use,
 * some seconds.
 * @throws ToolMissing without npm, or when there is no such package for this machine
 */
export const installNode = (version: string): string => {
  const kind = process.platform === 'win32' ? 'win' : process.platform
  const name = `node-${kind}-${process.arch}`
  const folder = toolFolder('node', version)
  const program = join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder]
  runInstaller('npm', ['install', ...options, `${name}@${version}`], {
    need: `npm and a machine for which there is ${name} ${version}`,
  })
  return program
}

// 1.35 needs a module that the Go proxy does not hand out.
const oasdiffVersion = 'v1.30.0'

/**
 * The path of oasdiff, which finds breaking changes between two OpenAPI documents. Built from the Go module proxy at its
 * first use, about a minute.
 * @throws ToolMissing without Go
 */
export const installOasdiff = (): string => {
  const folder = toolFolder('oasdiff', oasdiffVersion)
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
 * The folder of the commands of an npm package at one version, which is too large for everybody to install with the
 * project. Installed at its first use, without install scripts.
 * @throws ToolMissing without npm, or when it cannot be had
 */
export const installPackage = (name: string, version: string): string => {
  const folder = toolFolder(name.replace('/', '-').replace('@', ''), version)
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
 * The path of Schemathesis, in a Python environment of its own with exactly the versions of `requirements.txt`. Installed
 * at its first use, about half a minute.
 * @throws ToolMissing without Python
 */
export const installSchemathesis = (): string => {
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12)
  const folder = toolFolder('schemathesis', digest)
  const program = join(folder, 'bin', 'schemathesis')
  const isComplete = join(folder, 'is-complete')
  if (existsSync(isComplete)) return program
  // What an interrupted installation left behind.
  rmSync(folder, { recursive: true, force: true })
  const need = 'install Python 3.10 or newer with venv and pip'
  runInstaller('python3', ['-m', 'venv', folder], { need })
  const pip = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--requirement', requirements]
  runInstaller(join(folder, 'bin', 'python'), pip, { need })
  writeFileSync(isComplete, '')
  return program
}
