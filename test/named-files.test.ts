import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const rooms = ['src', 'test', 'scripts', 'bench', 'web', 'conformance', 'client', 'generated']

const listFiles = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (/^(node_modules|dist)$/.test(entry.name)) return []
    return entry.isDirectory() ? listFiles(path) : [path]
  })

test('each source file that the architecture names is there', () => {
  const page = readFileSync('docs/architecture.md', 'utf8')
  const named = new Set([...page.matchAll(/`([\w./-]+\.(?:tsx?|cjs|sql))`/g)].map(([, name = '']) => name))
  const files = rooms.flatMap(listFiles).map((path) => `/${path}`)

  expect(named.size).toBeGreaterThan(50)
  expect(
    [...named].filter((name) => !name.startsWith('.') && !files.some((file) => file.endsWith(`/${name}`))),
  ).toEqual([])
})
