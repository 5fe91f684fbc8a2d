import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const map = readFileSync('contributing/architecture.md', 'utf8')

/** Lists the rows of the table below a heading of the map: the file, and the names in the last cell. */
const readTrace = (heading: string, folder = ''): readonly { readonly file: string; readonly names: string[] }[] => {
  const [, section = ''] = map.split(`## ${heading}\n`)
  const rows = section.split('\n## ')[0]?.matchAll(/^\| (?:\d|–) \| `([^`]+)` \| (.+) \|$/gm) ?? []
  return [...rows].map(([, file = '', text = '']) => ({
    file: join(folder, file),
    names: [...text.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name),
  }))
}

const listFiles = (trace: ReturnType<typeof readTrace>) => [...new Set(trace.map(({ file }) => file))]

const findMissing = (trace: ReturnType<typeof readTrace>) =>
  trace.flatMap(({ file, names }) => {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
    return names.filter((name) => !text.includes(name)).map((name) => `${file} lacks ${name}`)
  })

test('a listing passes through at most eight files outside the store, and each has the named functions', () => {
  const trace = readTrace('Trace 1: a listing')

  expect(listFiles(trace).length).toBeGreaterThan(4)
  expect(listFiles(trace).length).toBeLessThanOrEqual(8)
  expect(findMissing(trace)).toEqual([])
})

test('a write passes through at most six files of the store, and each has the named functions', () => {
  const trace = readTrace('Trace 2: a write', 'src/store')

  expect(listFiles(trace).length).toBeGreaterThan(4)
  expect(listFiles(trace).length).toBeLessThanOrEqual(6)
  expect(findMissing(trace)).toEqual([])
})

test('the map has fewer than 1,500 words', () => {
  expect(map.split(/\s+/).length).toBeLessThan(1_500)
})
