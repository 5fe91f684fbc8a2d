import { expect, test } from 'vitest'
import { createOneTimeSecrets } from './cookies.ts'

const anna = { sessionSecret: 'the cookie of anna' }
const bert = { sessionSecret: 'the cookie of bert' }

test('any process shows a sealed secret, for five minutes, to the same browser only', () => {
  const clock = { now: 1_700_000_000_000 }
  const [one, two] = [createOneTimeSecrets(() => clock.now), createOneTimeSecrets(() => clock.now)]

  const key = one.seal(anna, 'a secret, ä')

  expect(key).toMatch(/^[\w-]+$/)
  expect(Buffer.from(key, 'base64url').toString('latin1')).not.toContain('secret')
  expect([two.find(anna, key), two.find(anna, key)]).toEqual(['a secret, ä', 'a secret, ä'])
  expect(two.find(bert, key)).toBeUndefined()
  expect(one.seal(anna, 'a secret, ä')).not.toBe(key)
  clock.now += 5 * 60 * 1000 + 1
  expect(two.find(anna, key)).toBeUndefined()
})

test.each([undefined, '', 'x', 'A'.repeat(37), 'A'.repeat(38), 'A'.repeat(200)])('%s shows nothing', (key) => {
  expect(createOneTimeSecrets(() => 0).find(anna, key)).toBeUndefined()
})
