import { spawnSync } from 'node:child_process'

/**
 * Builds before the first test, so that tests of the command line start what users start; from its source each command
 * took three times as long. Nothing to build takes 1 s.
 * @throws when the build fails, with what it said
 */
export const setup = (): void => {
  const { status, stdout, stderr } = spawnSync('npm run --silent build', { shell: true, encoding: 'utf8' })
  if (status !== 0) throw new Error(`npm run build failed\n${stdout}${stderr}`)
}
