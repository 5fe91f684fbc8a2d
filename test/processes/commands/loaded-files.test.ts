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
const ofFolder = /\/dist\/data\.js$/

test.each([
  ['json', 1],
  ['memory', 0],
])('a server with the store "%s" loads nothing that is for a database', async (store, loadedOfFolder) => {
  const { environment, readLoaded } = await openSpy()

  const options = store === 'json' ? [] : ['--store', store]
  const server = await startCliServer(await createTemporaryFolder(), options, environment)
  await server.stop()

  expect([await readLoaded(ofFolder), await readLoaded(ofDatabase)]).toEqual([loadedOfFolder, 0])
})

test('a command on a database loads its driver, which the spy sees', async () => {
  const { environment, readLoaded } = await openSpy()

  // Nobody listens at port 1.
  const { exitCode } = await runCli(['user', 'list', '--store', 'postgres://127.0.0.1:1/things'], '', environment)

  expect(exitCode).toBe(1)
  expect(await readLoaded(ofDatabase)).toBe(2)
})
