import { expect, onTestFinished, test, vi } from 'vitest'
import { formatAgo, formatSince } from './format-date.ts'

test('formatSince names today and yesterday, and other days by their date, without seconds', () => {
  // Node 20 has no `navigator.languages`.
  vi.stubGlobal('navigator', { languages: ['en-GB'] })
  onTestFinished(() => void vi.unstubAllGlobals())
  const now = new Date(2026, 10, 22, 19, 30).getTime()

  const today = formatSince(new Date(2026, 10, 22, 9, 5, 7).getTime(), 'en', now)
  const yesterday = formatSince(new Date(2026, 10, 21, 23, 59).getTime(), 'en', now)
  const lastWeek = formatSince(new Date(2026, 10, 15, 9, 5, 7).getTime(), 'en', now)

  expect(today).toBe('Today 09:05')
  expect(yesterday).toBe('Yesterday 23:59')
  expect(lastWeek).toContain('15')
  expect(lastWeek).toContain('2026')
  expect(lastWeek).toMatch(/\b0?9:05/u)
})

test('formatAgo names the largest whole unit, and at least a minute', () => {
  vi.stubGlobal('navigator', { languages: ['en-GB'] })
  onTestFinished(() => void vi.unstubAllGlobals())
  const day = 86_400

  expect([5, 3_700, day, 22 * day, 400 * day, -day].map((since) => formatAgo(1e9 - since, 'en', 1e9))).toEqual([
    '1 minute ago',
    '1 hour ago',
    'yesterday',
    '3 weeks ago',
    'last year',
    '1 minute ago',
  ])
})
