import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { runInstaller } from './run-installer.ts'
import { toolFolder } from './tool-folder.ts'

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
