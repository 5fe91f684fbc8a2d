import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')

/** The rows of the table that begins with the columns status and error. */
const rowsOf = (markdown: string): string[] => {
  const [, rest = ''] = markdown.split('| status | error |')
  const lines = rest.split('\n').slice(1)
  return lines.slice(
    0,
    lines.findIndex((line) => !line.startsWith('|')),
  )
}

const document = parse(read('openapi.yaml'))

test('The page of errors has the table of errors of the document', () => {
  const rows = rowsOf(document.info.description)

  expect(rows.length).toBeGreaterThan(10)
  expect(rowsOf(read('docs/reference/errors.md'))).toEqual(rows)
})

test('Every code of an error is listed with what to do', () => {
  const listed = rowsOf(document.info.description).map((row) => row.match(/`(\w+)`/)?.[1])
  const codes: string[] = document.components.schemas.ErrorBody.properties.error.enum

  expect(codes.filter((code) => !listed.includes(code))).toEqual([])
})
