import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { installFrom } from './install-from-lock.ts'
import { nodeVersion, type Platform } from './platforms.ts'
import { runCommand } from './run-command.ts'

/** For people who set the archive up as the packages do. */
const byHand = ['command', 'thingsync.json', 'thingsync.service', 'thingsync.socket', 'sysusers.conf']

/**
 * Makes the folder that archives and packages hold: the packed server with exactly the packages of the lock file, Node, and
 * a program that runs one with the other.
 */
export const stageProgram = (
  folder: string,
  { source, tarball, platform, epoch }: { source: string; tarball: string; platform: Platform; epoch: number },
): void => {
  const app = join(folder, 'app')
  mkdirSync(app, { recursive: true })
  runCommand('tar', ['-xzf', tarball, '-C', app, '--strip-components=1'], { cwd: folder })
  installFrom(source, app, platform)
  placeNode(folder, platform)
  copyFileSync(join(source, 'packaging/launcher'), join(folder, 'thingsync'))
  mkdirSync(join(folder, 'packaging'))
  for (const name of byHand) copyFileSync(join(source, 'packaging', name), join(folder, 'packaging', name))
  copyFileSync(join(source, 'LICENSE'), join(folder, 'LICENSE'))
  settle(folder, epoch)
}

function placeNode(folder: string, { npm, nodePackage }: Platform): void {
  const install = join(folder, 'node-package')
  mkdirSync(install)
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', install, ...npm]
  runCommand('npm', ['install', ...options, `${nodePackage}@${nodeVersion}`], { cwd: install })
  const from = join(install, 'node_modules', nodePackage)
  mkdirSync(join(folder, 'bin'))
  copyFileSync(join(from, 'bin/node'), join(folder, 'bin/node'))
  copyFileSync(join(from, 'LICENSE'), join(folder, 'LICENSE.node'))
  rmSync(install, { recursive: true })
}

/** Modes and times are part of an archive, and must not come from the machine that makes it. */
function settle(folder: string, epoch: number): void {
  runCommand('chmod', ['-R', 'u=rwX,go=rX', '.'], { cwd: folder })
  runCommand('chmod', ['755', 'thingsync', 'bin/node', 'packaging/command'], { cwd: folder })
  runCommand('find', ['.', '-exec', 'touch', '--no-dereference', `--date=@${epoch}`, '{}', '+'], { cwd: folder })
}
