import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rows } from '../../../scripts/sdk-matrix/rows.ts'

const scripts = 'sdk/first-scripts'
const pinFiles = ['package.json', 'constraints.txt', 'go.mod', 'Cargo.toml']

test('every row that runs has a project of its own, and no two rows have the same name', () => {
  const lonely = rows.filter(({ name, run }) => existsSync(join(scripts, name)) !== (run !== undefined))

  expect(lonely.map(({ name }) => name)).toEqual([])
  expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length)
})

test('what a script says otherwise for the wire document is in the script', () => {
  const removed = rows.flatMap(({ name, onWire }) => {
    if (onWire === undefined) return []
    const script = readFileSync(join(scripts, name, onWire.script), 'utf8')
    return Object.keys(onWire.spelled).filter((text) => !script.includes(text))
  })

  expect(removed).toEqual([])
})

test('the version of a generator that a project installs is the one in the table', () => {
  const installed = rows.filter(
    ({ generator, run }) => run !== undefined && !generator.startsWith('openapi-generator '),
  )
  const wrong = installed.filter(({ name, version }) => {
    const files = pinFiles.map((file) => join(scripts, name, file)).filter((path) => existsSync(path))
    return !files.some((path) => new RegExp(`${name}.*[ "=v]${version}\\b`).test(readFileSync(path, 'utf8')))
  })

  expect(wrong.map(({ name }) => name)).toEqual([])
})

test('packages of npm are pinned to one version each', () => {
  const loose = rows.flatMap(({ name }) => {
    const path = join(scripts, name, 'package.json')
    if (!existsSync(path)) return []
    const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(path, 'utf8'))
    return Object.entries({ ...dependencies, ...devDependencies }).filter(([, range]) => !/^\d/.test(String(range)))
  })

  expect(loose).toEqual([])
})

test('the page about SDK generation has a row for each generator', () => {
  const page = readFileSync('contributing/sdk-generation.md', 'utf8')
  const absent = rows.filter(
    ({ generator, version }) => !new RegExp(`\\| \\[?${generator}\\b.*\\| ${version} \\|`).test(page),
  )

  expect(absent.map(({ name }) => name)).toEqual([])
})
