import { expect, test } from 'vitest'
import { readJsonItems } from './json.ts'

test('a value that is too long for a string ends the reading and is reported with its line', async () => {
  async function* file() {
    yield '{"things":[\n{"title":"Milk"},\n"'
    const part = 'x'.repeat(0x100_0000)
    for (let count = 0; count < 40; count++) yield part
    yield '"]}'
  }
  const found = []
  for await (const item of readJsonItems(file(), (path, key) => path.length === 0 && key === 'things')) found.push(item)

  expect(found).toEqual([
    { line: 2, piece: { path: ['things'], key: 0, value: { title: 'Milk' } } },
    { line: 3, broken: 'this value is longer than any thing may be; it and what follows was not read' },
  ])
})
