import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import { sealJson, sealKeyOf, unsealJson } from '../seal.ts'
import type { Site } from './site.ts'

/** The kinds of cookies: `session` for a signed-in user, `visitor` for a browser without one. */
type CookieKind = 'session' | 'visitor'

/** 30 days: how long an unused browser stays signed in (contract, authorization code flow: sign-in). */
const sessionCookieSeconds = 30 * 24 * 3600

/** Reads and writes the cookies of one site. */
export interface CookieJar {
  /**
   * Reads the secrets in the cookies of a request, without duplicates. Of several, any may be planted; it ignores more
   * than 20.
   */
  readonly read: (header: string | undefined, kind: CookieKind) => readonly string[]
  /** Formats the value of a Set-Cookie header. */
  readonly write: (kind: CookieKind, secret: string) => string
  /** Formats the value of a Set-Cookie header that removes the cookie. */
  readonly clear: (kind: CookieKind) => string
}

/** The server looks each secret up, and an attacker who plants one cookie can plant more. */
const maxCookiesPerKind = 20

const secretForm = /^[\w-]{43}$/

/**
 * Creates the cookie jar of a site. All ports of a host share cookies, so each server has its own cookie names. With
 * https, the prefix `__Host-` keeps other hosts and other paths from setting them; it requires the path `/`. Without
 * https there is no such protection, and the path is the path prefix of the server.
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
 * Creates a form token (against CSRF): only a server that knows the secret of the cookie can create it. Each token
 * differs, so that the length of a compressed page reveals nothing about it (BREACH).
 */
export const createFormToken = (secret: string, nonce: string): string => `${nonce}.${sign(secret, nonce)}`

/** True for a form token that was created with this secret. */
export const isFormToken = (token: string, secret: string): boolean => {
  const [nonce = '', signature = ''] = token.split('.', 2)
  const [given, expected] = [Buffer.from(signature), Buffer.from(sign(secret, nonce))]
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const sign = (secret: string, nonce: string): string =>
  createHmac('sha256', secret).update(`form ${nonce}`).digest('base64url')

/** The part of a request that identifies its browser: the secret in the session cookie. */
interface BrowserRequest {
  readonly sessionSecret: string | undefined
}

/** Passes new secrets to the page that shows them. */
export interface OneTimeSecrets {
  /** Seals a secret for the signed-in browser; returns the key for the URL of the page that shows it. */
  readonly seal: (request: BrowserRequest, secret: string) => string
  /** Opens a sealed secret, for five minutes, so that a page that did not arrive can be loaded again. */
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
 * Creates the passing of new secrets. A form redirects to another page, and a URL must not contain a secret. So the URL
 * contains a sealed secret, which only the cookie of the browser opens. The server keeps nothing, so any process can
 * show a secret that another process created. `now` is Unix time in milliseconds.
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
