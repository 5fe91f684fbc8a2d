import { hash, timingSafeEqual } from 'node:crypto'

/** True for text that can be an S256 challenge: the SHA-256 of something as base64url without padding (RFC 7636, 4.2). */
export const isChallenge = (text: string): boolean => /^[\w-]{43}$/.test(text)

const verifierForm = /^[\w.~-]{43,128}$/

/** True when the verifier is the one that an S256 challenge was made of (RFC 7636, 4.6). */
export const isVerifierOf = (challenge: string, verifier: string): boolean => {
  if (!verifierForm.test(verifier) || !isChallenge(challenge)) return false
  return timingSafeEqual(Buffer.from(hash('sha256', verifier, 'base64url')), Buffer.from(challenge))
}
