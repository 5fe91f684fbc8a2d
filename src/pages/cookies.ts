import { hash } from 'node:crypto'
import type { Site } from './site.ts'

/** What our cookies are for: `session` is who is signed in, `visitor` is a browser in which nobody is yet. */
export type CookieKind = 'session' | 'visitor'

/** 30 days: how long a browser that nobody uses stays signed in (contract, the web flow: sign-in). */
export const sessionCookieSeconds = 30 * 24 * 3600

/** Our cookies for one site. */
export interface CookieJar {
  /** The secrets in the cookies of a request, each once; of more than one any may be planted, of more than a few all are. */
  readonly read: (header: string | undefined, kind: CookieKind) => readonly string[]
  /** The value of a Set-Cookie header. */
  readonly write: (kind: CookieKind, secret: string) => string
  readonly clear: (kind: CookieKind) => string
}

/** Each is looked up, and whoever plants one may plant a few more. */
const mostOfKind = 20

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
      return secrets.length > mostOfKind ? [] : secrets
    },
    write: (kind, secret) =>
      `${nameOf(kind)}=${secret}${attributes}${kind === 'session' ? `; Max-Age=${sessionCookieSeconds}` : ''}`,
    clear: (kind) => `${nameOf(kind)}=${attributes}; Max-Age=0`,
  }
}
