import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Platform } from './platforms.ts'
import { runCommand } from './run-command.ts'

const brought = ['package-lock.json', '.npmrc']

/** Installs what the unpacked server needs to run, in the versions of the lock file, for one kind of machine. */
export const installFrom = (source: string, app: string, { npm }: Platform): void => {
  for (const name of brought) copyFileSync(join(source, name), join(app, name))
  const options = ['--omit=dev', '--workspaces=false', '--include-workspace-root', '--ignore-scripts', ...npm]
  runCommand('npm', ['ci', ...options], { cwd: app })
  for (const name of brought) rmSync(join(app, name))
  // npm's notes on what it installed from where: nothing reads them when nothing is installed beside it.
  rmSync(join(app, 'node_modules/.package-lock.json'))
}
