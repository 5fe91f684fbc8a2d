import { expect, test } from 'vitest'
import { systemWorld } from '../world.ts'
import { isFormToken, makeFormToken } from './csrf.ts'

test('a token holds for the browser that it was made for, and no other', () => {
  const [mine, other] = [systemWorld.newSecret(), systemWorld.newSecret()]
  const token = makeFormToken(mine, systemWorld.newId())

  expect([isFormToken(token, mine), isFormToken(token, other)]).toEqual([true, false])
})

test('each form has another token', () => {
  const secret = systemWorld.newSecret()

  expect(makeFormToken(secret, systemWorld.newId())).not.toBe(makeFormToken(secret, systemWorld.newId()))
})

test.each(['', '.', 'x', 'x.y', '..', 'ä.ö', 'a'.repeat(100_000)])('a guess is no token: %.20s', (guess) => {
  expect(isFormToken(guess, systemWorld.newSecret())).toBe(false)
})

test('a token whose nonce was exchanged is none', () => {
  const secret = systemWorld.newSecret()
  const [, signature] = makeFormToken(secret, 'one').split('.')

  expect(isFormToken(`two.${signature}`, secret)).toBe(false)
})
