import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { compareClient, replaceClient } from './folder-of-client.ts'

const makeFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'thingsync-client-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}
const files = new Map([
  ['client/a.ts', 'a\n'],
  ['client/deep/b.ts', 'b\n'],
])

test('a client that was just written is fresh', () => {
  const folder = makeFolder()

  replaceClient(folder, ['client'], files)

  expect(compareClient(folder, ['client'], files)).toEqual([])
})

test('changed, missing and surplus files are each named', () => {
  const folder = makeFolder()
  replaceClient(folder, ['client'], files)
  writeFileSync(join(folder, 'client/a.ts'), 'edited\n')
  writeFileSync(join(folder, 'client/old.ts'), '')
  rmSync(join(folder, 'client/deep/b.ts'))

  expect(compareClient(folder, ['client'], files)).toEqual([
    `${folder}/client/old.ts is not generated any more`,
    `${folder}/client/a.ts is not what the profile gives`,
    `${folder}/client/deep/b.ts is missing`,
  ])
})

test('writing removes what is not generated any more, and nothing outside the kept folders', () => {
  const folder = makeFolder()
  replaceClient(folder, ['client'], new Map([['client/old.ts', '']]))
  writeFileSync(join(folder, 'wire.ts'), 'by hand\n')

  replaceClient(folder, ['client'], files)

  expect(compareClient(folder, ['client'], files)).toEqual([])
  expect(readFileSync(join(folder, 'wire.ts'), 'utf8')).toBe('by hand\n')
})
