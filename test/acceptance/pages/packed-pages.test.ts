import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const project = fileURLToPath(new URL('../../..', import.meta.url))
const { files }: { files: readonly string[] } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))

const isPacked = (path: string): boolean =>
  files.some(
    (name) => path === name || path.startsWith(`${name}/`) || (name === 'docs/*.md' && /^docs\/[^/]+\.md$/.test(path)),
  )

/** For those who read the source: they are larger than all pages together. */
const isForReadersOfTheSource = (path: string): boolean => /^docs\/(pictures|benchmarks|contract)(\/|$)/.test(path)

test('the samples that pages lead to are in the packages as the pages are', () => {
  const inDocs = readdirSync(join(project, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`)
  const pages = ['SECURITY.md', ...inDocs].filter((name) => name.endsWith('.md') && !isForReadersOfTheSource(name))

  const targets = pages.flatMap((page) =>
    [...readFileSync(join(project, page), 'utf8').matchAll(/\]\((?![a-z]+:)([^)#\s]+)/g)].map((link) =>
      normalize(join(dirname(page), link[1] ?? '')),
    ),
  )
  const samples = [...new Set(targets)].filter((path) => path.startsWith('docs/') && !isForReadersOfTheSource(path))

  expect(samples.length).toBeGreaterThan(20)
  expect(samples.filter((path) => !isPacked(path))).toEqual([])
  expect(isPacked('SECURITY.md')).toBe(true)
})
