import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { createTemporaryFolder, runCli, startCliServer } from '../../support/run-cli.ts'

/** Has a process write down each module that it loads. */
const openSpy = async () => {
  const folder = await createTemporaryFolder()
  const [hook, loader, list] = ['hook.mjs', 'loader.mjs', 'list'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  await writeFile(list, '')
  await writeFile(
    hook,
    `import { register } from 'node:module'
     register(${JSON.stringify(pathToFileURL(loader).href)})`,
  )
  await writeFile(
    loader,
    `import { appendFileSync } from 'node:fs'
     export const load = (url, context, next) => {
       appendFileSync(${JSON.stringify(list)}, url + '\\n')
       return next(url, context)
     }`,
  )
  return {
    environment: { NODE_OPTIONS: `--import ${pathToFileURL(hook).href}` },
    readLoaded: async (pattern: RegExp) =>
      (await readFile(list, 'utf8')).split('\n').filter((url) => pattern.test(url)).length,
  }
}

const ofDatabase = /\/dist\/(postgres|pg)\.js$/
const ofProgram = /\/dist\/[\w-]+\.js$/
const ofServer = /\/dist\/server\.js$/
const ofAssistants = /\/dist\/mcp[\w-]*\.js$/

test.each(['json', 'memory'])(
  'a server with the store "%s" loads nothing for a database or assistants',
  async (store) => {
    const { environment, readLoaded } = await openSpy()

    const options = store === 'json' ? [] : ['--store', store]
    const server = await startCliServer(await createTemporaryFolder(), options, environment)
    await server.stop()

    expect(await readLoaded(ofDatabase)).toBe(0)
    expect(await readLoaded(ofAssistants)).toBe(0)
  },
)

test('the command for assistants loads its code, which the spy sees, and nothing of the server', async () => {
  const { environment, readLoaded } = await openSpy()

  const args = ['mcp', '--base-url', 'http://127.0.0.1:1/', '--folder', await createTemporaryFolder()]
  const { exitCode } = await runCli(args, '', { ...environment, THINGSYNC_TOKEN: 'any' })

  expect(exitCode).toBe(1)
  expect(await readLoaded(ofAssistants)).toBeGreaterThan(0)
  expect(await readLoaded(ofServer)).toBe(0)
})

test('--version loads nothing of the program, and user list nothing of the server, which the spy sees', async () => {
  const [version, list] = [await openSpy(), await openSpy()]

  const printed = await runCli(['--version'], '', version.environment)
  await runCli(['user', 'list', '--data', await createTemporaryFolder()], '', list.environment)

  expect(printed).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
  expect(await version.readLoaded(ofProgram)).toBe(0)
  expect(await list.readLoaded(ofProgram)).toBeGreaterThan(1)
  expect(await list.readLoaded(ofServer)).toBe(0)
})

test('a command on a database loads its driver, which the spy sees', async () => {
  const { environment, readLoaded } = await openSpy()

  // Nobody listens at port 1.
  const { exitCode } = await runCli(['user', 'list', '--store', 'postgres://127.0.0.1:1/things'], '', environment)

  expect(exitCode).toBe(1)
  expect(await readLoaded(ofDatabase)).toBe(2)
})
