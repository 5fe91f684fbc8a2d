import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createErrorResponse } from './api/handle-request.ts'
import { ApiError, type ApiErrorKind, apiErrors } from './api-error.ts'
import { toPageError } from './pages/page-error.tsx'

const kinds = Object.keys(apiErrors) as ApiErrorKind[]
const busy = kinds.filter((kind) => apiErrors[kind].status === 429 || apiErrors[kind].status === 503)

test('every error that requires a retry has Retry-After, in the API and on pages', () => {
  const errors = busy.map((kind) => new ApiError(kind, { retryAfterSeconds: 7, max: 3 }))

  const responses = errors.map((error) => createErrorResponse(error).headers['retry-after'])
  const pages = errors.map((error) => toPageError(error)?.headers['retry-after'])

  const wanted = busy.map((kind) => (apiErrors[kind].status === 429 ? '7' : '30'))
  expect(busy.length).toBeGreaterThanOrEqual(7)
  expect(responses).toEqual(wanted)
  expect(pages).toEqual(wanted)
})

test('every error 429 that is thrown gives the seconds to wait', () => {
  const folder = fileURLToPath(new URL('.', import.meta.url))
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )
  const retryKinds = busy.filter((kind) => apiErrors[kind].status === 429)

  const thrown = files.flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(/new ApiError\('(\w+)'([^;]*?)\)\n/g)].map(
      ([, kind = '', details = '']) => ({ name, kind, hasSeconds: details.includes('retryAfterSeconds') }),
    ),
  )

  const retryErrors = thrown.filter(({ kind }) => retryKinds.some((known) => known === kind))
  expect(retryErrors.length).toBeGreaterThanOrEqual(5)
  expect(retryErrors.filter(({ hasSeconds }) => !hasSeconds)).toEqual([])
})
