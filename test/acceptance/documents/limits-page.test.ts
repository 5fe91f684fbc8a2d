import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createLimits } from '../../../src/api/limits.ts'

const page = await readFile(new URL('../../../docs/reference/limits.md', import.meta.url), 'utf8')

const showValue = (value: number): string => {
  if (value % (1024 * 1024) === 0) return `${value / 1024 / 1024} MiB`
  if (value % 1024 === 0) return `${value / 1024} KiB`
  return value.toLocaleString('en-US')
}

test('the page of limits has each limit of requests with its default value', () => {
  const limits = createLimits()
  // The page shows this value as a multiple of another one.
  const shown = Object.entries(limits).filter(([name]) => name !== 'maxUserBytes')

  const missing = shown.filter(([name, value]) => {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\` |`)) ?? ''
    return !row.split(' | ')[2]?.match(new RegExp(`^${showValue(value)}\\b`))
  })
  expect(missing).toEqual([])
  expect(limits.maxUserBytes).toBe(4 * limits.maxBodyBytes)
  expect(page).toContain('| 4 × `maxBodyBytes` |')
})
