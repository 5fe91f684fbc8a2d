import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runInstaller } from './run-installer.ts'
import { toolFolder } from './tool-folder.ts'

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
