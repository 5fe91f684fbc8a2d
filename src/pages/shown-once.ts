import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'
import type { SignedInRequest } from './page.ts'

/** Secrets that were just made, on their way to the page that shows them. */
export interface ShownOnce {
  /** Seals a secret for the browser that is signed in; gives what to name in the address of the page that shows it. */
  readonly keep: (request: Pick<SignedInRequest, 'sessionSecret'>, secret: string) => string
  /** Found for five minutes, so that a page that did not arrive can be loaded again. */
  readonly find: (request: Pick<SignedInRequest, 'sessionSecret'>, key: string | undefined) => string | undefined
}

const keptMs = 5 * 60 * 1000
const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

const keyOf = ({ sessionSecret }: Pick<SignedInRequest, 'sessionSecret'>): Buffer => {
  if (sessionSecret === undefined) throw new TypeError('nobody is signed in for whom a secret could be sealed')
  return hash('sha256', `shown once ${sessionSecret}`, 'buffer')
}

const open = (key: Buffer, sealed: Buffer): string | undefined => {
  if (sealed.length <= ivBytes + tagBytes) return undefined
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, ivBytes), { authTagLength: tagBytes })
  decipher.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes))
  const text = decipher.update(sealed.subarray(ivBytes + tagBytes), undefined, 'utf8')
  try {
    return text + decipher.final('utf8')
  } catch (error) {
    // Sealed by another browser, or by nobody.
    if (error instanceof Error && /unable to authenticate data/.test(error.message)) return undefined
    throw error
  }
}

/**
 * Forms lead on to another page, and an address must not hold a secret: it holds one that only the cookie of the browser
 * opens, of which the server keeps nothing. So any process shows what another one made. `now` is Unix time in milliseconds.
 */
export const createShownOnce = (now: () => number): ShownOnce => ({
  keep: (request, secret) => {
    const iv = randomBytes(ivBytes)
    const cipher = createCipheriv(algorithm, keyOf(request), iv, { authTagLength: tagBytes })
    const text = Buffer.concat([cipher.update(`${now() + keptMs} ${secret}`, 'utf8'), cipher.final()])
    return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')
  },
  find: (request, key) => {
    if (key === undefined) return undefined
    const [, until, secret] = /^(\d+) (.*)$/s.exec(open(keyOf(request), Buffer.from(key, 'base64url')) ?? '') ?? []
    return secret === undefined || Number(until) < now() ? undefined : secret
  },
})
