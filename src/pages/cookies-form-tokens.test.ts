import { expect, test } from 'vitest'
import { systemEnvironment } from '../environment.ts'
import { createFormToken, isFormToken } from './cookies.ts'

test('a form token works for its browser and no other', () => {
  const [mine, other] = [systemEnvironment.newSecret(), systemEnvironment.newSecret()]
  const token = createFormToken(mine, systemEnvironment.newId())

  expect([isFormToken(token, mine), isFormToken(token, other)]).toEqual([true, false])
})

test('each form has a different token', () => {
  const secret = systemEnvironment.newSecret()

  expect(createFormToken(secret, systemEnvironment.newId())).not.toBe(
    createFormToken(secret, systemEnvironment.newId()),
  )
})

test.each(['', '.', 'x', 'x.y', '..', 'ä.ö', 'a'.repeat(100_000)])('a guess is no token: %.20s', (guess) => {
  expect(isFormToken(guess, systemEnvironment.newSecret())).toBe(false)
})

test('a token with another nonce is invalid', () => {
  const secret = systemEnvironment.newSecret()
  const [, signature] = createFormToken(secret, 'one').split('.')

  expect(isFormToken(`two.${signature}`, secret)).toBe(false)
})
