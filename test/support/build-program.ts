import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const build = (): void => {
  const { status, stdout, stderr } = spawnSync('npm run --silent build', { shell: true, encoding: 'utf8' })
  if (status !== 0) throw new Error(`npm run build failed\n${stdout}${stderr}`)
}

/**
 * Builds the program once in a run of vitest, so that tests of the command line start what users start; from its source
 * each command took three times as long. The process that needs it first builds, the others wait for it.
 * @throws when the build fails
 */
export const buildProgram = async (): Promise<void> => {
  const run = process.env.THINGSYNC_TEST_RUN
  if (run === undefined) return build()
  const folder = join(tmpdir(), `thingsync-build-${run}`)
  const [done, failed] = [join(folder, 'done'), join(folder, 'failed')]
  try {
    mkdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    while (!existsSync(done)) {
      if (existsSync(failed)) throw new Error('npm run build failed in another worker')
      await sleep(100)
    }
    return
  }
  try {
    build()
    writeFileSync(done, '')
  } catch (error) {
    writeFileSync(failed, '')
    throw error
  }
}

/** Builds before the first test: for configurations of which every test needs the program. */
export const setup = async (): Promise<void> => {
  process.env.THINGSYNC_TEST_RUN ??= `${process.pid}-${Date.now()}`
  await buildProgram()
}
