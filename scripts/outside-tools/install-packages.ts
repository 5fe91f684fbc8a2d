import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInstaller } from './run-installer.ts'
import { toolFolder } from './tool-folder.ts'

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
