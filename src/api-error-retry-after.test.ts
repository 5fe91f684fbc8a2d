import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createErrorResponse } from './api/handle-request.ts'
import { ApiError, type ApiErrorKind, apiErrors } from './api-error.ts'
import { toPageError } from './pages/page-error.tsx'

const kinds = Object.keys(apiErrors) as ApiErrorKind[]
const busy = kinds.filter((kind) => apiErrors[kind].status === 429 || apiErrors[kind].status === 503)

test('every refusal that asks to come again says when, to apps and on pages', () => {
  const refused = busy.map((kind) => new ApiError(kind, { retryAfterSeconds: 7, max: 3 }))

  const answers = refused.map((refusal) => createErrorResponse(refusal).headers['retry-after'])
  const pages = refused.map((refusal) => toPageError(refusal)?.headers['retry-after'])

  const wanted = busy.map((kind) => (apiErrors[kind].status === 429 ? '7' : '30'))
  expect(busy.length).toBeGreaterThanOrEqual(7)
  expect(answers).toEqual(wanted)
  expect(pages).toEqual(wanted)
})

test('wherever somebody is asked to come again, it is said in how many seconds', () => {
  const folder = fileURLToPath(new URL('.', import.meta.url))
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )
  const asking = busy.filter((kind) => apiErrors[kind].status === 429)

  const thrown = files.flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(/new Refused\('(\w+)'([^;]*?)\)\n/g)].map(
      ([, kind = '', details = '']) => ({ name, kind, says: details.includes('retryAfterSeconds') }),
    ),
  )

  const ofThese = thrown.filter(({ kind }) => asking.some((one) => one === kind))
  expect(ofThese.length).toBeGreaterThanOrEqual(5)
  expect(ofThese.filter(({ says }) => !says)).toEqual([])
})
