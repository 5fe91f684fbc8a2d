import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createConcurrencyLimiter } from '../scheduling.ts'
import { hashPassword, nobodysPasswordHash, verifyPassword } from './passwords.ts'
import { hashSecret, isSameHash } from './sessions.ts'

test('a password is kept as argon2id with its cost and a salt of its own', async () => {
  const hashes = [await hashPassword('correct horse'), await hashPassword('correct horse')]

  for (const hash of hashes) expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[^$]{22}\$[^$]{43}$/)
  expect(hashes[0]).not.toBe(hashes[1])
  expect(await verifyPassword('correct horse', hashes[0])).toBe(true)
  expect(await verifyPassword('correct hors', hashes[0])).toBe(false)
})

test('an unknown user costs a whole hash and is never right', async () => {
  const cost = (hash: string) => hash.split('$').slice(0, 4)
  expect(cost(nobodysPasswordHash)).toEqual(cost(await hashPassword('')))

  expect(await verifyPassword('')).toBe(false)
  expect(await verifyPassword('correct horse')).toBe(false)
})

test('no password is right for a hash that cannot be computed', async () => {
  const costly = nobodysPasswordHash.replace(/m=\d+,t=\d+/, 'm=4194304,t=1000')

  for (const hash of [costly, '', '5f4dcc3b5aa765d61d8327deb882cf99'])
    expect(await verifyPassword('correct horse', hash)).toBe(false)
})

test('at most two jobs run at once, in order, and a failed job frees its slot', async () => {
  const run = createConcurrencyLimiter(2)
  const begun: number[] = []
  let running = 0
  let max = 0

  const results = await Promise.allSettled(
    [0, 1, 2, 3, 4, 5, 6].map((number) =>
      run(async () => {
        begun.push(number)
        max = Math.max(max, ++running)
        await sleep(2)
        running--
        if (number % 2 === 0) throw new Error(`${number}`)
        return number
      }),
    ),
  )

  expect(max).toBe(2)
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect(results.map(({ status }) => status === 'fulfilled')).toEqual([false, true, false, true, false, true, false])
  expect(await run(async () => 'free')).toBe('free')
})

test('hashes are compared completely, and nothing equals an absent hash', () => {
  const hash = hashSecret('secret')

  expect(hash).toMatch(/^[\w-]{43}$/)
  expect(isSameHash(hash, hashSecret('secret'))).toBe(true)
  expect(isSameHash(hash, hashSecret('secreT'))).toBe(false)
  expect(isSameHash(hash, '')).toBe(false)
})
