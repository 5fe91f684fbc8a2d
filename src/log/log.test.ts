import { spawnSync } from 'node:child_process'
import { afterAll, expect, test, vi } from 'vitest'
import { bundleModules } from '../../test/support/bundle-modules.ts'
import { createLogTo, findDirectOutput, gatherLines } from './log.ts'

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

test.each([
  '1970-01-01T00:00:00.000Z',
  '2026-11-27T23:59:59.999Z',
  '2026-11-28T00:00:00.007Z',
  '1969-12-31T23:59:58.050Z',
])('a line past pino has the time of its millisecond: %s', (time) => {
  const { lines, log } = openRecorder()
  const write = findDirectOutput(log)
  vi.useFakeTimers({ now: Date.parse(time) })
  try {
    write?.(',"a":1')
    vi.setSystemTime(Date.parse(time) + 1)
    write?.('')
  } finally {
    vi.useRealTimers()
  }

  expect(lines).toEqual([
    `{"level":"info","time":"${time}","a":1}\n`,
    `{"level":"info","time":"${new Date(Date.parse(time) + 1).toISOString()}"}\n`,
  ])
})

test('the child of a log and a log of others have no output for lines past pino', () => {
  const { log } = openRecorder()

  expect(findDirectOutput(log)).toBeTypeOf('function')
  expect(findDirectOutput(log.child({ part: 'a' }))).toBeUndefined()
})

function openGathered() {
  const written: string[] = []
  const output = { write: (lines: string) => void written.push(lines), flushSync: () => void written.push('sync') }
  return { written, lines: gatherLines(output) }
}

test('the lines of 20 ms are written together, in their order', () => {
  vi.useFakeTimers()
  const { written, lines } = openGathered()
  try {
    lines.write('a\n')
    vi.advanceTimersByTime(19)
    lines.write('b\n')
    expect(written).toEqual([])
    vi.advanceTimersByTime(1)
    lines.write('c\n')
    vi.advanceTimersByTime(20)
  } finally {
    vi.useRealTimers()
  }

  expect(written).toEqual(['a\nb\n', 'c\n'])
})

test('a fatal line, the end of the process, and 16 KiB of lines do not wait', () => {
  const { written, lines } = openGathered()
  const long = 'x'.repeat(16 * 1024)

  lines.write('a\n')
  lines.flushSync()
  lines.write('b\n')
  lines.flush()
  lines.write(long)
  lines.write('c\n')

  expect(written).toEqual(['a\n', 'sync', 'b\n', `${long}c\n`])
})

test('lines for a closed output are dropped', () => {
  const { written, lines } = openGathered()
  const closed: string[] = []
  const destroyed = gatherLines({
    write: (text) => void closed.push(text),
    flushSync: () => undefined,
    destroyed: true,
  })

  lines.write('a\n')
  lines.flush()
  destroyed.write('b\n')
  destroyed.flush()

  expect([written, closed]).toEqual([['a\n'], []])
})

const modules = await bundleModules(['log/log.ts'])
afterAll(modules.remove)

test.each([
  ['has nothing left to do', ''],
  ['exits', 'process.exit()'],
  ['ends by an error', 'throw new Error("x")'],
])('the lines of a process that %s right after them are written', (_how, end) => {
  const script = `
    import { createLog } from '${modules.urlOf('log/log.ts')}'
    const log = await createLog({ logLevel: 'info', logFormat: 'json' })
    log.info('first')
    await new Promise((resolve) => setTimeout(resolve, 50))
    log.info('last')
    ${end}`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' })
  const messages = stdout.split('\n').filter((line) => line !== '')

  expect(messages.map((line) => JSON.parse(line).msg)).toEqual(['first', 'last'])
})
