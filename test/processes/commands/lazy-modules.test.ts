import { spawn } from 'node:child_process'
import * as crypto from 'node:crypto'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { createTemporaryFolder, readWhenThere, runCli } from '../../support/run-cli.ts'

/*
 * These tests start the sources, not the build: a bundle has other files, and the imports of the sources decide what it
 * loads.
 */

const source = fileURLToPath(new URL('../../../src/cli/start.cts', import.meta.url))

/** What the program never loads: `npm run generate` does its work. */
const onlyGenerated: readonly RegExp[] = [
  /\/node_modules\/(openapi-backend|ajv|js-yaml|yaml-js|openapi-schema-validator|lodash)\//,
  /\/node_modules\/@apidevtools\//,
]

/** What the program loads when it is first used. */
const lazy = {
  pages: /\/src\/pages\/(handle-page|routes|render-page)\.tsx?$/,
  preact: /\/node_modules\/preact/,
  document: /\/generated\/document\.ts$/,
  'SDK document': /\/generated\/sdk-document\.ts$/,
  reference: /\/generated\/reference\.ts$/,
  argon2: /\/node_modules\/@node-rs\/argon2/,
  'delivery of webhooks': /\/src\/delivery\/deliver-webhook\.ts$/,
  'delivery of pushes': /\/src\/delivery\/deliver-push\.ts$/,
  'outbound client': /\/src\/outbound\/client\.ts$/,
  'link previews': /\/src\/(preview\/|outbound\/read-page\.ts$)/,
  'OpenID client': /\/node_modules\/openid-client\//,
  PostgreSQL: /\/node_modules\/pg\/|\/src\/store\/postgres\//,
  metrics: /\/node_modules\/prom-client\/|\/src\/metrics\/metrics\.ts$/,
  'protocol of assistants': /\/src\/mcp\/|\/node_modules\/(@modelcontextprotocol|zod)\//,
  'formats of import and export': /\/src\/transfer\/|\/node_modules\/(htmlparser2|marked|yaml)\//,
} as const

/** What a command without a server never loads. */
const ofServer =
  /\/src\/(http\/(server|handler|app)|operations\/\w+|live\/\w+|log\/log)\.ts$|\/node_modules\/(koa|pino)\//

/**
 * Has a process write down each module that it loads: ES modules when it does, CommonJS modules at its end. Loading of
 * the modules that `broken` matches fails.
 */
