import { expect, test } from 'vitest'
import type { Row } from '../../../scripts/sdk-matrix/rows.ts'
import { explainFailure, putTable, renderTable } from '../../../scripts/sdk-matrix/run-row.ts'

const row: Row = {
  name: 'go',
  generator: 'gen go',
  version: '1.2.3',
  language: 'Go',
  generate: () => [],
  needs: [],
  build: [],
  run: ['build/first-script'],
}

test('a row says how far it came with each document, and why not farther', () => {
  const table = renderTable([
    { row, outcomes: { sdk: { reached: 'everything' }, wire: { reached: 'compiled', why: 'a | b' } } },
  ])

  expect(table.split('\n').slice(2)).toEqual([
    '| [gen go](../sdk/first-scripts/go) | 1.2.3 | Go | yes | compiles | wire document: a \\| b |',
    '',
    'Of 1 generators 1 run the whole script from the SDK document and 0 from the wire document.',
  ])
})

test('the table is written between its marks, and a page without them is an error', () => {
  const page = 'before\n<!-- matrix: written by npm run sdk:matrix -->\nold\n<!-- end of matrix -->\nafter\n'

  expect(putTable(page, 'new')).toBe(
    'before\n<!-- matrix: written by npm run sdk:matrix -->\n\nnew\n\n<!-- end of matrix -->\nafter\n',
  )
  expect(() => putTable('before', 'new')).toThrow('has no marks for the matrix')
})

test('a failure is explained by the reason that is known for it, else by the first line that looks like an error', () => {
  const ran = { succeeded: false, output: 'one\n  error: no such field\n', errors: 'npm warn error\nreading\n' }

  expect(explainFailure(row, ran)).toBe('error: no such field')
  expect(explainFailure({ reasons: [{ printed: /no such/, because: 'unions' }] }, ran)).toBe('unions')
})
