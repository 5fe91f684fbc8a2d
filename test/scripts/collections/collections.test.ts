import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import {
  collectionPaths,
  readOperations,
  requests,
  writeCollections,
} from '../../../scripts/collections/write-collections.ts'

const profile = readFileSync('openapi.sdk.yaml', 'utf8')
const files = writeCollections(profile)

test('both collections have every operation once, and are what the document gives', () => {
  const operations = [...readOperations(parse(profile)).keys()]

  expect(requests.map(({ operation }) => operation).sort()).toEqual(operations.sort())
  expect([...files.keys()].filter((path) => path.endsWith('.bru')).length).toBe(operations.length + 1)
  // A file that is left of an older order would be run, too.
  const found = readdirSync(collectionPaths.bruno, { recursive: true, encoding: 'utf8' })
  const written = found.map((path) => join(collectionPaths.bruno, path)).filter((path) => path.endsWith('.bru'))
  expect(written.sort()).toEqual([...files.keys()].filter((path) => path.endsWith('.bru')).sort())
  expect(JSON.parse(files.get(collectionPaths.postman) ?? '').item.length).toBe(operations.length)
  for (const [path, text] of files) expect(readFileSync(path, 'utf8')).toBe(text)
})

test('a variable that is used was set, or is one of the settings', () => {
  const { item, variable } = JSON.parse(files.get(collectionPaths.postman) ?? '')
  const known = new Set(variable.map(({ key }: { key: string }) => key))

  for (const [index, { keep = {} }] of requests.entries()) {
    const used = [...JSON.stringify(item[index].request).matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name)
    expect(used.filter((name) => !known.has(name))).toEqual([])
    for (const name of Object.keys(keep)) known.add(name)
  }
})