const openSpy = async (broken = /^$/) => {
  const folder = await createTemporaryFolder()
  const [hook = '', loader = '', list = ''] = ['hook.mjs', 'loader.mjs', 'list'].map((name) => join(folder, name))
  await writeFile(
    hook,
    `import { appendFileSync } from 'node:fs'
     import { createRequire, register } from 'node:module'
     register(${JSON.stringify(pathToFileURL(loader).href)})
     const { cache } = createRequire(import.meta.url)
     process.on('exit', () => appendFileSync(${JSON.stringify(list)}, Object.keys(cache).join('\\n') + '\\n'))`,
  )
  await writeFile(
    loader,
    `import { appendFileSync } from 'node:fs'
     export const load = (url, context, next) => {
       if (${broken}.test(url)) throw new Error('this module cannot be loaded')
       appendFileSync(${JSON.stringify(list)}, url.replace(/\\?.*/, '') + '\\n')
       return next(url, context)
     }`,
  )
  const start = (args: readonly string[]) => {
    const child = spawn(process.execPath, ['--import', 'tsx', '--import', pathToFileURL(hook).href, source, ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    onTestFinished(() => {
      child.kill('SIGKILL')
    })
    return { child, ended: once(child, 'close') }
  }
  const readLoaded = async (): Promise<readonly string[]> => (await readFile(list, 'utf8')).split('\n')
  return {
    run: async (args: readonly string[]): Promise<readonly string[]> => {
      expect(await start(args).ended).toEqual([0, null])
      return readLoaded()
    },
    startServer: async (data: string, args: readonly string[] = []) => {
      const readyFile = join(folder, 'ready.json')
      const { child, ended } = start(['serve', '--data', data, '--port', '0', '--ready-file', readyFile, ...args])
      const { base_url: baseUrl } = await readWhenThere<{ base_url: string }>(readyFile, () => child.exitCode !== null)
      const stop = async (): Promise<readonly string[]> => {
        child.kill('SIGTERM')
        expect(await ended).toEqual([0, null])
        return readLoaded()
      }
      return { baseUrl, stop, readLoaded }
    },
  }
}

const listMatches = (loaded: readonly string[], patterns: readonly RegExp[]): readonly string[] =>
  loaded.filter((url) => patterns.some((pattern) => pattern.test(url)))

const listNames = (loaded: readonly string[]): readonly string[] =>
  Object.entries(lazy).flatMap(([name, pattern]) => (listMatches(loaded, [pattern]).length > 0 ? [name] : []))

test('a server that syncs loads no compiler of validators, page, document, delivery or password hash', async () => {
  const spy = await openSpy()
  const server = await spy.startServer(await createTemporaryFolder(), ['--no-first-run'])

  const statuses = await Promise.all(
    ['sync', 'things/get', '', '../healthz', '../readyz'].map(
      async (path) => (await fetch(`${server.baseUrl}${path}`)).status,
    ),
  )
  const loaded = await server.stop()

  expect(statuses).toEqual([401, 401, 200, 200, 200])
  expect(listMatches(loaded, [ofServer]).length).toBeGreaterThan(5)
  expect(listMatches(loaded, onlyGenerated)).toEqual([])
  expect(listNames(loaded)).toEqual([])
})

test('a server loads pages, documents, password hashes and delivery when they are first used', async () => {
  const spy = await openSpy()
  const data = await createTemporaryFolder()
  const server = await spy.startServer(data, ['--no-first-run'])
  const site = server.baseUrl.replace(/v1\/$/, '')

  const pages = await Promise.all(
    ['sign-in', 'sign-in', 'docs', 'openapi.json', 'openapi.json', 'openapi.sdk.json'].map(
      async (path) => (await fetch(`${site}${path}`)).status,
    ),
  )
  const added = await runCli(['user', 'add', 'anna', '--data', data, '--password-stdin'], 'correct horse battery\n')
  const { stdout } = await runCli(['token', 'add', 'test', '--user', 'anna', '--data', data, '--format', 'json'])
  const headers = { authorization: `Bearer ${JSON.parse(stdout).token}`, 'content-type': 'application/json' }
  const post = async (path: string, body: object) =>
    (await fetch(`${server.baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).status
  const statuses = [
    await post('webhook/register', { target_url: 'https://hook.invalid/', event: 'any' }),
    await post('thing/add', { title: 'A thing' }),
  ]
  expect(pages).toEqual([200, 200, 200, 200, 200, 200])
  expect(added.exitCode).toBe(0)
  expect(statuses).toEqual([200, 200])
  await expect.poll(async () => listNames(await server.readLoaded())).toContain('outbound client')
  const loaded = await server.stop()

  expect(listMatches(loaded, onlyGenerated)).toEqual([])
  // From Node 24.7 on, Node has argon2 itself.
  expect(listNames(loaded)).toEqual([
    ...['pages', 'preact', 'document', 'SDK document', 'reference'],
    ...('argon2' in crypto ? [] : ['argon2']),
    ...['delivery of webhooks', 'outbound client'],
  ])
})

test('a module that cannot be loaded is an error response, and the server goes on', async () => {
  const spy = await openSpy(/\/generated\/document\.ts|\/src\/pages\/routes\.ts/)
  const server = await spy.startServer(await createTemporaryFolder(), ['--no-first-run', '--no-web'])
  const site = server.baseUrl.replace(/v1\/$/, '')

  const responses = await Promise.all(
    ['sign-in', 'sign-in', 'openapi.json', 'openapi.json'].map((path) => fetch(site + path)),
  )
  const later = await Promise.all(
    ['sign-in', 'openapi.json', 'openapi.yaml', 'healthz'].map((path) => fetch(site + path)),
  )
  await server.stop()

  expect(responses.map(({ status }) => status)).toEqual([500, 500, 500, 500])
  expect(await responses[0]?.json()).toMatchObject({ error: 'server_error' })
  expect(later.map(({ status }) => status)).toEqual([500, 500, 200, 200])
})

test('a server with metrics loads their package', async () => {
  const spy = await openSpy()
  const server = await spy.startServer(await createTemporaryFolder(), ['--no-first-run', '--metrics-port', '0'])

  expect(listNames(await server.stop())).toEqual(['metrics'])
})

test('the command user list loads nothing of the server, and nothing for other commands', async () => {
  const spy = await openSpy()

  const loaded = await spy.run(['user', 'list', '--data', await createTemporaryFolder()])

  expect(listMatches(loaded, [/\/src\/cli\/program\.ts$/])).toHaveLength(1)
  expect(listMatches(loaded, [...onlyGenerated, ofServer])).toEqual([])
  expect(listNames(loaded)).toEqual([])
  const commands = listMatches(loaded, [/-commands?\.ts$/]).map((url) => url.slice(url.lastIndexOf('/') + 1))
  expect(commands.filter((file) => file !== 'account-commands.ts' && file !== 'run-command.ts')).toEqual([
    'user-commands.ts',
  ])
})
