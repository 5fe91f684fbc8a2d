import { expect, test } from 'vitest'
import { systemEnvironment } from './environment.ts'

test('ids are 20 letters and digits, and each of the 62 is about equally likely', () => {
  const ids = Array.from({ length: 5_000 }, systemEnvironment.newId)

  const counts = new Map<string, number>()
  for (const character of ids.join('')) counts.set(character, (counts.get(character) ?? 0) + 1)
  const expected = (5_000 * 20) / 62
  expect(ids.every((id) => /^[0-9A-Za-z]{20}$/.test(id))).toBe(true)
  expect(new Set(ids).size).toBe(5_000)
  expect(counts.size).toBe(62)
  expect(Math.min(...counts.values())).toBeGreaterThan(expected * 0.8)
  expect(Math.max(...counts.values())).toBeLessThan(expected * 1.2)
})

test('a secret is 32 random bytes as base64url', () => {
  const secrets = Array.from({ length: 100 }, systemEnvironment.newSecret)

  expect(secrets.every((secret) => Buffer.from(secret, 'base64url').length === 32)).toBe(true)
  expect(new Set(secrets).size).toBe(100)
})
