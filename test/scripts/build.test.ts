import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { buildProgram } from '../support/build-program.ts'

const run = promisify(execFile)
const script = fileURLToPath(new URL('../../scripts/build.mjs', import.meta.url))
const dist = fileURLToPath(new URL('../../dist', import.meta.url))

// By a URL, because the scripts that plain Node runs have no declarations.
const { assignChunks, describeLicenses, orderChunks, removeForwarders } = await import(
  new URL('../../scripts/bundle.mjs', import.meta.url).href
)

const createFiles = async (files: Readonly<Record<string, string>>): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-build-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  return folder
}

test('only compiled files that have a source stay', async () => {
  const kept = ['a.js', 'a.d.ts', 'b.js', 'c.cjs', 'c.d.cts', '.tsbuildinfo', 'page.md']
  const stale = ['gone.js', 'gone.d.ts', 'old/gone.cjs']
  const names = ['a.ts', 'b.tsx', 'c.cts', ...[...kept, ...stale].map((name) => `dist/${name}`)]
  const folder = await createFiles(Object.fromEntries(names.map((name) => [name, ''])))

  await run(process.execPath, [script, 'remove-stale', 'dist', '.'], { cwd: folder })

  const left = await readdir(join(folder, 'dist'), { recursive: true, withFileTypes: true })
  expect(left.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).sort()).toEqual(kept.sort())
})

const chunk = (fileName: string, ...imports: string[]) => ({ fileName, imports })

test('chunks that import each other fail the build, which names the cycle', () => {
  const chunks = [chunk('program.js', 'data.js', 'node:fs'), chunk('data.js', 'core.js'), chunk('core.js')]

  expect(orderChunks(chunks)).toEqual(['core.js', 'data.js', 'program.js'])
  expect(() => orderChunks([...chunks.slice(0, 2), chunk('core.js', 'data.js')])).toThrow(
    'chunks import each other: program.js > data.js > core.js > data.js',
  )
})

test('importers of a chunk that only passes on names load the chunk that has them', () => {
  const parts = { isEntry: false, dynamicImports: [] }
  const importer = { ...parts, fileName: 'a.js', code: 'await import("./store.js")\n', dynamicImports: ['store.js'] }
  const forwarder = { ...parts, fileName: 'store.js', code: 'export { open, close } from "./data.js";\n' }
  const renaming = { ...parts, fileName: 'other.js', code: 'export { open as openAll } from "./data.js";\n' }

  expect(removeForwarders([importer, forwarder, renaming])).toEqual([
    { ...importer, code: 'await import("./data.js")\n', dynamicImports: ['data.js'] },
    renaming,
  ])
})

test('modules of the data get a chunk of their own, below what uses them', () => {
  const module = (imports: string[] = [], lazyImports: string[] = []) => ({ imports, lazyImports })
  const graph = new Map([
    ['src/cli/program.ts', module(['src/api-error.ts'], ['src/cli/serve-command.ts', 'src/cli/user-commands.ts'])],
    ['src/cli/serve-command.ts', module(['src/store/json-file-store.ts', 'src/http/server.ts'])],
    ['src/cli/user-commands.ts', module(['src/store/json-file-store.ts', 'src/accounts/users.ts'])],
    [
      'src/http/server.ts',
      module(['src/accounts/users.ts'], ['src/pages/page.ts', 'src/store/postgres/open-postgres.ts']),
    ],
    ['src/pages/page.ts', module()],
    ['src/accounts/users.ts', module()],
    ['src/api-error.ts', module()],
    ['src/store/json-file-store.ts', module(['src/scheduling.ts'])],
    ['src/store/postgres/open-postgres.ts', module(['src/store/json-file-store.ts', 'node_modules/pg/index.js'])],
    ['src/scheduling.ts', module()],
    ['node_modules/pg/index.js', module()],
  ])

  expect(Object.fromEntries(assignChunks(graph))).toEqual({
    'src/cli/serve-command.ts': 'server',
    'src/http/server.ts': 'server',
    'src/cli/user-commands.ts': 'commands',
    'src/accounts/users.ts': 'shared',
    'src/api-error.ts': 'program-base',
    'src/pages/page.ts': 'pages',
    'src/store/json-file-store.ts': 'data',
    'src/scheduling.ts': 'core',
    'src/store/postgres/open-postgres.ts': 'postgres',
    'node_modules/pg/index.js': 'pg',
  })
})

test('a package without a license fails the build; others appear with their text', async () => {
  const folder = await createFiles({ LICENSE: 'Do as you like.', 'index.js': '' })
  const known = { folder, name: 'known', version: '1.0.0', license: 'MIT' }

  expect(describeLicenses([known])).toBe('known 1.0.0 (MIT)\n\nDo as you like.\n')
  expect(() => describeLicenses([known, { ...known, name: 'bare', license: undefined }])).toThrow(
    'bare 1.0.0 names no license',
  )
})

test('the built program lists the packages in it and their licenses', async () => {
  await buildProgram()
  const packages: { name: string; version: string; license: string }[] = JSON.parse(
    await readFile(join(dist, 'packages.json'), 'utf8'),
  )
  const licenses = await readFile(join(dist, 'licenses.txt'), 'utf8')

  expect(packages.map(({ name }) => name)).toEqual(expect.arrayContaining(['commander', 'koa', 'pg', 'pino']))
  expect(packages.map(({ name }) => name)).not.toContain('@node-rs/argon2')
  expect(packages.filter((one) => !licenses.includes(`${one.name} ${one.version} (${one.license})`))).toEqual([])
  expect(licenses).toContain('Permission is hereby granted')
})

test('each chunk of the built program finds the chunks and names that it imports', async () => {
  await buildProgram()
  const names = (await readdir(dist)).filter((name) => name.endsWith('.js'))
  const imported = await Promise.all(
    names.map(async (name) => {
      const code = await readFile(join(dist, name), 'utf8')
      return [...code.matchAll(/(?:from |import\(?)"\.\/([^"]+)"/g)].map(([, target = '']) => target)
    }),
  )

  expect([...new Set(imported.flat())].filter((name) => !names.includes(name))).toEqual([])
  for (const name of names.filter((one) => one !== 'program.js')) await import(join(dist, name))
})
