import { hash, timingSafeEqual } from 'node:crypto'

/** The SHA-256 of a token or secret as base64url, 43 characters: all that is kept of it (contract, the access token). */
export const hashSecret = (secret: string): string => hash('sha256', secret, 'base64url')

/** Compares two hashes of `hashSecret` in a time that does not depend on where they differ. */
export const isSameHash = (one: string, other: string): boolean => {
  const bytes = Buffer.from(one)
  const otherBytes = Buffer.from(other)
  return bytes.length === otherBytes.length && timingSafeEqual(bytes, otherBytes)
}
