import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { renderToString } from 'preact-render-to-string'
import { findPackageFile } from '../environment.ts'
import { PostForm } from './components.tsx'
import type { CookieJar } from './cookies.ts'
import type { CookieChange, PageRequest, PageResult, PageStyle, ShownPage, SignedIn } from './page.ts'

/** A response, with all its headers. */
export interface PageResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: string
  /** A JSON document, which may be large. It replaces the body. */
  readonly document?: unknown
  /** The signed-in user, for the log. */
  readonly userId: string | undefined
}

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

/** A request, its result, and the secret of a new visitor. */
interface HandledPage {
  readonly request: PageRequest
  readonly result: PageResult
  readonly newVisitor: string | undefined
  /** Whether this site serves the web app, to which the pages then link. */
  readonly hasWebApp: boolean
}

/** Turns the result of a page into status, headers and HTML. @throws what rendering throws */
export const writePage = (
  style: PageStyle,
  jar: CookieJar,
  { request, result, newVisitor, hasWebApp }: HandledPage,
): PageResponse => {
  const userId = request.signedIn?.userId
  if ('download' in result) {
    const disposition = `attachment; filename="${result.download}"`
    const headers = {
      ...pageHeaders,
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': disposition,
    }
    return { status: 200, headers, body: '', document: result.document, userId }
  }
  const cookies = setCookies(jar, result)
  if ('see' in result || 'away' in result) {
    // A window that an app opened redirects to the app. This header would cut the connection between them.
    const { 'cross-origin-opener-policy': _, ...headers } = pageHeaders
    const location = 'see' in result ? request.site.href(result.see) : result.away
    if (/[^\x21-\x7e]/.test(location)) throw new Error('the location of a redirect is not a URL')
    // Firefox takes a redirect without a referrer for a URL that the user has typed.
    const referrer = { 'referrer-policy': 'same-origin' }
    return { status: 303, headers: { ...headers, ...referrer, ...withCookies(cookies), location }, body: '', userId }
  }
  const { html, policy } = renderPage(result, { request, hasWebApp }, style)
  // Only a page with a form for anonymous users needs the visitor cookie.
  if (newVisitor !== undefined && html.includes(request.formToken) && request.signedIn === undefined) {
    cookies.push(jar.write('visitor', newVisitor))
  }
  const headers = { ...pageHeaders, 'content-security-policy': policy, ...result.headers, ...withCookies(cookies) }
  return { status: result.status ?? 200, headers, body: html, userId }
}

const setCookies = (jar: CookieJar, { session }: CookieChange): string[] => {
  if (session === undefined) return []
  // After a sign-in or sign-out, the browser gets a new visitor secret.
  return [session === null ? jar.clear('session') : jar.write('session', session), jar.clear('visitor')]
}

const withCookies = (cookies: readonly string[]) => (cookies.length === 0 ? {} : { 'set-cookie': cookies })

/** The HTML of a page and its Content-Security-Policy. */
interface RenderedPage {
  readonly html: string
  readonly policy: string
}

