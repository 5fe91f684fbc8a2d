import { expect, test } from 'vitest'
import { isVerifierOf } from './authorize-request.ts'

// The example of RFC 7636, appendix B.
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

test('a verifier matches its S256 challenge and no other', () => {
  expect(isVerifierOf(challenge, verifier)).toBe(true)
  expect(isVerifierOf(challenge, `${verifier}x`)).toBe(false)
  expect(isVerifierOf(challenge, verifier.toLowerCase())).toBe(false)
})

test.each(['', challenge, 'x'.repeat(42), 'x'.repeat(129), `${verifier} `, `${verifier}\u0000`])(
  '%j is no verifier of it',
  (given) => {
    expect(isVerifierOf(challenge, given)).toBe(false)
  },
)

test('the method plain is never accepted', () => {
  expect(isVerifierOf(verifier, verifier)).toBe(false)
})
