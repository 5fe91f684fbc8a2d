import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { openTestServer } from '../../test/support/open-test-server.ts'

const readPage = (path: string) => readFile(new URL(`../../docs/${path}`, import.meta.url), 'utf8')
const pages = await Promise.all(
  ['reference/javascript-client.md', 'how-to/clients/offline-client.md'].map(async (path) => ({
    path,
    text: await readPage(path),
  })),
)
const entry = fileURLToPath(new URL('index.ts', import.meta.url))
const indexedDbEntry = fileURLToPath(new URL('indexeddb.ts', import.meta.url))
const run = promisify(execFile)

/** The code of a page, in its order, with imports of this source. */
const readBlocks = (page: string, info: string): string[] =>
  [...page.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)]
    .filter(([, opening]) => opening === info)
    .map(([, , code = '']) =>
      code
        .replaceAll("'thingsync-client'", JSON.stringify(entry))
        .replaceAll("'thingsync-client/indexeddb'", JSON.stringify(indexedDbEntry)),
    )

const createFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-client-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  return folder
}

/** Runs the code of a page against a server of its own, and returns what it prints. */
const runPage = async (page: string): Promise<string> => {
  const server = await openTestServer()
  const folder = await createFolder()
  const code = readBlocks(page, 'ts')
    .join('\n')
    .replaceAll('https://things.example/v1/', server.baseUrl)
    .replaceAll('from the registration of your application', server.clientId)
    .replaceAll('from the same place', server.clientSecret)
  await writeFile(join(folder, 'page.ts'), code)

  const tsx = import.meta.resolve('tsx')
  const { stdout, stderr } = await run(process.execPath, ['--import', tsx, join(folder, 'page.ts')])
  expect(stderr).toBe('')
  return stdout
}

test('every block of the pages is code that one of the tests here takes, or a command', () => {
  for (const { text } of pages) {
    const infos = [...text.matchAll(/^```(.+)$/gm)].map(([, info]) => info)

    expect(new Set(infos)).toEqual(new Set(['sh', 'ts', 'ts browser']))
    expect(readBlocks(text, 'ts').length).toBeGreaterThan(5)
  }
})

test('the code of the reference does what the page says, in its order', async () => {
  const stdout = await runPage(await readPage('reference/javascript-client.md'))

  expect(stdout.split('\n')).toEqual(expect.arrayContaining(['Buy milk ☕ 2', '[] [] 2', 'https://example.com/']))
  expect(stdout).toContain(' of 2, ')
})

test('the code for an offline client does what the page says, in its order', async () => {
  const stdout = await runPage(await readPage('how-to/clients/offline-client.md'))

  expect(stdout).toContain('2 sent, 0 listed, 0 rejected')
  expect(stdout).toContain('edit: 1 things, 0 tags to draw')
  expect(stdout).toContain('1 of 1 sent')
  expect(stdout).toContain('live 0 wait')
  expect(stdout.trim().split('\n').at(-1)).toBe('true')
})

test.each(pages)('the code of $path has the types that it says, also what is for browsers', async ({ text }) => {
  const folder = await createFolder()
  await writeFile(join(folder, 'page.ts'), readBlocks(text, 'ts').join('\n'))
  for (const [index, code] of readBlocks(text, 'ts browser').entries()) {
    await writeFile(join(folder, `browser-${index}.ts`), code)
  }
  const config = {
    extends: fileURLToPath(new URL('../tsconfig.json', import.meta.url)),
    // Names that the page shows and does not use again are fine.
    compilerOptions: {
      rootDir: '/',
      rewriteRelativeImportExtensions: false,
      allowImportingTsExtensions: true,
      noUnusedLocals: false,
    },
    include: [folder],
    exclude: [],
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))

  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
  const { stdout } = await run(process.execPath, [tsc, '-p', folder]).catch((error: { stdout: string }) => error)

  expect(stdout).toBe('')
})