/** Renders a page and its policy: it may load nothing from elsewhere, and its forms lead only to allowed targets. */
const renderPage = (
  page: ShownPage,
  { request, hasWebApp }: Pick<HandledPage, 'request' | 'hasWebApp'>,
  { css, source }: PageStyle,
): RenderedPage => ({
  html: `<!doctype html>\n${renderToString(<Layout page={page} request={request} hasWebApp={hasWebApp} css={css} />)}\n`,
  policy: [
    "default-src 'none'",
    `style-src ${[source, ...(page.style === undefined ? [] : [page.style.source])].join(' ')}`,
    'img-src data:',
    ...(page.script === undefined ? [] : ["script-src 'self'"]),
    // Tools that audit a page for search engines fetch robots.txt from the page; without a script nothing else fetches.
    ...(page.script === undefined && page.description === undefined ? [] : ["connect-src 'self'"]),
    `form-action ${["'self'", ...(page.formTargets ?? [])].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
})

const markPath = 'M6.75 8.25h.01M12.25 8.25h5M6.75 15.75h5M17.25 15.75h.01'

const icon = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="#1f5fa8"/><path d="${markPath}" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round"/></svg>`,
)}`

/** The logo, as in the web app (`web/parts/icon.tsx`). */
const Mark = () => (
  <svg viewBox="0 0 24 24" aria-hidden="true">
    <rect width="24" height="24" rx="6" />
    <path d={markPath} />
  </svg>
)

const accountPages = [
  ['/account', 'Account'],
  ['/account/sessions', 'Sessions'],
  ['/account/apps', 'Apps'],
  ['/account/tokens', 'Access tokens'],
  ['/account/delivery', 'Webhooks and push'],
  ['/account/password', 'Password'],
] as const

const adminPages = [['/admin', 'Admin']] as const

const Navigation = ({ request, signedIn }: { readonly request: PageRequest; readonly signedIn: SignedIn }) => {
  const pages = signedIn.isAdmin ? [...accountPages, ...adminPages] : accountPages
  const isHere = (path: string) =>
    path === '/account' ? request.path === path : request.path === path || request.path.startsWith(`${path}/`)
  return (
    <nav class="nav" aria-label="Pages">
      <ul>
        {pages.map(([path, name]) => (
          <li
            key={path}
            class={[path === '/admin' && 'apart', isHere(path) && 'here'].filter(Boolean).join(' ') || undefined}
          >
            <a href={request.site.href(path)} aria-current={isHere(path) ? 'page' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const nameLayout = ({ isNarrow, isAlone }: ShownPage, showsUser: boolean): string =>
  ['page', isNarrow && 'narrow', isAlone && 'alone', showsUser && 'beside'].filter(Boolean).join(' ')

/** Renders the whole HTML document around the content: title, navigation, and the signed-in user. */
const Layout = ({
  page,
  request,
  hasWebApp,
  css,
}: {
  readonly page: ShownPage
  readonly request: PageRequest
  readonly hasWebApp: boolean
  readonly css: string
}) => {
  const { signedIn, site } = request
  const showsUser = signedIn !== undefined && page.isAlone !== true
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>{`${page.title} · thingsync`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {page.description === undefined ? (
          <meta name="robots" content="noindex" />
        ) : (
          <meta name="description" content={page.description} />
        )}
        <link rel="icon" href={icon} />
        <style dangerouslySetInnerHTML={{ __html: css }} />
        {page.style !== undefined && <style dangerouslySetInnerHTML={{ __html: page.style.css }} />}
        {page.script !== undefined && <script type="module" src={site.href(page.script)} />}
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to content
        </a>
        <header class="top">
          <div class="top-row">
            <a class="mark" href={site.href('/')}>
              <Mark />
              thingsync
            </a>
            {showsUser && <Navigation request={request} signedIn={signedIn} />}
            {showsUser && hasWebApp && (
              <a class="button small" href={site.href('/')}>
                <span aria-hidden="true">←</span> Items
              </a>
            )}
            {showsUser && (
              <div class="who">
                <span>{signedIn.userName}</span>
                <PostForm request={request} to="/sign-out" class="">
                  <button type="submit" class="small">
                    Sign out
                  </button>
                </PostForm>
              </div>
            )}
          </div>
        </header>
        <main id="content" class={nameLayout(page, showsUser)}>
          {page.content}
        </main>
      </body>
    </html>
  )
}

/**
 * Reads the common style from `style/`. Each page includes its style, so that one response is the whole page. The
 * policy names the style by its hash, so that browsers ignore any other style, for example an injected one.
 */
export const readPageStyle = (): Promise<PageStyle> => readStyle(['tokens.css', 'base.css', 'parts.css'])

/** Reads files of `style/` for a page with an additional style. */
export const readStyle = async (files: readonly string[]): Promise<PageStyle> => {
  const texts = await Promise.all(files.map((name) => readFile(findPackageFile(`src/pages/style/${name}`), 'utf8')))
  const css = texts
    .join('\n')
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\n\s*/g, '\n')
    .trim()
  return { css, source: `'sha256-${createHash('sha256').update(css).digest('base64')}'` }
}
