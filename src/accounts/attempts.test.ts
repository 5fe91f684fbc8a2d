import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type RefusalKind, Refused } from '../refused.ts'
import { createAttempts } from './attempts.ts'

const limits = { perAccount: 3, perAddress: 5, windowSeconds: 60 }
const fail = (kind: RefusalKind) => () => Promise.reject(new Refused(kind))
const succeed = () => Promise.resolve('granted')
const kindOf = (result: Promise<unknown>) =>
  result.then(
    () => 'granted',
    (error: unknown) => (error instanceof Refused ? error.kind : error),
  )

test('after too many failures an account is closed from everywhere, with the time to wait, before any work', async () => {
  const { run } = createAttempts(limits)
  let worked = 0
  const tries = ['a', 'b', 'c', 'd'].map((address) => run({ address, username: 'anna' }, fail('passwordInvalid')))
  expect(await Promise.all(tries.map(kindOf))).toEqual([...Array(3).fill('passwordInvalid'), 'tooManyAttempts'])

  const refused = run({ address: 'e', username: 'anna' }, async () => worked++)

  await expect(refused).rejects.toMatchObject({ kind: 'tooManyAttempts', details: { retryAfterSeconds: 60 } })
  expect(worked).toBe(0)
  expect(await run({ address: 'e', username: 'berta' }, succeed)).toBe('granted')
})

test('after too many failures of any kind an address is closed for every account', async () => {
  const { run } = createAttempts(limits)
  const kinds = ['clientInvalid', 'requestTokenInvalid', 'passwordInvalid', 'clientInvalid', 'passwordInvalid'] as const
  for (const [index, kind] of kinds.entries()) await kindOf(run({ address: 'a', username: `user${index}` }, fail(kind)))

  expect(await kindOf(run({ address: 'a', username: 'anna' }, succeed))).toBe('tooManyAttempts')
  expect(await kindOf(run({ address: 'a' }, succeed))).toBe('tooManyAttempts')
  expect(await kindOf(run({ address: 'b', username: 'anna' }, succeed))).toBe('granted')
})

test('a success clears the account, not the address', async () => {
  const { run } = createAttempts(limits)
  const anna = { address: 'a', username: 'anna' }
  const kinds: unknown[] = []
  for (const work of [fail('passwordInvalid'), fail('passwordInvalid'), succeed])
    kinds.push(await kindOf(run(anna, work)))
  for (let time = 0; time < 3; time++) kinds.push(await kindOf(run(anna, fail('passwordInvalid'))))

  expect(kinds).toEqual([...Array(2).fill('passwordInvalid'), 'granted', ...Array(3).fill('passwordInvalid')])
  expect(await kindOf(run({ address: 'a', username: 'berta' }, succeed))).toBe('tooManyAttempts')
})

test('many attempts at once get no more guesses than one after the other', async () => {
  const { run } = createAttempts(limits)
  let guesses = 0
  const guess = async () => {
    guesses++
    await sleep(1)
    throw new Refused('passwordInvalid')
  }

  await Promise.all(Array.from({ length: 50 }, (_, i) => kindOf(run({ address: `${i}`, username: 'anna' }, guess))))
  expect(guesses).toBe(3)
  await Promise.all(Array.from({ length: 50 }, (_, i) => kindOf(run({ address: 'x', username: `${i}` }, guess))))
  expect(guesses).toBe(3 + 5)
})

test('faults and other refusals do not count', async () => {
  const { run } = createAttempts(limits)
  const anna = { address: 'a', username: 'anna' }

  for (let time = 0; time < 10; time++) {
    expect(await kindOf(run(anna, fail('storeUnavailable')))).toBe('storeUnavailable')
    expect(await kindOf(run(anna, () => Promise.reject('disk gone')))).toBe('disk gone')
  }

  expect(await run(anna, succeed)).toBe('granted')
})

test('a closed account opens again when the time has passed', async () => {
  const { run } = createAttempts({ ...limits, windowSeconds: 1 })
  const anna = { address: 'a', username: 'anna' }
  for (let time = 0; time < 3; time++) await kindOf(run(anna, fail('passwordInvalid')))
  expect(await kindOf(run(anna, succeed))).toBe('tooManyAttempts')

  await sleep(1_050)

  expect(await run(anna, succeed)).toBe('granted')
})
