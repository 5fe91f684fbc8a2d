import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const folders = '(?:src|test|client|conformance|scripts|web|bench|docs|packaging|contributing|sdk|generated)'

/** A path from the root, from the workspace or from the folder of the file that names it; of a folder with its last slash. */
const named = new RegExp(
  `(?<![\\w./@{}-])${folders}/(?:(?:[\\w.-]+/)*[\\w.-]+\\.(?:tsx?|cts|[mc]?js|md|sh|ya?ml|json|py|css|png|sql)\\b|(?:[\\w.-]+/)+(?=[\`\\s),]))`,
  'g',
)

/** Named, and made by a command, chosen by a reader, or to be added one day. */
const absent = [
  'web/dist/assets/app.js',
  'first.mjs',
  'docs/contract/releases/',
  'src/store/disk/migrate.ts',
  '002-name.sql',
  'sdk/typescript/client/models/index.ts',
]

/** Files that name paths of other projects, of a client that a reader generates, or made up ones. */
const speakOfOthers =
  /^(test\/(glossary|scripts\/(check-documents|module-sizes))\.test\.ts$|docs\/explanation\/comparison\.md|contributing\/comparison-sources\.md|docs\/how-to\/clients\/generate-an-sdk\.md|contributing\/sdk-generation\.md|test\/transfer\/samples\/README\.md$|scripts\/(sdk-matrix|sdk)\/|sdk\/first-scripts\/)/

const listFiles = (): readonly string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '' && existsSync(path))

test('each file that a document, a comment or a command names is there', () => {
  const files = listFiles().filter((path) =>
    /\.(md|tsx?|[mc]js|cts|sh|ya?ml|css)$|^\.ci\/run$|^package.json$/.test(path),
  )
  const missing = (path: string) =>
    [...readFileSync(path, 'utf8').matchAll(named)]
      .map(([name]) => name)
      .filter((name) => ![name, join(dirname(path), name), join(path.split('/', 1)[0] ?? '', name)].some(existsSync))
      .filter((name) => !absent.includes(name))
      .map((name) => `${path} names ${name}`)

  expect(files.length).toBeGreaterThan(1_000)
  expect(files.filter((path) => !speakOfOthers.test(path)).flatMap(missing)).toEqual([])
})

test('each source file that a document or a comment names between backticks is there, wherever it is', () => {
  const files = listFiles()
  const ends = files.map((path) => `/${path}`)
  const isThere = (name: string) => existsSync(name) || ends.some((end) => end.endsWith(`/${name}`))
  const named = files
    .filter((path) => /\.(md|tsx?|[mc]js|cts)$/.test(path) && !speakOfOthers.test(path))
    .flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/`([\w][\w./-]*\.(?:tsx?|cjs|mjs|sql))`/g)].map(([, name = '']) => ({
        path,
        name,
      })),
    )

  expect(named.length).toBeGreaterThan(200)
  expect(named.filter(({ name }) => !isThere(name) && !absent.includes(name))).toEqual([])
})

test('each picture is shown by a document, and each that is shown is there', () => {
  const documents = listFiles().filter((path) => path.endsWith('.md'))
  const shown = new Set(
    documents.flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/[\w./-]+\.(?:png|svg)\b/g)].map(([name]) => join(dirname(path), name)),
    ),
  )
  const there = readdirSync('docs/pictures').map((name) => `docs/pictures/${name}`)

  expect(there.filter((path) => !shown.has(path))).toEqual([])
  expect([...shown].filter((path) => path.startsWith('docs/pictures/') && !existsSync(path))).toEqual([])
})
