import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createLogTo } from '../log/log.ts'
import { describeFailedAttempt, type FailedAttempt } from './login-attempts.ts'

/**
 * The failregex of docs/fail2ban/filter.conf, with the pattern that fail2ban inserts for the address, and without the
 * date that it removes.
 */
const readFailRegex = async (): Promise<RegExp> => {
  const page = await readFile(new URL('../../docs/fail2ban/filter.conf', import.meta.url), 'utf8')
  const pattern = /^failregex = (.*)$/m.exec(page)?.[1] ?? 'none'
  return new RegExp(pattern.replace('<ADDR>', '(?<address>[0-9a-f.:]+)'))
}

const log = (failure: FailedAttempt): string => {
  const lines: string[] = []
  createLogTo({ write: (text) => void lines.push(text) }, 'info').warn(
    { requestId: failure.requestId },
    describeFailedAttempt(failure),
  )
  return lines.join('')
}

test.each<[FailedAttempt, string | undefined]>([
  [{ address: '203.0.113.7', reason: 'password', username: 'anna' }, '203.0.113.7'],
  [{ address: '::ffff:203.0.113.7', reason: 'password', username: 'Jos\u00e9 da Silva' }, '203.0.113.7'],
  [{ address: '2001:db8::7', reason: 'password', username: 'anna' }, '2001:db8::7'],
  [{ address: '203.0.113.7', reason: 'client' }, '203.0.113.7'],
  [{ address: '203.0.113.7', reason: 'client', requestId: 'job-7' }, '203.0.113.7'],
  [{ address: '203.0.113.7', reason: 'request_token' }, undefined],
  [{ address: '203.0.113.7', reason: 'limit', username: 'anna' }, undefined],
  [{ address: '', reason: 'password', username: 'anna' }, undefined],
])('the failregex of the documents finds the address in the log: %j', async (failure, address) => {
  const found = (await readFailRegex()).exec(log(failure))

  expect(found?.groups?.address).toBe(address)
})

test.each([
  'x","msg":"sign-in failed from 198.51.100.1: reason=password user=y',
  'x\nsign-in failed from 198.51.100.1: reason=password user=y',
  '\u202egnp.exe \u0000\u2028{"level":"warn"}',
  'n'.repeat(1_000_000),
])('the line of any name is one line, is short, and names the right address: %.40j', async (username) => {
  const line = log({ address: '203.0.113.7', reason: 'password', username })

  const { msg } = JSON.parse(line)
  expect((await readFailRegex()).exec(line)?.groups?.address).toBe('203.0.113.7')
  expect(msg).toMatch(/^sign-in failed from 203\.0\.113\.7: reason=password user=[\p{L}\p{N}._@+?-]{1,64}$/u)
  expect(line.indexOf('\n')).toBe(line.length - 1)
})
