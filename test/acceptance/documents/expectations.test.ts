import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

const root = new URL('../../../', import.meta.url)
const readText = (path: string) => readFile(new URL(path, root), 'utf8')

test('every expectation in the documents names a test that exists', async () => {
  const lines = (await readText('contributing/expectations.md'))
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
  const named = lines.map((line) => /\| `([^`]+)`: (.+) \|$/.exec(line)?.slice(1) ?? [])

  const missing = await Promise.all(
    named.map(async ([file = '', name = '']) =>
      name !== '' && (await readText(file)).includes(name) ? [] : [file, name],
    ),
  )

  expect(named.length).toBeGreaterThanOrEqual(20)
  expect(missing.flat()).toEqual([])
})
