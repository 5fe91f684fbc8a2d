import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ReleaseFailed, runCommand } from './run-command.ts'

/** What a release is made of. */
export interface Source {
  readonly version: string
  readonly commit: string
  /** The commit's time in seconds: the time that everything in a release carries, so that it can be made again. */
  readonly epoch: number
  /** False when files differ from the commit. */
  readonly isCommitted: boolean
}

/** Reads which version and commit the project is at. */
export const readSource = (project: string): Source => {
  const git = (...args: string[]) => runCommand('git', args, { cwd: project }).trim()
  return {
    version: JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')).version,
    commit: git('rev-parse', 'HEAD'),
    epoch: Number(git('log', '-1', '--format=%ct')),
    isCommitted: git('status', '--porcelain') === '',
  }
}

/**
 * Refuses what must not be published: changes that nobody can look up, and a version that is not tagged or not told.
 * @throws ReleaseFailed
 */
export const checkPublishable = (project: string, { version, isCommitted }: Source): void => {
  if (!isCommitted) throw new ReleaseFailed('there are changes that are not committed; commit them, or add --dry-run')
  const tags = runCommand('git', ['tag', '--points-at', 'HEAD'], { cwd: project }).split('\n')
  if (!tags.includes(`v${version}`))
    throw new ReleaseFailed(`the commit has no tag v${version}; tag it, or add --dry-run`)
  const isTold = new RegExp(`^## ${version.replaceAll('.', '\\.')} \\(\\d{4}-\\d{2}-\\d{2}\\)$`, 'm')
  if (!isTold.test(readFileSync(join(project, 'CHANGELOG.md'), 'utf8'))) {
    throw new ReleaseFailed(`CHANGELOG.md has no heading "## ${version} (date)"; write it, or add --dry-run`)
  }
}

/**
 * Copies what git would keep into an empty folder, with the installed packages of the project: what an earlier build left
 * behind is not in it, and does not get into a package.
 */
export const copySource = (project: string, folder: string): void => {
  const list = runCommand('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: project })
  for (const path of list.split('\0')) {
    // A file that was removed and not yet committed is still listed.
    if (path === '' || !existsSync(join(project, path))) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(project, path), join(folder, path), { verbatimSymlinks: true })
  }
  copyModules(project, folder)
}

/** Links instead of copies where both are on one disk: there are a hundred thousand files. */
const copyModules = (project: string, folder: string): void => {
  const modules = join(project, 'node_modules')
  try {
    runCommand('cp', ['-al', modules, folder], { cwd: project })
  } catch (error) {
    if (!(error instanceof ReleaseFailed) || !error.message.includes('cross-device')) throw error
    runCommand('cp', ['-a', modules, folder], { cwd: project })
  }
}
