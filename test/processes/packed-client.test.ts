import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { buildProgram } from '../support/build-program.ts'
import { bundleForBrowser } from '../support/bundle-for-browser.ts'
import { openTestServer } from '../support/open-test-server.ts'

await buildProgram()
const root = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)
const findPackage = (name: string) => join(root, 'node_modules', name)

let packed = ''
let archive = ''

beforeAll(async () => {
  packed = await mkdtemp(join(tmpdir(), 'thingsync-packed-'))
  await run('npm', ['pack', '--silent', '--workspace', 'client', '--pack-destination', packed], { cwd: root })
  archive = join(packed, (await readdir(packed))[0] ?? '')
})

afterAll(() => rm(packed, { recursive: true, force: true }))

/** An empty project that has installed the packed client, and of its dependencies what they say, from here. */
const installClient = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-packed-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const modules = join(folder, 'node_modules')
  await mkdir(modules)
  await run('tar', ['-xzf', archive, '-C', modules])
  await cp(join(modules, 'package'), join(modules, 'thingsync-client'), { recursive: true })
  await rm(join(modules, 'package'), { recursive: true })
  const needed = ['thingsync-client']
  for (const name of needed) {
    if (name !== 'thingsync-client') await cp(findPackage(name), join(modules, name), { recursive: true })
    const { dependencies = {} } = JSON.parse(await readFile(join(modules, name, 'package.json'), 'utf8'))
    needed.push(...Object.keys(dependencies))
  }
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  return folder
}

const readExamples = async (): Promise<string> => {
  const page = await readFile(join(root, 'client/README.md'), 'utf8')
  return [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code).join('\n')
}

test('the packed client is code, types, licence and README, and needs openapi-fetch and idb alone', async () => {
  const folder = await installClient()
  const installed = join(folder, 'node_modules/thingsync-client')

  expect((await readdir(join(folder, 'node_modules'))).sort()).toEqual([
    'idb',
    'openapi-fetch',
    'openapi-typescript-helpers',
    'thingsync-client',
  ])
  expect((await readdir(installed)).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json'])
  expect(await readFile(join(installed, 'LICENSE'), 'utf8')).toBe(await readFile(join(root, 'LICENSE'), 'utf8'))
  const files = await readdir(join(installed, 'dist'), { recursive: true })
  expect(files.filter((name) => /test|tsbuildinfo/.test(name))).toEqual([])
})

test('the examples of its README run against a server and have the types that they say', async () => {
  const server = await openTestServer()
  const folder = await installClient()
  const code = (await readExamples())
    .replace('https://things.example/v1/', server.baseUrl)
    .replace('from the registration of your application', server.clientId)
    .replace('from the same place', server.clientSecret)
  // What is TypeScript in it JavaScript has, too.
  await writeFile(join(folder, 'example.js'), code)
  await writeFile(join(folder, 'example.ts'), code)
  const compilerOptions = { strict: true, noEmit: true, target: 'es2023', module: 'nodenext', lib: ['es2023', 'dom'] }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['example.ts'] }))

  const { stdout } = await run(process.execPath, ['example.js'], { cwd: folder })
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
  const checked = await run(process.execPath, [tsc, '-p', folder]).catch((error: { stdout: string }) => error)

  expect(stdout).toBe('Buy milk 1\n1 sent, 0 rejected, 0 lost\n')
  expect(checked.stdout).toBe('')
})

test('TypeScript finds its types, of both entries, also where it does not read `exports` (moduleResolution node10)', async () => {
  const folder = await installClient()
  const keeping = "import { openIndexedDbStore } from 'thingsync-client/indexeddb'\nconsole.log(openIndexedDbStore)\n"
  await writeFile(join(folder, 'example.ts'), `${keeping}${await readExamples()}`)
  const how = { target: 'es2023', module: 'esnext', moduleResolution: 'node10', lib: ['es2023', 'dom'] }
  const compilerOptions = { strict: true, noEmit: true, ...how }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['example.ts'] }))

  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
  const checked = await run(process.execPath, [tsc, '-p', folder]).catch((error: { stdout: string }) => error)

  expect(checked.stdout).toBe('')
})

test('a program in CommonJS may require it, and TypeScript knows that with module nodenext', async () => {
  const folder = await installClient()
  const code =
    "import { createMemoryTokenStorage } from 'thingsync-client'\nconsole.log(typeof createMemoryTokenStorage().read)\n"
  await writeFile(join(folder, 'example.cts'), code)
  const compilerOptions = { strict: true, target: 'es2023', module: 'nodenext', lib: ['es2023', 'dom'] }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['example.cts'] }))

  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
  const checked = await run(process.execPath, [tsc, '-p', folder]).catch((error: { stdout: string }) => error)
  const { stdout } = await run(process.execPath, ['--disable-warning=ExperimentalWarning', 'example.cjs'], {
    cwd: folder,
  })

  expect([checked.stdout, stdout]).toEqual(['', 'function\n'])
})

test('it can be bundled for browsers: nothing in it is of Node, and idb comes with its own entry only', async () => {
  const folder = await installClient()
  const code = await readExamples()
  await writeFile(join(folder, 'example.ts'), code)
  const keeping = "import { openIndexedDbStore } from 'thingsync-client/indexeddb'\nconsole.log(openIndexedDbStore)\n"
  await writeFile(join(folder, 'keeping.ts'), `${keeping}${code}`)

  const bundle = await bundleForBrowser(folder, 'example.ts')
  const keepingBundle = await bundleForBrowser(folder, 'keeping.ts')

  expect(bundle).toContain('openapi-fetch')
  expect(bundle).not.toContain('node:')
  expect(bundle).not.toContain('IDBDatabase')
  expect(keepingBundle).toContain('IDBDatabase')
  expect(keepingBundle).not.toContain('node:')
})
