import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findToolFolder, runInstaller } from '../../scripts/outside-tools/install-tools.ts'
import { readProgram } from './read-page.ts'

/** How the program of a library is started. */
export interface ReadyProgram {
  readonly command: readonly [string, ...string[]]
  readonly env?: Readonly<Record<string, string>>
}

/** A library, and what makes its program of `docs/how-to/clients/sign-in.md` ready in a folder. @throws ToolMissing */
export interface Library {
  readonly name: string
  readonly prepare: (folder: string) => ReadyProgram
}

const fileAt = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const prepareNode =
  (name: string): Library['prepare'] =>
  (folder) => {
    const program = join(folder, `${name}.mjs`)
    writeFileSync(program, readProgram(name))
    return { command: [process.execPath, program] }
  }

const requirements = fileAt('requirements.txt')

/** A Python environment of its own with exactly the versions of `requirements.txt`, made at its first use. */
const installPython = (): string => {
  const digest = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 12)
  const folder = findToolFolder('oauth-python', digest)
  const python = join(folder, 'bin', 'python')
  if (existsSync(join(folder, 'is-complete'))) return python
  // What an interrupted installation left behind.
  rmSync(folder, { recursive: true, force: true })
  const need = 'npm run test:oauth needs Python 3.10 or newer: apt-get install python3 python3-venv'
  runInstaller('python3', ['-m', 'venv', folder], { need })
  runInstaller(python, ['-m', 'pip', 'install', '--quiet', '--no-deps', '--requirement', requirements], { need })
  writeFileSync(join(folder, 'is-complete'), '')
  return python
}

const preparePython =
  (name: string, env: Readonly<Record<string, string>> = {}): Library['prepare'] =>
  (folder) => {
    const program = join(folder, `${name}.py`)
    writeFileSync(program, readProgram(name))
    return { command: [installPython(), program], env }
  }

const prepareGo =
  (name: string): Library['prepare'] =>
  (folder) => {
    const source = join(folder, 'go')
    mkdirSync(source, { recursive: true })
    writeFileSync(join(source, 'main.go'), readProgram(name))
    for (const file of ['go.mod', 'go.sum']) copyFileSync(fileAt(`go/${file}`), join(source, file))
    const program = join(source, 'program')
    const need = 'npm run test:oauth needs Go 1.24 or newer: https://go.dev/dl/'
    // Go keeps what it builds below HOME, which may be empty where checks run.
    const env = { HOME: userInfo().homedir }
    runInstaller('go', ['build', '-C', source, '-o', program, '.'], { need, env })
    return { command: [program] }
  }

/** The libraries of `docs/how-to/clients/sign-in.md`, in its order. */
export const libraries: readonly Library[] = [
  { name: 'oauth4webapi', prepare: prepareNode('oauth4webapi') },
  { name: 'openid-client', prepare: prepareNode('openid-client') },
  { name: 'Authlib', prepare: preparePython('Authlib') },
  {
    name: 'requests-oauthlib',
    prepare: preparePython('requests-oauthlib', { OAUTHLIB_INSECURE_TRANSPORT: '1' }),
  },
  { name: 'golang.org/x/oauth2', prepare: prepareGo('golang.org/x/oauth2') },
]
