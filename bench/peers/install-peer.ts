import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { RowUnavailable } from '../row.ts'

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'thingsync-bench')

/** One exact version of a package, and who installs it. */
export interface Package {
  readonly name: string
  readonly version: string
  readonly installer: 'npm' | 'pip'
}

/**
 * Installs a peer into a folder of the user's cache, outside the tree, unless it is there already; tells the folder.
 * @throws RowUnavailable when it cannot be installed here
 */
export const installPeer = async ({ name, version, installer }: Package): Promise<string> => {
  const folder = join(cache, `${name}-${version}`)
  if (existsSync(folder)) return folder
  // Installed aside and then renamed, so that an installation that was broken off is never taken for a whole one.
  const aside = `${folder}.${process.pid}`
  await mkdir(aside, { recursive: true })
  try {
    if (installer === 'npm') {
      await writeFile(join(aside, 'package.json'), '{"private": true}\n')
      await execute('npm', ['install', '--no-audit', '--no-fund', `${name}@${version}`], aside)
    } else {
      const options = ['--quiet', '--disable-pip-version-check', '--target', aside]
      await execute('python3', ['-m', 'pip', 'install', ...options, `${name}==${version}`], aside)
    }
  } catch (error) {
    await rm(aside, { recursive: true, force: true })
    const reason = error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error)
    throw new RowUnavailable(`${name} ${version} could not be installed by ${installer}: ${reason}`)
  }
  await rename(aside, folder)
  return folder
}

const execute = (command: string, args: readonly string[], cwd: string) =>
  promisify(execFile)(command, [...args], { cwd, maxBuffer: 2 ** 26 })
