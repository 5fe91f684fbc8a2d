import type { CookieJar } from './cookies.ts'
import type { CookieChange, PageRequest, PageResult } from './page.ts'
import type { PageStyle } from './read-style.ts'
import { renderPage } from './render-page.tsx'

/** An answer, with all of its headers. */
export interface PageAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: string
  /** In the place of the body: a JSON document, which may be large. */
  readonly document?: unknown
  /** For the log. */
  readonly userId: string | undefined
}

const everyHeader = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

/** What there is to answer, and the secret of a visitor who is new. */
export interface Outcome {
  readonly request: PageRequest
  readonly result: PageResult
  readonly newVisitor: string | undefined
}

/** Makes what a page answers into status, headers and HTML. @throws what rendering throws */
export const writePage = (style: PageStyle, jar: CookieJar, { request, result, newVisitor }: Outcome): PageAnswer => {
  const userId = request.signedIn?.userId
  if ('download' in result) {
    const disposition = `attachment; filename="${result.download}"`
    const headers = {
      ...everyHeader,
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': disposition,
    }
    return { status: 200, headers, body: '', document: result.document, userId }
  }
  const cookies = setCookies(jar, result)
  if ('see' in result || 'away' in result) {
    // A window that an app opened goes on to the app: it must not be cut off on the way.
    const { 'cross-origin-opener-policy': _, ...headers } = everyHeader
    const location = 'see' in result ? request.site.href(result.see) : result.away
    if (/[^\x21-\x7e]/.test(location)) throw new Error('an address to go on to is none')
    return { status: 303, headers: { ...headers, ...withCookies(cookies), location }, body: '', userId }
  }
  const { html, policy } = renderPage(result, request, style)
  // Only a page with a form for strangers needs to know the browser again.
  if (newVisitor !== undefined && html.includes(request.formToken) && request.signedIn === undefined) {
    cookies.push(jar.write('visitor', newVisitor))
  }
  const headers = { ...everyHeader, 'content-security-policy': policy, ...result.headers, ...withCookies(cookies) }
  return { status: result.status ?? 200, headers, body: html, userId }
}

const setCookies = (jar: CookieJar, { session }: CookieChange): string[] => {
  if (session === undefined) return []
  // Who signs in or out is another visitor afterwards.
  return [session === null ? jar.clear('session') : jar.write('session', session), jar.clear('visitor')]
}

const withCookies = (cookies: readonly string[]) => (cookies.length === 0 ? {} : { 'set-cookie': cookies })
