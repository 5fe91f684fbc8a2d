import { expect, test } from 'vitest'
import { createLogTo } from './log.ts'

function openRecorder() {
  const lines: string[] = []
  return { lines, log: createLogTo({ write: (line) => lines.push(line) }, 'info') }
}

test('a value with the name of a secret is masked at any depth, and the rest stays', () => {
  const { lines, log } = openRecorder()

  log.info(
    { status: 200, user: 'u1', request_token: 'S3', headers: [{ Authorization: 'Bearer S3' }], tokens: 2 },
    'request',
  )

  expect(JSON.parse(lines[0] ?? '')).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-/),
    status: 200,
    user: 'u1',
    request_token: '[redacted]',
    headers: [{ Authorization: '[redacted]' }],
    tokens: 2,
    msg: 'request',
  })
})

test.each([
  ['GET /v1/sync?from=1&access_token=S3CRET&limit=2'],
  ['body was client_secret=S3CRET&username=u'],
  ['header Authorization: Bearer S3CRET rejected'],
  ['header authorization: access_token="S3CRET" rejected'],
  ['{"password": "S3CRET"}'],
])('a secret inside a text is masked: %s', (text) => {
  const { lines, log } = openRecorder()

  log.info({ url: text, err: new Error(text) }, text)
  log.info({ err: new Error('outside', { cause: new Error(text) }) })
  log.info(new Error(text))

  expect(lines.join('')).not.toContain('S3CRET')
  expect(lines.map((line) => JSON.parse(line).err.type)).toEqual(['Error', 'Error', 'Error'])
})

test('the code of an error and a count of tokens are no secrets', () => {
  const { lines, log } = openRecorder()

  log.error({ code: 'ENOSPC', tokens: 3, secret: true })

  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ code: 'ENOSPC', tokens: 3, secret: true })
})

test('a line is one line of JSON, whatever a client put into it', () => {
  const { lines, log } = openRecorder()

  log.warn({ title: 'a\nb\u2028"}{', __proto__: { x: 1 } }, 'odd')

  expect(lines[0]?.indexOf('\n')).toBe((lines[0]?.length ?? 0) - 1)
  expect(JSON.parse(lines[0] ?? '').title).toBe('a\nb\u2028"}{')
})

test('entries below the level are not written', () => {
  const { lines, log } = openRecorder()

  log.debug('small')

  expect(lines).toEqual([])
})
