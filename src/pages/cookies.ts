import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import { sealJson, sealKeyOf, unsealJson } from '../seal.ts'
import type { Site } from './site.ts'

/** What our cookies are for: `session` is who is signed in, `visitor` is a browser in which nobody is yet. */
type CookieKind = 'session' | 'visitor'

/** 30 days: how long a browser that nobody uses stays signed in (contract, the web flow: sign-in). */
const sessionCookieSeconds = 30 * 24 * 3600

/** Our cookies for one site. */
export interface CookieJar {
  /** The secrets in the cookies of a request, each once; of more than one any may be planted, of more than a few all are. */
  readonly read: (header: string | undefined, kind: CookieKind) => readonly string[]
  /** The value of a Set-Cookie header. */
  readonly write: (kind: CookieKind, secret: string) => string
  readonly clear: (kind: CookieKind) => string
}

/** Each is looked up, and whoever plants one may plant a few more. */
const maxCookiesPerKind = 20

const secretForm = /^[\w-]{43}$/

/**
 * Cookies are shared by all ports of a host, and by all paths that one may set: each server has names of its own. Behind
 * https the prefix `__Host-` keeps other hosts, and paths below ours, from setting them; it wants the path `/`. Without
 * https browsers know no such promise, and the path is that of our pages.
 */
export const createCookieJar = ({ origin, prefix, isSecure }: Site): CookieJar => {
  const mark = hash('sha256', origin + prefix, 'hex').slice(0, 8)
  const nameOf = (kind: CookieKind) =>
    `${isSecure ? '__Host-' : ''}thingsync-${mark}${kind === 'visitor' ? '-new' : ''}`
  const attributes = `; Path=${isSecure ? '/' : `${prefix}/`}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return {
    read: (header = '', kind) => {
      const begin = `${nameOf(kind)}=`
      const found = header
        .split(';')
        .map((part) => part.trim())
        .filter((part) => part.startsWith(begin))
        .map((part) => part.slice(begin.length))
        .filter((secret) => secretForm.test(secret))
      const secrets = [...new Set(found)]
      return secrets.length > maxCookiesPerKind ? [] : secrets
    },
    write: (kind, secret) =>
      `${nameOf(kind)}=${secret}${attributes}${kind === 'session' ? `; Max-Age=${sessionCookieSeconds}` : ''}`,
    clear: (kind) => `${nameOf(kind)}=${attributes}; Max-Age=0`,
  }
}

/**
 * The proof that a form was made for this browser: only who knows the secret of its cookie can make one. Each is another,
 * so that a page that is compressed with it gives nothing of it away by its length.
 */
export const createFormToken = (secret: string, nonce: string): string => `${nonce}.${sign(secret, nonce)}`

/** True for a proof that was made with this secret. */
export const isFormToken = (token: string, secret: string): boolean => {
  const [nonce = '', signature = ''] = token.split('.', 2)
  const [given, right] = [Buffer.from(signature), Buffer.from(sign(secret, nonce))]
  return given.length === right.length && timingSafeEqual(given, right)
}

const sign = (secret: string, nonce: string): string =>
  createHmac('sha256', secret).update(`form ${nonce}`).digest('base64url')

/** A request from a browser, by the secret in its cookie. */
interface BrowserRequest {
  readonly sessionSecret: string | undefined
}

/** Secrets that were just made, on their way to the page that shows them. */
export interface OneTimeSecrets {
  /** Seals a secret for the browser that is signed in; gives what to name in the address of the page that shows it. */
  readonly seal: (request: BrowserRequest, secret: string) => string
  /** Found for five minutes, so that a page that did not arrive can be loaded again. */
  readonly find: (request: BrowserRequest, key: string | undefined) => string | undefined
}

interface SealedSecret {
  readonly until: number
  readonly secret: string
}

const secretLifetimeMs = 5 * 60 * 1000
const sealPurpose = 'shown once'

const keyOf = ({ sessionSecret }: BrowserRequest): Buffer => {
  if (sessionSecret === undefined) throw new TypeError('nobody is signed in for whom a secret could be sealed')
  return sealKeyOf(sessionSecret)
}

/**
 * Forms lead on to another page, and an address must not hold a secret: it holds one that only the cookie of the browser
 * opens, of which the server keeps nothing. So any process shows what another one made. `now` is Unix time in milliseconds.
 */
export const createOneTimeSecrets = (now: () => number): OneTimeSecrets => ({
  seal: (request, secret) =>
    sealJson(keyOf(request), sealPurpose, { until: now() + secretLifetimeMs, secret } satisfies SealedSecret),
  find: (request, key) => {
    const kept =
      key === undefined ? undefined : (unsealJson(keyOf(request), sealPurpose, key) as SealedSecret | undefined)
    return kept === undefined || kept.until < now() ? undefined : kept.secret
  },
})
