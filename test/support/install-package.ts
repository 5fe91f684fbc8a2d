import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const project = fileURLToPath(new URL('../../', import.meta.url))

/**
 * Packs the server and installs the package in an empty folder, as users do. Returns that folder, which the caller must
 * remove.
 * @throws Error when npm fails
 */
export const installPackage = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'thingsync-installed-'))
  const installed = join(folder, 'installed')
  mkdirSync(installed)
  for (const script of ['build', 'build:types']) npm(['run', '--silent', script], project)
  const name = npm(['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], project).trim()
  writeFileSync(join(installed, 'package.json'), '{ "private": true }\n')
  npm(['install', '--no-audit', '--no-fund', '--prefer-offline', '--omit=dev', join(folder, name)], installed)
  return installed
}

const npm = (args: readonly string[], cwd: string): string => execFileSync('npm', args, { cwd, encoding: 'utf8' })

/** Installs the package before the first test, and names its program in `THINGSYNC_TEST_PROGRAM`. */
export const setup = (): (() => void) => {
  const installed = installPackage()
  process.env.THINGSYNC_TEST_PROGRAM = join(installed, 'node_modules/thingsync/dist/start.cjs')
  return () => rmSync(join(installed, '..'), { recursive: true, force: true })
}
