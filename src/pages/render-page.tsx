import { renderToString } from 'preact-render-to-string'
import { Layout } from './layout.tsx'
import type { PageRequest, ShownPage } from './page.ts'
import type { PageStyle } from './read-style.ts'

/** A page as it is sent. */
export interface RenderedPage {
  readonly html: string
  readonly policy: string
}

/** Renders a page, and says what it may load (nothing) and where its forms may lead. */
export const renderPage = (page: ShownPage, request: PageRequest, { css, source }: PageStyle): RenderedPage => ({
  html: `<!doctype html>\n${renderToString(<Layout page={page} request={request} css={css} />)}\n`,
  policy: [
    "default-src 'none'",
    `style-src ${[source, ...(page.style === undefined ? [] : [page.style.source])].join(' ')}`,
    'img-src data:',
    ...(page.script === undefined ? [] : ["script-src 'self'"]),
    // Who judges a page for search engines asks for robots.txt as a part of it; without a script nothing else asks.
    ...(page.script === undefined && page.description === undefined ? [] : ["connect-src 'self'"]),
    `form-action ${["'self'", ...(page.formTargets ?? [])].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
})
