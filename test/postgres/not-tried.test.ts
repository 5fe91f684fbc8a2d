import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { postgresMissing } from './find-postgres.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Runs what `npm run test:postgres` runs, as if no PostgreSQL were installed. */
const runWithout = (environment: Readonly<Record<string, string>>) => {
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, NO_COLOR: '1', THINGSYNC_POSTGRES_BIN: '/nowhere', ...environment }
  const program = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/configs/postgres.config.ts']
  const { status, stdout, stderr } = spawnSync(process.execPath, program, { cwd: root, env, encoding: 'utf8' })
  return { status, stdout, stderr }
}

test('without PostgreSQL one line says what to install, and nothing fails', () => {
  const { status, stdout, stderr } = runWithout({})

  expect(status).toBe(0)
  expect(stderr.trim()).toBe(postgresMissing)
  expect(stdout).toMatch(/Tests +1 skipped/)
})

test('with CI=true that is a failure', () => {
  const { status, stderr } = runWithout({ CI: 'true' })

  expect(status).toBe(1)
  expect(stderr).toContain(postgresMissing)
})
