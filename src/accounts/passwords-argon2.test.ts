import * as crypto from 'node:crypto'
import { expect, test } from 'vitest'
import {
  findBuiltinArgon2,
  hashPassword,
  isCheckableHash,
  loadArgon2,
  loadPackagedArgon2,
  maxArgon2Cost,
  nobodysPasswordHash,
} from './passwords.ts'

const cost = { memoryCost: 64, timeCost: 2, parallelism: 2 }
const packaged = await loadPackagedArgon2()
const builtin = findBuiltinArgon2()
// A Node without argon2 tests the package against itself and against hashes of a newer Node.
const both = [packaged, builtin ?? packaged]
const madeByNode24 = '$argon2id$v=19$m=64,t=2,p=2$AQEBAQEBAQEBAQEBAQEBAQ$I2JZgxfXo2yzdomxmbAFNEgyWD1Q7m0wffMFsDvaHrE'

test('each implementation verifies the hashes of the other, of any text', async () => {
  for (const password of ['correct horse', '', 'pässwörd 🌶', 'x'.repeat(2000)]) {
    for (const [maker, verifier] of [both, [...both].reverse()]) {
      const hash = await maker?.hash(password, cost)

      expect(hash).toMatch(/^\$argon2id\$v=19\$m=64,t=2,p=2\$[\w+/]{22}\$[\w+/]{43}$/)
      expect(await verifier?.verify(String(hash), password)).toBe(true)
      expect(await verifier?.verify(String(hash), `${password}x`)).toBe(false)
    }
  }
})

test('the argon2 in use verifies a hash of Node 24', async () => {
  const used = await loadArgon2()

  expect(await used.verify(madeByNode24, 'correct horse')).toBe(true)
  expect(await packaged.verify(madeByNode24, 'correct horse')).toBe(true)
  expect(await packaged.verify(madeByNode24, 'correct hors')).toBe(false)
})

test('every Node that has argon2 uses its own', () => {
  expect(builtin !== undefined).toBe('argon2' in crypto)
})

test('a hash of another form is an error, not a wrong password', async () => {
  for (const argon2 of both)
    await expect(argon2.verify('5f4dcc3b5aa765d61d8327deb882cf99', 'password')).rejects.toThrow()
})

test('a hash above the maximum cost is rejected before it is computed', async () => {
  const hashOf = (memory: number, passes: number, parallelism: number) =>
    `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`
  const { memoryCost, timeCost, parallelism } = maxArgon2Cost
  // The first one took 2.7 GB, and had not ended after six seconds.
  const costly = [
    hashOf(4_194_304, 1000, 1),
    hashOf(memoryCost + 1, 1, 1),
    hashOf(64, timeCost + 1, 1),
    hashOf(1024, 1, parallelism + 1),
    hashOf(7, 1, 1),
    hashOf(64, 0, 1),
    hashOf(64, 1, 0),
    `${hashOf(64, 1, 1)}${'A'.repeat(1000)}`,
  ]

  for (const hash of costly) {
    expect(isCheckableHash(hash)).toBe(false)
    for (const argon2 of both) await expect(argon2.verify(hash, 'password')).rejects.toThrow('costs too much to check')
  }
  expect(isCheckableHash(hashOf(memoryCost, timeCost, parallelism))).toBe(true)
})

test('every hash that the program creates can be checked', async () => {
  expect([await hashPassword('correct horse'), nobodysPasswordHash, madeByNode24].map(isCheckableHash)).toEqual([
    true,
    true,
    true,
  ])
})
