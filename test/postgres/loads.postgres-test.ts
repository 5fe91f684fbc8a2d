import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeTemporaryFolder, runCli, startCliServer } from '../../src/acceptance/run-cli.ts'
import { openTestDatabase } from './open-database.ts'

/** Has a process write down, when it ends, which files of the driver it has loaded. */
const openSpy = async () => {
  const folder = await makeTemporaryFolder()
  const [hook, list] = [join(folder, 'hook.cjs'), join(folder, 'list')]
  await writeFile(
    hook,
    `process.on('exit', () => require('fs').writeFileSync(${JSON.stringify(list)},
       Object.keys(require.cache).filter((file) => /node_modules.pg[-\\\\/]/.test(file)).join('\\n')))`,
  )
  return { environment: { NODE_OPTIONS: `--require ${hook}` }, read: () => readFile(list, 'utf8') }
}

test('without a database nothing of its driver is loaded, and with one it is', async () => {
  const { url, drop } = await openTestDatabase()
  onTestFinished(drop)
  const [json, memory, database] = [await openSpy(), await openSpy(), await openSpy()]

  const server = await startCliServer(await makeTemporaryFolder(), [], json.environment)
  await server.stop()
  const passing = await startCliServer(await makeTemporaryFolder(), ['--store', 'memory'], memory.environment)
  await passing.stop()
  await runCli(['user', 'list'], '', { ...database.environment, THINGSYNC_STORE: url })

  expect([await json.read(), await memory.read()]).toEqual(['', ''])
  expect(await database.read()).toContain('pg')
})
