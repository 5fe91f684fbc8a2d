import { renderToString } from 'preact-render-to-string'
import type { PageRoute, ShownPage } from './page.ts'
import { readStyle } from './read-style.ts'
import { ReferenceContent } from './reference/reference-content.tsx'
import type { Site } from './site.ts'

/**
 * `/docs`: the API reference. Only the page that somebody asks for costs anything: the reference is loaded then, and
 * what was rendered last is kept, because all but a few ask by the same address.
 */
export const createDocsPage = (): PageRoute => {
  let last: { readonly baseUrl: string; readonly page: Promise<ShownPage> } | undefined
  return {
    path: '/docs',
    get: ({ site }) => {
      if (last?.baseUrl !== site.baseUrl) last = { baseUrl: site.baseUrl, page: showReference(site) }
      return last.page
    },
  }
}

const showReference = async ({ baseUrl, href }: Site): Promise<ShownPage> => {
  const { reference } = await import('../../generated/reference.ts')
  const html = renderToString(<ReferenceContent reference={reference} baseUrl={baseUrl} href={href} />)
  return {
    title: 'API reference',
    style: await readStyle(['reference.css']),
    script: '/docs/send-requests.js',
    content: <div dangerouslySetInnerHTML={{ __html: html }} />,
  }
}
